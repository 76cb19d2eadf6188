/* What becomes of an alert from run to run: persistence.h.
 *
 * A course is written as what each run saw and what came of it:
 *     .  nothing     w  growth, WARNING    c  growth, CRITICAL
 *     W  at once, WARNING                  C  at once, CRITICAL
 *     =  the same dump again, which shows growth
 * and, below it, "-" for nothing remembered, "p" pending, "W" and "C" firing,
 * "r" resolved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "notify/persistence.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sight sight_of(char seen)
{
    switch (seen) {
    case 'w':
    case '=':
        return (struct sight){CHECK_OK, CHECK_WARNING};
    case 'c':
        return (struct sight){CHECK_OK, CHECK_CRITICAL};
    case 'W':
        return (struct sight){CHECK_WARNING, CHECK_OK};
    case 'C':
        return (struct sight){CHECK_CRITICAL, CHECK_OK};
    default:
        return (struct sight){CHECK_OK, CHECK_OK};
    }
}

static char shown(const struct persistence *alert, bool is_kept)
{
    if (!is_kept)
        return '-';
    if (alert->state == ALERT_PENDING)
        return 'p';
    if (alert->state == ALERT_RESOLVED)
        return 'r';
    return alert->status == CHECK_CRITICAL ? 'C' : 'W';
}

/* Runs a course and says what came of each run. */
static void run(const char *seen, unsigned needed, char *ret)
{
    struct persistence alert = {0};

    for (; *seen; seen++) {
        bool is_kept =
            persistence_step(&alert, sight_of(*seen), needed, *seen == '=');

        *ret++ = shown(&alert, is_kept);
        if (!is_kept)
            alert = (struct persistence){0};
    }
    *ret = '\0';
}

static void each_course_goes_as_written(void **state)
{
    static const struct {
        unsigned needed;
        const char *seen;
        const char *comes;
    } courses[] = {
        /* Growth has to hold, without a gap. */
        {3, "www", "ppW"},
        {3, "ww.www", "pp-ppW"},
        {3, "w.w.w.", "p-p-p-"},
        {1, "w.", "Wr"},
        /* CRITICAL has to hold as well; what is more counts as less, too. */
        {3, "ccc", "ppC"},
        {3, "cww", "ppW"},
        {3, "wwwccc", "ppWWWC"},
        {3, "wcwcwc", "ppWWWW"},
        /* One dump is enough where it says so itself. */
        {3, "C", "C"},
        {3, "W", "W"},
        {3, "wC", "pC"},
        {3, "wwwC", "ppWC"},
        /* It goes after as many runs without it. */
        {3, "www...", "ppWWWr"},
        {3, "www..w...", "ppWWWWWWr"},
        {3, "C...", "CCCr"},
        {2, "C..", "CCr"},
        /* It falls after as many milder ones, and never from CRITICAL to
         * nothing in one row of both. */
        {3, "CWWW", "CCCW"},
        {3, "CWW.", "CCCW"},
        {3, "CWW...", "CCCWWr"},
        {3, "CWCWWW", "CCCCCW"},
        /* What was resolved is a new one when it comes back. */
        {3, "C...C", "CCCrC"},
        {3, "C...w", "CCCrp"},
        {3, "C....", "CCCr-"},
        /* The same dump again adds to nothing. */
        {3, "w====", "ppppp"},
        {3, "w=w=w", "ppppW"},
        {3, "C=..=.", "CCCCCr"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(courses); i++) {
        char comes[32];

        run(courses[i].seen, courses[i].needed, comes);
        if (strcmp(comes, courses[i].comes) != 0)
            fail_msg("'%s' (%u): expected '%s', got '%s'", courses[i].seen,
                     courses[i].needed, courses[i].comes, comes);
    }
}

/* Of every course of eight runs: what fires was seen often enough or at once,
 * and what is resolved was missing as often as asked for. */
static void no_course_breaks_the_rules(void **state)
{
    static const char sights[] = {'.', 'w', 'c', 'W', 'C'};
    enum { LENGTH = 7 };
    unsigned total = 1;

    (void)state;
    for (unsigned i = 0; i < LENGTH; i++)
        total *= COUNT(sights);
    for (unsigned n = 0; n < total; n++) {
        struct persistence alert = {0};
        unsigned in_row = 0;
        unsigned without = 0;
        unsigned rest = n;

        for (unsigned i = 0; i < LENGTH; i++, rest /= COUNT(sights)) {
            char seen = sights[rest % COUNT(sights)];
            bool was_firing = alert.is_known && alert.state == ALERT_FIRING;
            bool is_kept = persistence_step(&alert, sight_of(seen), 3, false);

            in_row = seen == 'w' || seen == 'c' ? in_row + 1 : 0;
            without = seen == '.' ? without + 1 : 0;
            if (is_kept && alert.state == ALERT_FIRING && !was_firing)
                assert_true(in_row >= 3 || seen == 'W' || seen == 'C');
            if (is_kept && alert.state == ALERT_RESOLVED)
                assert_true(was_firing && without == 3);
            if (was_firing && without < 3)
                assert_true(is_kept && alert.state == ALERT_FIRING);
            if (!is_kept)
                alert = (struct persistence){0};
        }
    }
}

static void a_change_is_said_once(void **state)
{
    struct persistence alert = {0};

    (void)state;
    assert_true(persistence_step(&alert, sight_of('W'), 3, false));
    assert_true(alert.is_changed);
    assert_true(persistence_step(&alert, sight_of('W'), 3, false));
    assert_false(alert.is_changed);
    assert_true(persistence_step(&alert, sight_of('C'), 3, false));
    assert_true(alert.is_changed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_course_goes_as_written),
        cmocka_unit_test(no_course_breaks_the_rules),
        cmocka_unit_test(a_change_is_said_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
