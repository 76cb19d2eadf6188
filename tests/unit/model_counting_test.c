/* Goroutines that are put aside count like those that are looked at at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/snapshot_parts.h"

#include <cmocka.h>

enum { GROUPS = 3, GOROUTINES = 5000, SETS = 20 };

/* A snapshot, and notes as a reader has them. */
struct side {
    struct budget budget;
    struct symbols *symbols;
    struct snapshot *snapshot;
    struct group_note notes[GROUPS];
    frame_id frames[GROUPS];
    stack_id stacks[GROUPS];
    frame_id creators[2];
    bool is_quick;
};

static char values[SETS][8];
static struct label labels[SETS];
static struct label_set sets[SETS];
static unsigned n_sets = SETS; /* that goroutines have */

static frame_id put_frame(struct symbols *symbols, const char *function,
                          uint32_t line)
{
    return symbols_frame_put(
        symbols,
        (struct frame){symbols_function_put(symbols, str_from(function)),
                       symbols_text_put(symbols, STR("/m.go")), line});
}

static void begin(struct side *side, bool is_quick)
{
    *side = (struct side){.is_quick = is_quick};
    budget_init(&side->budget, 0);
    assert_int_equal(symbols_new(&side->symbols, &side->budget, NULL), 0);
    assert_int_equal(snapshot_new(&side->snapshot, side->symbols, NULL), 0);
    for (unsigned i = 0; i < GROUPS; i++) {
        side->frames[i] = put_frame(side->symbols, "main.work", i + 1);
        side->stacks[i] =
            symbols_stack_put(side->symbols, &side->frames[i], 1, 0);
    }
    for (unsigned i = 0; i < 2; i++)
        side->creators[i] = put_frame(side->symbols, "main.main", i + 1);
    for (unsigned i = 0; i < SETS; i++) {
        snprintf(values[i], sizeof(values[i]), "v%u", i);
        labels[i] = (struct label){STR("tenant"), str_from(values[i])};
        sets[i] = (struct label_set){&labels[i], 1};
    }
}

static void end(struct side *side)
{
    snapshot_free(side->snapshot);
    symbols_free(side->symbols);
    assert_int_equal(side->budget.used, 0);
}

/* What a goroutine of a number is like; one in 8 is not plain. */
static void add(struct side *side, unsigned i)
{
    unsigned kind = i * 2654435761u >> 10;
    unsigned group = kind % GROUPS;
    const struct label_set *set =
        kind / 4 % 3 && group ? &sets[kind / 16 % n_sets] : NULL;
    bool is_odd = kind % 8 == 7;
    struct record record = {
        .count = 1,
        .frames = &side->frames[group],
        .n_frames = 1,
        .stack = side->stacks[group],
        .note = side->is_quick ? &side->notes[group] : NULL,
        .state = STATE_SELECT,
        .has_id = true,
        .id = 1 + i * 7919ull % 1000003,
        .has_wait = kind / 8 % 4 > 0,
        .wait_min = kind / 8 % 4 > 1 ? kind / 32 % 3000 : 5,
        .created_by = side->creators[kind % 977 == 3],
        .labels = set ? set->labels : NULL,
        .n_labels = set ? set->n : 0,
        .set = side->is_quick && !is_odd ? set : NULL,
        .locked = is_odd && kind % 2,
        .is_plain = side->is_quick && !is_odd,
    };

    assert_int_not_equal(snapshot_add(side->snapshot, &record),
                         SNAPSHOT_NO_GROUP);
}

static void expect_same_ids(struct id_sample *a, struct id_sample *b)
{
    id_sample_sort(a);
    id_sample_sort(b);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->ids, b->ids, a->count * sizeof(*a->ids));
}

static void expect_same_waits(const struct wait_histogram *a,
                              const struct wait_histogram *b)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(a->bars[i].minutes, b->bars[i].minutes);
        assert_int_equal(a->bars[i].count, b->bars[i].count);
    }
}

