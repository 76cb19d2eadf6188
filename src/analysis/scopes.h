/* scopes.h - which functions belong together, by their names.
 *
 * Whoever holds a lock mostly stands in a function near those that wait for
 * it: a method of the same type, or the function whose closures they are. The
 * scope of a function is its package and the first name behind it: "main.cache"
 * for main.(*cache).Get, main.cache.Len and main.(*cache).Get.func1, "main.run"
 * for main.run and main.run.func2. */
#ifndef ANALYSIS_SCOPES_H
#define ANALYSIS_SCOPES_H

#include "model/symbols.h"

typedef uint64_t scope_id; /* a hash; 0 = none */

/* The scope of a function by its canonical name; 0 for an empty name. */
scope_id scope_of(struct str function);

/* The scope of the frame at index. A frame of package sync is none of its own:
 * every sync.Once would be one. It has that of its caller outside the package,
 * mixed with its own. */
scope_id scope_at(const struct symbols *symbols, struct stack stack,
                  uint32_t index);

/* A scope in two parts of a function's own name: "main" and "cache". */
struct scope_name {
    struct str package;
    struct str name;
};

/* The scope of a function for people: without "(*" and type arguments. */
struct scope_name scope_name(struct str function);

/* The function that a closure was written in, one step out: "main.run.func2"
 * of main.run.func2.1, main.run of main.run.func2 (also gowrapN and
 * deferwrapN). Empty for what is no closure. */
struct str closure_parent(struct str function);

/* Closures in closures that are looked through. */
enum { CLOSURES_DEEP = 8 };

/* Whether a function is a closure in another one, be it of one in it. */
bool closure_is_in(struct str closure, struct str function);

/* Whether a function is a method, or a closure of one. */
bool scope_is_type(struct str function);

/* The frame that a goroutine began with, without those of the runtime, which
 * dumps of a crash may show; n_frames when there is none. */
uint32_t stack_entry(const struct symbols *symbols, struct stack stack);

/* The same without a closure that stands on the line of the go statement, of
 * which created_by is the frame, or FRAME_NONE: the compiler writes one for "go
 * f(x)", which only dumps of a crash show. */
uint32_t stack_begun(const struct symbols *symbols, struct stack stack,
                     frame_id created_by);

/* Whether a group was started by that function, as far as names tell: a frame
 * of it is a closure of the function, however deep. */
bool is_closure_of(const struct symbols *symbols, struct stack stack,
                   struct str function);

#endif
