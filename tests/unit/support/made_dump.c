#include "support/made_dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "rules/held.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct analysis *analysis;
static struct buf dump;
static struct buf words;

int made_set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    analysis = NULL;
    dump = words = (struct buf){0};
    return 0;
}

int made_tear_down(void **state)
{
    (void)state;
    analysis_free(analysis);
    reading_done(&reading);
    buf_done(&dump);
    buf_done(&words);
    return 0;
}

void made_anew(void)
{
    made_tear_down(NULL);
    made_set_up(NULL);
}

/* The frames of a goroutine that waits for the Mutex at an address. */
static void add_mutex(const char *address)
{
    buf_addf(&dump,
             "sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)\n"
             "\t/go/sema.go:77 +0x25\n"
             "sync.(*Mutex).lockSlow(%s)\n\t/go/mutex.go:171 +0x15d\n"
             "sync.(*Mutex).Lock(...)\n\t/go/mutex.go:90\n",
             address);
}

void made_add(unsigned id, const char *state, const char *const *frames)
{
    buf_addf(&dump, "goroutine %u [%s]:\n", id, state);
    for (; *frames; frames++) {
        size_t blank = str_rfind(str_from(*frames), ' ');

        if (**frames == '@')
            add_mutex(*frames + 1);
        else
            buf_addf(&dump, "%.*s\n\t/m.go:%s +0x1\n", (int)blank, *frames,
                     *frames + blank + 1);
    }
    buf_add(&dump, STR("\n"));
}

/* Reads the dump and analyses it. */
static void analyse(void)
{
    assert_int_equal(reading_add(&reading, dump.ptr), 0);
    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
}

/* What the first group with that site waits for; NULL = nothing that is
 * held. */
static const struct holding *held_at(const char *site)
{
    const struct symbols *symbols = reading.snapshots->symbols;

    if (!analysis)
        analyse();
    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        const struct joined_group *group = analysis_group(analysis, i);
        struct stack stack = symbols_stack(symbols, group->stack);

        if (joined_extra(group)->holding &&
            str_equal(symbols_function(symbols, stack.frames[group->site]),
                      str_from(site)))
            return joined_extra(group)->holding;
    }
    return NULL;
}

const char *made_held_at(const char *site)
{
    const struct holding *holding = held_at(site);

    if (!holding)
        return "nothing is held";
    buf_clear(&words);
    held_add(&words, reading.snapshots->symbols, holding);
    return words.ptr;
}

uint64_t made_waiters_at(const char *site)
{
    const struct holding *holding = held_at(site);

    return holding ? holding->waiters : 0;
}

const char *made_circles(void)
{
    const struct wait_cycle *cycles;
    size_t n = 0;

    if (!analysis)
        analyse();
    cycles = analysis_cycles(analysis, &n);
    buf_clear(&words);
    buf_add(&words, STR(""));
    for (size_t i = 0; i < n; i++) {
        buf_addf(&words, "%s\n", certainty_text(cycles[i].certainty));
        for (size_t k = 0; k < cycles[i].n_links; k++) {
            held_add_link(&words, reading.snapshots->symbols, &cycles[i], k);
            buf_add_char(&words, '\n');
        }
    }
    return words.ptr ? words.ptr : "";
}

const char *made_held_by_unknown(void)
{
    buf_clear(&words);
    held_add(&words, reading.snapshots->symbols, NULL);
    return words.ptr;
}
