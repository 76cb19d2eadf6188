/* cut.h - stacks as debug=2 prints them, whatever printed them.
 *
 * debug=1 hides the runtime's frames at the leaf, debug=0 keeps them, and only
 * dumps of a crash show the entries at the bottom. Cut alike, equal stacks of
 * all forms are one. */
#ifndef MODEL_CUT_H
#define MODEL_CUT_H

#include "model/symbols.h"

/* The stack without the runtime's frames at its leaf and without the entries at
 * its bottom: runtime.goexit, runtime.main, and what the compiler wrote to call
 * the function of a go statement. A stack of nothing else stays whole, and so
 * does one for which there is no memory. */
stack_id stack_cut(struct symbols *symbols, stack_id id);

#endif