static void expect_same_labels(const struct side *left,
                               const struct label_counts *a,
                               const struct side *right,
                               const struct label_counts *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a)
        return;
    assert_null(a->next);
    assert_int_equal(a->values.count, b->values.count);
    assert_int_equal(a->values.others, b->values.others);
    for (uint32_t i = 0; i < a->values.count; i++) {
        struct str value = symbols_text(left->symbols, a->values.items[i].id);

        assert_true(str_equal(
            value, symbols_text(right->symbols, b->values.items[i].id)));
        assert_int_equal(a->values.items[i].count, b->values.items[i].count);
    }
}

static void expect_same(const struct side *left, const struct side *right)
{
    size_t n = snapshot_n_groups(left->snapshot);

    assert_int_equal(n, snapshot_n_groups(right->snapshot));
    assert_int_equal(snapshot_info(left->snapshot)->total,
                     snapshot_info(right->snapshot)->total);
    assert_int_equal(snapshot_info(left->snapshot)->max_id,
                     snapshot_info(right->snapshot)->max_id);
    for (size_t i = 0; i < n; i++) {
        struct group *a = snapshot_group(left->snapshot, i);
        struct group *b = snapshot_group(right->snapshot, i);

        assert_int_equal(a->count, b->count);
        assert_int_equal(a->n_ids, b->n_ids);
        assert_int_equal(a->id_min, b->id_min);
        assert_int_equal(a->id_max, b->id_max);
        assert_int_equal(a->n_waits, b->n_waits);
        assert_int_equal(a->wait_min, b->wait_min);
        assert_int_equal(a->wait_max, b->wait_max);
        assert_int_equal(a->locked, b->locked);
        assert_int_equal(a->created_by, b->created_by);
        assert_int_equal(a->evidence->creators.count,
                         b->evidence->creators.count);
        expect_same_ids(&a->evidence->ids, &b->evidence->ids);
        expect_same_waits(&a->evidence->waits, &b->evidence->waits);
        expect_same_labels(left, a->evidence->labels, right,
                           b->evidence->labels);
    }
}

static void what_is_put_aside_counts_the_same(void **state)
{
    struct side quick;
    struct side slow;
    unsigned n = 0;

    (void)state;
    begin(&quick, true);
    begin(&slow, false);
    for (unsigned step = 37; n < GOROUTINES; step = step * 3 / 2) {
        for (unsigned i = 0; i < step; i++, n++) {
            add(&quick, n);
            add(&slow, n);
        }
        snapshot_settle(quick.snapshot);
        snapshot_settle(slow.snapshot);
        expect_same(&quick, &slow);
    }
    assert_non_null(snapshot_group(quick.snapshot, 0)->evidence->aside);
    end(&quick);
    end(&slow);
}

/* A part that was added to another is counted into again: the first of a group
 * are there like all others, also when it puts some aside at once. */
static void parts_count_the_same_again_and_again(void **state)
{
    struct side whole;
    struct side part;
    struct side slow;
    unsigned n = 0;

    (void)state;
    n_sets = 8;
    begin(&whole, true);
    begin(&part, true);
    begin(&slow, false);
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned i = 0; i < 90; i++, n++) {
            add(i < 40 ? &whole : &part, n);
            add(&slow, n);
        }
        assert_true(snapshot_merge(whole.snapshot, part.snapshot));
        snapshot_settle(slow.snapshot);
        expect_same(&whole, &slow);
    }
    assert_non_null(snapshot_group(part.snapshot, 0)->evidence->aside);
    end(&part);
    end(&whole);
    end(&slow);
    n_sets = SETS;
}

/* snapshot_seal looks at what was put aside, for readers that ended early. */
static void nothing_stays_aside(void **state)
{
    struct side quick;
    struct side slow;

    (void)state;
    begin(&quick, true);
    begin(&slow, false);
    for (unsigned i = 0; i < 444; i++) {
        add(&quick, i);
        add(&slow, i);
    }
    snapshot_seal(quick.snapshot);
    snapshot_seal(slow.snapshot);
    expect_same(&quick, &slow);
    end(&quick);
    end(&slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_aside_counts_the_same),
        cmocka_unit_test(parts_count_the_same_again_and_again),
        cmocka_unit_test(nothing_stays_aside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
