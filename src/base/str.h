/* str.h - runs of bytes that somebody else owns.
 *
 * A struct str points into memory of another owner (a line buffer, an arena,
 * a literal), is not NUL-terminated and may hold any byte. Functions take it
 * by value. An empty string may have a NULL pointer. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *ptr;
    size_t len;
};

/* Whether a character is one of some, which end with a NUL as any literal does:
 * strchr finds that one too, and bytes of an input may be NUL. */
static inline bool chars_have(const char *chars, char c)
{
    return c && strchr(chars, c);
}

/* A string from a literal, usable in constant initialisers with STR_INIT. */
#define STR_INIT(literal)                                                      \
 {                                                                             \
  (literal), sizeof(literal) - 1                                               \
 }
#define STR(literal) ((struct str)STR_INIT(literal))

/* printf's "%.*s" takes an int; longer strings are cut, never wrapped. */
#define STR_FORMAT "%.*s"
#define STR_ARG(s) (int)((s).len > 4096 ? 4096 : (s).len), (s).ptr

/* An empty string that stands for one there was no memory for. Whoever appends
 * it to a buffer makes that fail, so that what is lost in a part is not lost in
 * silence in the whole (buf.h). Parts of it are the same. */
extern const char str_lost_text[];
#define STR_LOST ((struct str){str_lost_text, 0})

/* Whether it is that one. */
static inline bool str_is_lost(struct str s)
{
    return s.ptr == str_lost_text;
}

/* The string that begins at a NUL-terminated text; NULL gives an empty one. */
static inline struct str str_from(const char *text)
{
    return (struct str){text, text ? strlen(text) : 0};
}

/* Whether both hold the same bytes. */
static inline bool str_equal(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Whether s begins with prefix. */
static inline bool str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len &&
           (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

/* Whether s ends with suffix. */
static inline bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 ||
            memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* s without its first n bytes; empty when it has fewer. */
static inline struct str str_skip(struct str s, size_t n)
{
    if (n > s.len)
        n = s.len;
    return s.len ? (struct str){s.ptr + n, s.len - n} : s;
}

/* The first n bytes of s; all of it when it has fewer. */
static inline struct str str_head(struct str s, size_t n)
{
    return (struct str){s.ptr, n < s.len ? n : s.len};
}

/* strcmp's order, by unsigned bytes; a prefix comes first. */
int str_compare(struct str a, struct str b);

/* Where the byte c stands first (str_find) or last (str_rfind) in s, or s.len
 * when it is nowhere. */
size_t str_find(struct str s, char c);
size_t str_rfind(struct str s, char c);

/* Where the text what begins first in s, or s.len when it is nowhere. */
size_t str_search(struct str s, struct str what);

/* Whether the text what stands somewhere in s. */
bool str_contains(struct str s, struct str what);

/* Whether a blank or a tab stands somewhere in s; whether a NUL does. */
bool str_has_blank(struct str s);
bool str_has_zeros(struct str s);

/* s without blanks, tabs and carriage returns at both ends. */
struct str str_trim(struct str s);

/* If s begins with prefix, cuts it off *s and returns true. */
bool str_cut_prefix(struct str *s, struct str prefix);

/* If s ends with suffix, cuts it off *s and returns true. */
bool str_cut_suffix(struct str *s, struct str suffix);

/* If s begins with a tab as a log daemon or a terminal spells it out ("#011" of
 * rsyslog, "\t", "\x09", "^I" of cat -T), cuts it off *s and returns true. */
bool str_cut_spelled_tab(struct str *s);

/* Cuts a line off the front of *s, with its end, and returns it without: "\n"
 * or "\r\n". The last line may have none. */
struct str str_cut_line(struct str *s);

/* Reads decimal digits from the front of *s into *ret and cuts them off.
 * False, with nothing changed, when there is no digit or the number does not
 * fit 64 bits. */
bool str_cut_decimal(struct str *s, uint64_t *ret);

/* The same for hexadecimal digits, either case, without "0x". */
bool str_cut_hex(struct str *s, uint64_t *ret);

/* The whole of s as a decimal number. */
bool str_to_u64(struct str s, uint64_t *ret);

/* How many single-byte edits turn a into b, counted up to limit; limit + 1
 * stands for "more". For "did you mean": both at most 64 bytes, longer ones
 * count as far apart. */
size_t str_distance(struct str a, struct str b, size_t limit);

#endif
