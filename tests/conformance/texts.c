#include "texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void text_add(struct text *text, const char *bytes, size_t len)
{
    if (text->len + len + 1 > text->size) {
        text->size = (text->len + len + 1) * 2;
        text->bytes = realloc(text->bytes, text->size);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
    text->bytes[text->len] = '\0';
}

void text_add_string(struct text *text, const char *more)
{
    text_add(text, more, strlen(more));
}

void text_add_quoted(struct text *text, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\t')
            text_add_string(text, "\\t");
        else if (bytes[i] == '\n')
            text_add_string(text, "\\n");
        else if (bytes[i] == '"' || bytes[i] == '\\')
            text_add(text, (char[]){'\\', bytes[i]}, 2);
        else if (bytes[i] == '<')
            text_add_string(text, "\\u003c");
        else
            text_add(text, bytes + i, 1);
    }
}

void text_add_turned(struct text *text, const char *bytes, size_t len)
{
    assert_true(len && bytes[len - 1] == '\n');
    for (size_t end = len; end > 0;) {
        size_t at = end - 1;

        while (at > 0 && bytes[at - 1] != '\n')
            at--;
        text_add(text, bytes + at, end - at);
        end = at;
    }
}

const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));

    return found ? found : end;
}
