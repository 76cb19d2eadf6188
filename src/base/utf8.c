#include "base/utf8.h"

size_t utf8_put(char *into, uint32_t point)
{
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        point = 0xfffd;
    if (point < 0x80) {
        into[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        into[0] = (char)(0xc0 | point >> 6);
        into[1] = (char)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        into[0] = (char)(0xe0 | point >> 12);
        into[1] = (char)(0x80 | (point >> 6 & 0x3f));
        into[2] = (char)(0x80 | (point & 0x3f));
        return 3;
    }
    into[0] = (char)(0xf0 | point >> 18);
    into[1] = (char)(0x80 | (point >> 12 & 0x3f));
    into[2] = (char)(0x80 | (point >> 6 & 0x3f));
    into[3] = (char)(0x80 | (point & 0x3f));
    return 4;
}

void utf8_add(struct buf *out, uint32_t point)
{
    char bytes[4];

    buf_add(out, (struct str){bytes, utf8_put(bytes, point)});
}
