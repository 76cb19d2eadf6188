/* instances.h - the processes whose dumps stand mixed in one input.
 *
 * The pods of a log are instances of one service: each counts as an input of
 * its own, so that their dumps are added and not taken for moments of one. So
 * are the processes of one host, by the names and numbers that a log has for
 * them. A number changes when a process is started anew: one that begins behind
 * the end of another goes on as that. */
#ifndef READ_INSTANCES_H
#define READ_INSTANCES_H

#include <stdint.h>

#include "base/str.h"

enum { INSTANCES_MOST = 4096 };

/* Whose text it is, and where it stands. */
struct whose {
    struct str instance;
    struct str process;  /* of that instance; empty = it has one only */
    uint64_t section;    /* texts of several sections do not overlap */
    uint64_t first_line; /* of the text within its section */
    uint64_t last_line;
};

struct instance;

/* base is the number of the input they stand in; all else is 0 at first. */
struct instances {
    uint32_t base;
    struct instance *items; /* owned, in order of their coming */
    size_t count;
    uint32_t n_inputs;   /* that they are */
    uint64_t n_sections; /* of wrapped text so far */
    bool has_others;     /* there was no place for another, */
    bool has_lost;       /* or no memory */
};

/* Frees the list. */
void instances_done(struct instances *instances);

/* The number of the input that an instance is. The first has that of the input
 * itself; so have those beyond INSTANCES_MOST, and all when memory runs out.
 * *ret_name is what to call it, as long as one of both lives: the instance, or
 * the process when another of that instance has the name. */
uint32_t instances_input(struct instances *instances, const struct whose *whose,
                         struct str *ret_name);

/* Notes where the text was found to end, which instances_input was asked about
 * last, and whether its process did. */
void instances_end(struct instances *instances, const struct whose *whose,
                   bool has_ended);

/* How many inputs there are, at least one. */
uint32_t instances_count(const struct instances *instances);

#endif
