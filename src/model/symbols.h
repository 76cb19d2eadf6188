/* symbols.h - names, frames and stacks, each kept once for all snapshots.
 *
 * Snapshots that are compared share one symbols object, so that equal stacks
 * have equal ids. It grows with the distinct stacks only. Names are canonical
 * (see name.h). Ids stay good for the life of the object. When the memory
 * budget is reached, put calls return the NONE or OTHER id and what is known
 * already stays usable. */
#ifndef MODEL_SYMBOLS_H
#define MODEL_SYMBOLS_H

#include "base/error.h"
#include "base/intern.h"
#include "model/state.h"

typedef uint32_t frame_id; /* 0 = no frame */
typedef uint32_t stack_id; /* 0 = the stack without any frame */

enum { FRAME_NONE = 0, STACK_EMPTY = 0 };
#define STACK_OTHER UINT32_MAX /* the budget is reached: not kept */

/* One call on a stack. Equal function, file and line make an equal frame. */
struct frame {
    text_id function; /* canonical name, arguments cut */
    text_id file;     /* as the dump prints it; 0 when it names none */
    uint32_t line;    /* 0 when unknown */
};

/* A stack, leaf first. */
struct stack {
    const frame_id *frames;
    uint32_t n_frames;
    uint32_t elided; /* frames the dump left out, at its place or the end;
                        ELIDED_SOME when it does not say how many */
};

#define ELIDED_SOME UINT32_MAX

/* Bytes of a text that are kept; longer ones are cut. Linux knows no longer
 * path (PATH_MAX), and names of functions are far below, once the type
 * arguments are cut; but the names in a profile are references, so that few
 * bytes can give each of a thousand functions a name of a megabyte, which each
 * stack of each report would repeat. */
enum { SYMBOLS_TEXT_MOST = 4096 };

struct symbols;

/* A new, empty object that charges to budget, which must outlive it. */
int symbols_new(struct symbols **ret, struct budget *budget,
                struct cprof_error *err);
void symbols_free(struct symbols *symbols);

/* The budget that the object charges to. */
struct budget *symbols_budget(const struct symbols *symbols);

/* The text, or what is kept of a long one: as many bytes as SYMBOLS_TEXT_MOST
 * has, without the half of a code point. A slice of text. The puts do this
 * themselves; it is for those who look at a text often. */
struct str symbols_text_cut(struct symbols *symbols, struct str text);

/* Whether a text was cut since this was asked last. */
bool symbols_take_has_cut(struct symbols *symbols);

/* Notes what was cut by the symbols of a part that was read by itself. */
void symbols_follow_cut(struct symbols *symbols, const struct symbols *part);

/* Texts: functions, files, label keys and values. 0 = empty, or no memory. */
text_id symbols_text_put(struct symbols *symbols, struct str text);
struct str symbols_text(const struct symbols *symbols, text_id id);
size_t symbols_n_texts(const struct symbols *symbols);

/* The text id of the canonical form of a function name as printed in a dump;
 * remembered, so that each printed name is normalised once. What is cut is the
 * canonical form. */
text_id symbols_function_put(struct symbols *symbols, struct str printed);

/* Frames; FRAME_NONE when there is no memory. Ids are 1 to n_frames. */
frame_id symbols_frame_put(struct symbols *symbols, struct frame frame);
struct frame symbols_frame(const struct symbols *symbols, frame_id id);
size_t symbols_n_frames(const struct symbols *symbols);

/* The function name and the file of a frame. */
struct str symbols_function(const struct symbols *symbols, frame_id id);
struct str symbols_file(const struct symbols *symbols, frame_id id);

/* Stacks; STACK_OTHER when there is no memory. Ids are 1 to n_stacks. */
stack_id symbols_stack_put(struct symbols *symbols, const frame_id *frames,
                           size_t n_frames, uint32_t elided);
struct stack symbols_stack(const struct symbols *symbols, stack_id id);

/* Whether a stack passes through a function, by its whole name. */
bool stack_has_function(const struct symbols *symbols, struct stack stack,
                        struct str function);

/* Gives back the memory that only putting stacks needs; the next put takes it
 * again, which costs a look at every stack. */
void symbols_rest(struct symbols *symbols);
size_t symbols_n_stacks(const struct symbols *symbols);

/* States: known words have their ids of state.h, others are added, with what is
 * unprintable in them escaped: a state is a key in JSON, where two bytes that
 * are no UTF-8 would be one. When 60,000 are known, further words are
 * STATE_UNKNOWN. */
state_id symbols_state_put(struct symbols *symbols, struct str word);
struct str symbols_state(const struct symbols *symbols, state_id id);

#endif
