/* json.h - writing JSON.
 *
 * A writer appends one value after another to a buf and sets commas, colons
 * and indentation. Strings are written as valid UTF-8: invalid bytes become
 * U+FFFD, controls are escaped. Nesting is the caller's: each open has its
 * close. Objects and arrays that are opened "flat" stay on one line. No name
 * here is one of jansson's, which reads JSON elsewhere. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

enum { JSON_DEPTH = 32 };

struct json {
    struct buf *out;
    unsigned depth;
    unsigned flat;  /* depth at which a flat value began; 0 = none */
    bool first;     /* nothing was written at this depth yet */
    bool after_key; /* the next value follows a key */
};

/* A writer at the start of a document. */
struct json json_begin(struct buf *out);

/* Opens or closes an object or an array. */
void json_open_object(struct json *json);
void json_open_object_flat(struct json *json);
void json_close_object(struct json *json);
void json_open_array(struct json *json);
void json_open_array_flat(struct json *json);
void json_close_array(struct json *json);

/* A key inside an object; its value must follow. json_put_key takes one of
 * printable ASCII without quotes and backslashes. */
void json_put_key(struct json *json, const char *key);
void json_put_key_str(struct json *json, struct str key);

/* Values. A double is written with at most digits significant digits;
 * infinities and NaN, which JSON has no words for, as null. */
void json_put_string(struct json *json, struct str text);
void json_put_text(struct json *json, const char *text); /* NULL gives null */
void json_put_u64(struct json *json, uint64_t number);
void json_put_i64(struct json *json, int64_t number);
void json_put_double(struct json *json, double number, int digits);
void json_put_bool(struct json *json, bool value);
void json_put_null(struct json *json);

/* Fields of an object: a key with its value. */
void field_str(struct json *json, const char *key, struct str text);
void field_text(struct json *json, const char *key, const char *text);
void field_u64(struct json *json, const char *key, uint64_t number);
void field_bool(struct json *json, const char *key, bool value);
void field_null(struct json *json, const char *key);

/* The same, or null when it is not known; an empty text is not known. */
void field_u64_or_null(struct json *json, const char *key, bool known,
                       uint64_t number);
void field_str_or_null(struct json *json, const char *key, struct str text);

/* A time in nanoseconds since 1970 as RFC 3339 has it, in UTC; 0 is null. */
void field_time(struct json *json, const char *key, int64_t unix_ns);

#endif
