/* intern.h - every distinct text once, named by a small number.
 *
 * Function names and file paths repeat in every goroutine; interned, they are
 * compared by id. Ids start at 1 and grow by one in order of arrival; id 0 is
 * the empty text. Texts live as long as the intern. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/str.h"
#include "base/table.h"

typedef uint32_t text_id;

struct intern {
    struct arena arena;
    struct pool texts; /* struct str, at id - 1 */
    struct table table;
};

/* An empty intern. */
void intern_init(struct intern *intern, struct budget *budget);

/* Frees all texts. */
void intern_done(struct intern *intern);

/* The id of a text, kept from now on; 0 for the empty text, and for another
 * when there is no memory to keep it. */
text_id intern_put(struct intern *intern, struct str text);

/* The id of a text that is already there, else 0. */
text_id intern_find(const struct intern *intern, struct str text);

/* The text of an id; NUL-terminated behind its len bytes. */
struct str intern_text(const struct intern *intern, text_id id);

/* How many texts there are; ids are 1 to this. */
size_t intern_count(const struct intern *intern);

#endif
