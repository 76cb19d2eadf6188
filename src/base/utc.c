#include "base/utc.h"

#include <time.h>

void utc_add(struct buf *buf, int64_t unix_ns)
{
    int64_t ns = unix_ns % 1000000000;
    time_t seconds = (time_t)(unix_ns / 1000000000);
    struct tm tm = {0};

    if (ns < 0) {
        ns += 1000000000;
        seconds--;
    }
    gmtime_r(&seconds, &tm);
    buf_addf(buf, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900,
             tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    if (ns) {
        buf_addf(buf, ".%09lld", (long long)ns);
        while (buf->len && buf->ptr[buf->len - 1] == '0')
            buf->ptr[--buf->len] = '\0';
    }
    buf_add_char(buf, 'Z');
}

int64_t utc_ns(int64_t seconds, int64_t part_ns)
{
    int64_t ns;

    if (seconds < 0 || part_ns < 0 ||
        __builtin_mul_overflow(seconds, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, part_ns, &ns))
        return 0;
    return ns;
}
