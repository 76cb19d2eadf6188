#include "support/familiarity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

const struct str familiarity_behind = STR_INIT(
    "\ngoroutine 2 [select]:\nmain.someone(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)\n"
    "\t/home/u/go/src/example.org/main.go:2000 +0x1234\n"
    "created by main.someone.else in goroutine 1\n"
    "\t/home/u/go/src/example.org/main.go:2010 +0x1234\n\n");

const struct str familiarity_learned =
    STR_INIT("main.(*worker).run(0xc000010000, {0x1?, 0xc000020000?})\n"
             "\t/home/u/go/src/example.org/worker.go:21 +0x3b\n"
             "main.inlined(...)\n"
             "\t/home/u/go/src/example.org/worker.go:40\n"
             "main.f()\n"
             "\t/main.go:1 +0x1d\n"
             "created by main.main in goroutine 17\n"
             "\t/home/u/go/src/example.org/main.go:18 +0x5c\n");

frame_id familiarity_frame(struct familiarity *familiarity, uint32_t line)
{
    return symbols_frame_put(familiarity->symbols,
                             (struct frame){.line = line});
}

int familiarity_set_up(void **state)
{
    static struct familiarity familiarity;
    frame_id frames[3];

    budget_init(&familiarity.budget, 0);
    assert_int_equal(
        symbols_new(&familiarity.symbols, &familiarity.budget, NULL), 0);
    predict_init(&familiarity.predictor, familiarity.symbols);
    familiars_init(&familiarity.familiars, &familiarity.predictor);
    for (uint32_t i = 0; i < 3; i++)
        frames[i] = familiarity_frame(&familiarity, i + 1);
    familiars_learn(&familiarity.familiars,
                    &(struct familiar_facts){
                        .text = familiarity_learned,
                        .stack = 1,
                        .frames = frames,
                        .n_frames = 3,
                        .creator = familiarity_frame(&familiarity, 9)});
    *state = &familiarity;
    return 0;
}

int familiarity_tear_down(void **state)
{
    struct familiarity *familiarity = *state;

    familiars_done(&familiarity->familiars);
    predict_done(&familiarity->predictor);
    symbols_free(familiarity->symbols);
    return familiarity->budget.used == 0 ? 0 : -1;
}
