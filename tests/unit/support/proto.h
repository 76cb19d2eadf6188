/* proto.h - pprof profiles made by hand, field by field. */
#ifndef SUPPORT_PROTO_H
#define SUPPORT_PROTO_H

#include "base/buf.h"

enum { PROTO_TEXTS_MOST = 512 };

struct proto {
    struct buf out; /* the outer message */
    const char *texts[PROTO_TEXTS_MOST];
    size_t n_texts;
    bool is_unpacked; /* write lists of numbers one by one */
};

/* An empty profile, and its end. */
void proto_init(struct proto *proto);
void proto_done(struct proto *proto);

/* Appends a field to a message: a number, or bytes. */
void proto_number(struct buf *out, uint32_t field, uint64_t value);
void proto_bytes(struct buf *out, uint32_t field, struct str bytes);

/* The index of a text in the string table, which puts it there; the empty text
 * is 0. */
uint64_t proto_index(struct proto *proto, const char *text);

/* Appends a ValueType: field 1 for a sample type, 11 for the period's. */
void proto_type(struct proto *proto, uint32_t field, const char *name,
                const char *unit);

/* Appends a function, and a location with up to two lines, the innermost
 * first; a function of 0 ends them. */
void proto_function(struct proto *proto, uint64_t id, const char *name,
                    const char *file);
void proto_location(struct proto *proto, uint64_t id, uint64_t address,
                    uint64_t inner, uint64_t inner_line, uint64_t outer,
                    uint64_t outer_line);

/* Lists of numbers, for initialisers of arguments. */
struct proto_list {
    size_t count;
    uint64_t items[8];
};
#define PROTO_LIST(...)                                                        \
 ((struct proto_list){sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),    \
                      {__VA_ARGS__}})
#define PROTO_NONE ((struct proto_list){0})

/* Appends a sample; labels are the bytes of its label fields. */
void proto_sample(struct proto *proto, struct proto_list locations,
                  struct proto_list values, struct str labels);

/* Appends to out a label with a text, or with a number when text is NULL. */
void proto_label(struct proto *proto, struct buf *out, const char *key,
                 const char *text, uint64_t number, const char *unit);

/* Begins a goroutine profile: types, functions 1 main.f, 2 main.g and 3
 * main.main, and locations 1 to 3 of lines 11, 22 and 33 in them. */
void proto_goroutines(struct proto *proto);

/* Appends the string table: the end of a profile as Go writes it. */
void proto_texts(struct proto *proto);

#endif
