#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "support/builds.h"
#include "support/waits.h"

#include <cmocka.h>

enum { USER = 0x700001 }; /* an address in a program's own code */

/* The operations of a build, in the order of add_operation. */
static const char *const operations[] = {
    "chan send",    "chan send (nil chan)",    "chan receive",
    "chan receive", "chan receive (nil chan)", "chan receive (nil chan)",
};

enum { N_OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static void add_operation(struct waits *waits, const struct build *build,
                          size_t operation)
{
    static const char *const frames[] = {"main.f0", "main.f1", "main.f2",
                                         "main.f3", "main.f4", "main.f5"};
    const uint64_t calls[N_OPERATIONS][2] = {
        {build->send, build->chansend1},
        {build->send_nil, build->chansend1},
        {build->receive, build->chanrecv1},
        {build->receive, build->chanrecv2},
        {build->receive_nil, build->chanrecv1},
        {build->receive_nil, build->chanrecv2},
    };

    waits_add(waits, 5,
              HIDDEN(3, build->gopark, calls[operation][0], calls[operation][1],
                     USER),
              frames[operation], NULL);
}

/* A record that shows which address is gopark's. */
static void add_anchor(struct waits *waits, const struct build *build)
{
    waits_add(waits, 1, HIDDEN(1, build->gopark, USER, USER),
              "time.Sleep < main.poll", NULL);
}

/* Whether a state is right, or says less than could be said. */
static bool is_true(const char *state, const char *truth)
{
    return strcmp(state, truth) == 0 || strcmp(state, "unknown") == 0 ||
           strcmp(state, "waiting") == 0 ||
           strcmp(state, "chan operation") == 0 ||
           (strcmp(state, "chan send") == 0 &&
            strcmp(truth, "chan send (nil chan)") == 0) ||
           (strcmp(state, "chan receive") == 0 &&
            strcmp(truth, "chan receive (nil chan)") == 0);
}

static const char *state_of(const struct waits *waits, size_t group)
{
    return symbols_state(waits->symbols,
                         snapshot_group(waits->snapshot, group)->state)
        .ptr;
}

/* Whether a dump with all operations of a build says enough of one: of
 * machines and versions without rows for nil channels, the operation. */
static bool is_enough(const struct build *build, size_t operation,
                      const char *state)
{
    const char *plain = operation < 2 ? "chan send" : "chan receive";

    if (strcmp(state, operations[operation]) == 0)
        return true;
    return (build->knowledge == BY_ORDER || build->knowledge == ORDINARY) &&
           strcmp(state, plain) == 0;
}

static void a_dump_with_both_operations_tells_them_on_every_machine(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        struct waits waits;

        waits_init(&waits);
        for (size_t j = 0; j < N_OPERATIONS; j++)
            add_operation(&waits, &builds[i], j);
        add_anchor(&waits, &builds[i]);
        waits_states(&waits);
        for (size_t j = 0; j < N_OPERATIONS; j++) {
            const char *state = state_of(&waits, j);

            if (!is_enough(&builds[i], j, state))
                fail_msg("Go %s, %s: %s", builds[i].name, operations[j], state);
        }
        waits_done(&waits);
    }
}

/* What a dump with only this operation must say of it; NULL = see is_true. */
static const char *truth_alone(const struct build *build, size_t operation)
{
    bool is_nil = operation == 1 || operation > 3;

    if (build->knowledge == BY_ORDER)
        return "chan operation";
    if (is_nil && build->knowledge == OTHER_NIL)
        return NULL;
    if (is_nil && build->knowledge == ORDINARY)
        return "chan operation";
    return operations[operation];
}

static void check_alone(const struct build *build, size_t operation,
                        bool has_anchor)
{
    const char *truth = truth_alone(build, operation);
    const char *state;
    struct waits waits;

    waits_init(&waits);
    add_operation(&waits, build, operation);
    if (has_anchor)
        add_anchor(&waits, build);
    waits_states(&waits);
    state = state_of(&waits, 0);
    if (has_anchor && truth && strcmp(state, truth) != 0)
        fail_msg("Go %s, %s alone: %s", build->name, truth, state);
    if (!is_true(state, operations[operation]))
        fail_msg("Go %s, %s: %s", build->name, operations[operation], state);
    waits_done(&waits);
}

static void an_operation_alone_is_told_where_the_table_has_it(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        for (size_t j = 0; j < N_OPERATIONS; j++) {
            bool is_known = builds[i].chanrecv2 || j == 0 || j == 1;

            if (is_known && builds[i].knowledge != BY_ORDER)
                check_alone(&builds[i], j, true);
        }
    }
}

/* loong64 and riscv64 have some residues and distances of arm64; the words
 * are right there too. */
static void an_operation_alone_is_never_told_wrongly(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        for (size_t j = 0; j < N_OPERATIONS; j++)
            check_alone(&builds[i], j, false);
    }
}

static void add_select(struct waits *waits, const struct build *build,
                       uint64_t address, const char *frames)
{
    waits_add(waits, 5, HIDDEN(2, build->gopark, address, USER, USER), frames,
              NULL);
}

static void select_with_and_without_cases_are_told_by_their_order(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        struct waits waits;

        if (!builds[i].block)
            continue;
        waits_init(&waits);
        add_anchor(&waits, &builds[i]);
        add_select(&waits, &builds[i], builds[i].block, "main.f");
        add_select(&waits, &builds[i], builds[i].selectgo, "main.g");
        assert_string_equal(waits_states(&waits),
                            "sleep (frames), select (no cases) (addresses), "
                            "select (addresses)");
        waits_done(&waits);
    }
}

static void check_lone_select(const struct build *build, uint64_t address,
                              bool has_anchor, const char *truth)
{
    bool is_amd64 =
        (build->knowledge == ALL || build->knowledge == OTHER_NIL) &&
        !strstr(build->name, "386") && !strstr(build->name, "arm64");
    const char *state;
    struct waits waits;

    waits_init(&waits);
    if (has_anchor)
        add_anchor(&waits, build);
    add_select(&waits, build, address, "main.f");
    waits_states(&waits);
    state = state_of(&waits, has_anchor ? 1 : 0);
    if (is_amd64 ? strcmp(state, truth) != 0 : !is_true(state, truth))
        fail_msg("Go %s, %s alone: %s", build->name, truth, state);
    waits_done(&waits);
}

static void a_lone_select_is_told_on_amd64_and_never_wrongly(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        for (int has_anchor = 0; has_anchor < 2; has_anchor++) {
            if (builds[i].block)
                check_lone_select(&builds[i], builds[i].block, has_anchor,
                                  "select (no cases)");
            /* Programs of 1.14 are known by their channels only. */
            if (builds[i].selectgo && strcmp(builds[i].name, "1.14.2") != 0)
                check_lone_select(&builds[i], builds[i].selectgo, has_anchor,
                                  "select");
        }
    }
}

static void the_library_shows_which_address_is_a_select(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        const struct build *build = &builds[i];
        struct waits waits;

        if (!build->selectgo)
            continue;
        waits_init(&waits);
        add_anchor(&waits, build);
        add_select(&waits, build, build->selectgo,
                   "net/http.(*persistConn).writeLoop");
        add_select(&waits, build, build->selectgo, "main.f");
        assert_string_equal(waits_states(&waits),
                            "sleep (frames), select (addresses), "
                            "select (addresses)");
        waits_done(&waits);
    }
}

static void a_select_before_that_of_the_library_has_no_cases(void **s)
{
    (void)s;
    for (size_t i = 0; i < n_builds; i++) {
        const struct build *build = &builds[i];
        struct waits waits;

        if (!build->selectgo)
            continue;
        waits_init(&waits);
        add_anchor(&waits, build);
        add_select(&waits, build, build->selectgo,
                   "net/http.(*persistConn).writeLoop");
        add_select(&waits, build,
                   build->block ? build->block : build->selectgo - 0x700,
                   "main.g");
        assert_string_equal(waits_states(&waits),
                            "sleep (frames), select (addresses), "
                            "select (no cases) (addresses)");
        waits_done(&waits);
    }
}

static void a_nil_channel_does_not_prove_the_machine(void **s)
{
    const struct build *build = build_named("1.19.8 riscv64");
    struct waits waits;

    (void)s;
    waits_init(&waits);
    add_anchor(&waits, build);
    add_operation(&waits, build, 4);
    add_select(&waits, build, build->block, "main.f");
    assert_string_equal(waits_states(&waits),
                        "sleep (frames), chan receive (nil chan) (addresses), "
                        "waiting (addresses)");
    waits_done(&waits);
}

/* Builds nobody has seen: shapes that the table does not have. */
static const struct shape {
    const char *what;
    bool has_anchor;
    struct hidden records[3];
    const char *states;
} shapes[] = {
    {"an unknown wrapper",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b03)},
     "chan operation"},
    {"two unknown wrappers, far apart: in the order of chan.go",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b03),
      HIDDEN_INIT(3, 0x484b0e, 0x418f00, 0x418a43)},
     "chan send, chan receive"},
    {"the first of them calls behind the second",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x418300, 0x417b03),
      HIDDEN_INIT(3, 0x484b0e, 0x418700, 0x418203)},
     "chan operation, chan operation"},
    {"two unknown wrappers side by side: chanrecv1 and 2",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b03),
      HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b23)},
     "chan receive, chan receive"},
    {"three of them",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b03),
      HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b23),
      HIDDEN_INIT(3, 0x484b0e, 0x417f00, 0x417b43)},
     "chan operation, chan operation, chan operation"},
    {"an order that the wrappers deny",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x415ff2, 0x415c12),  /* says receive */
      HIDDEN_INIT(3, 0x484b0e, 0x416eb7, 0x416ab7)}, /* says send */
     "chan operation, chan operation"},
    {"a known wrapper at the distance of another release",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x416117, 0x415ab7)},
     "chan send"},
    {"the same without a record that shows gopark",
     false,
     {HIDDEN_INIT(3, 0x484b0e, 0x416117, 0x415ab7)},
     "unknown"},
    {"two distances that are not in the table: none is called nil",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x415c57, 0x415ab7),
      HIDDEN_INIT(3, 0x484b0e, 0x416117, 0x415ab7)},
     "chan send, chan send"},
    {"a caller that is not before its callee",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x415ab7, 0x415ebc)},
     "waiting"},
    {"addresses too far apart",
     true,
     {HIDDEN_INIT(3, 0x484b0e, 0x425ab7, 0x415ab7)},
     "waiting"},
    {"selects that are no neighbours",
     true,
     {HIDDEN_INIT(2, 0x484b0e, 0x463585), HIDDEN_INIT(2, 0x484b0e, 0x493585)},
     "waiting, waiting"},
    {"a place where block is in all builds since 1.21",
     true,
     {HIDDEN_INIT(2, 0x484b03, 0x462ac6)},
     "select (no cases)"},
    {"a place where block could be in some build",
     true,
     {HIDDEN_INIT(2, 0x484b03, 0x462ac8)},
     "waiting"},
    {"a place where it is in none",
     true,
     {HIDDEN_INIT(2, 0x484b03, 0x462ac3)},
     "select"},
    {"the same without a record that shows gopark",
     false,
     {HIDDEN_INIT(2, 0x484b03, 0x462ac3)},
     "unknown"},
};

static void check_shape(const struct shape *shape)
{
    static const char *const frames[] = {"main.f", "main.g", "main.h"};
    struct buf states = {0};
    struct waits waits;

    waits_init(&waits);
    for (size_t i = 0; i < 3 && shape->records[i].n_pc; i++)
        waits_add(&waits, 5, shape->records[i], frames[i], NULL);
    if (shape->has_anchor)
        waits_add(&waits, 1, HIDDEN(1, shape->records[0].pc[0], USER),
                  "time.Sleep < main.main", NULL);
    waits_states(&waits);
    for (size_t i = 0; i < 3 && shape->records[i].n_pc; i++)
        buf_addf(&states, "%s%s", i ? ", " : "", state_of(&waits, i));
    if (strcmp(states.ptr, shape->states) != 0)
        fail_msg("%s: %s", shape->what, states.ptr);
    buf_done(&states);
    waits_done(&waits);
}

static void unseen_builds_get_only_what_the_dump_itself_proves(void **s)
{
    (void)s;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        check_shape(&shapes[i]);
}

static void processes_in_one_text_are_kept_apart(void **s)
{
    const struct build *one = build_named("1.15.15");
    const struct build *two = build_named("1.25.12");
    struct waits waits;

    (void)s;
    waits_init(&waits);
    add_anchor(&waits, one);
    add_operation(&waits, one, 0);
    add_anchor(&waits, two);
    add_operation(&waits, two, 1);
    add_select(&waits, one, one->block, "main.f");
    add_select(&waits, two, two->selectgo, "main.g");
    assert_string_equal(
        waits_states(&waits),
        "sleep (frames), chan send (addresses), sleep (frames), "
        "chan send (nil chan) (addresses), select (no cases) (addresses), "
        "select (addresses)");
    waits_done(&waits);
}

static void a_crowd_of_another_process_is_not_taken_for_running(void **s)
{
    const struct build *two = build_named("1.25.12");
    const struct build *three = build_named("1.26.10");
    struct waits waits;

    (void)s;
    waits_init(&waits);
    add_anchor(&waits, build_named("1.15.15"));
    waits_add(&waits, 900,
              HIDDEN(3, two->gopark, two->send, two->chansend1, USER), "main.f",
              NULL);
    waits_add(&waits, 900, HIDDEN(2, three->gopark, three->block, USER),
              "main.g", NULL);
    waits_add(&waits, 1,
              HIDDEN(3, three->gopark, three->send, three->chansend1, USER),
              "main.h", NULL);
    assert_string_equal(waits_states(&waits),
                        "sleep (frames), chan send (addresses), "
                        "select (no cases) (addresses), "
                        "runnable (addresses)");
    waits_done(&waits);
}

static void more_processes_than_there_is_room_for_are_left_open(void **s)
{
    struct waits waits;
    const char *states;

    (void)s;
    waits_init(&waits);
    for (uint64_t i = 0; i < 40; i++)
        waits_add(&waits, 1, HIDDEN(1, 0x484b0e + i * 0x1000, USER),
                  "time.Sleep < main.f", NULL);
    waits_add(&waits, 1, HIDDEN(2, 0x900001, 0x800003, USER), "main.g", NULL);
    states = waits_states(&waits);
    assert_non_null(strstr(states, "unknown (none)"));
    assert_null(strstr(states, "runnable"));
    waits_done(&waits);
}

static void more_calls_than_a_process_has_are_told_by_the_table_only(void **s)
{
    const struct build *build = build_named("1.26.10");
    struct waits waits;

    (void)s;
    waits_init(&waits);
    add_anchor(&waits, build);
    for (uint64_t i = 0; i < 20; i++) {
        uint64_t outer = i % 2 ? 0x900f43 : 0x900003;

        waits_add(&waits, 1,
                  HIDDEN(3, build->gopark, outer + 0x100 + i, outer, USER),
                  "main.f", NULL);
    }
    add_operation(&waits, build, 2);
    waits_states(&waits);
    for (size_t i = 1; i <= 20; i++)
        assert_string_equal(state_of(&waits, i), "chan operation");
    assert_string_equal(state_of(&waits, 21), "chan receive");
    waits_done(&waits);
}

static void a_piece_that_only_runs_is_not_taken_for_a_select(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 8, HIDDEN(2, 0x4719f4, 0x48ec0b, USER), "main.spin",
              NULL);
    waits_add(&waits, 8, HIDDEN(2, 0x4719f4, 0x48ec0b, USER + 4), "main.spin2",
              NULL);
    assert_string_equal(waits_states(&waits), "unknown (none), unknown (none)");
    waits_done(&waits);
}

/* Five frames and more are of an allocation that helps the collector or queues
 * for it: a crowd of one stack waits, and a few may run. */
static void who_is_deep_in_the_runtime_is_in_no_operation(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 199, HIDDEN(7, 0x47d82a, 0x45bfb2, 0x45bf89, 0x426de8),
              "main.make", NULL);
    waits_add(&waits, 2, HIDDEN(6, 0x45c2dd, 0x427316, 0x427306, 0x41c9c5),
              "main.make2", NULL);
    assert_string_equal(waits_states(&waits),
                        "semacquire (addresses), runnable (addresses)");
    waits_done(&waits);
}

/* Published dumps of Go 1.12 and 1.13 hide four frames of an operation. */
static void versions_that_park_through_goparkunlock_are_told(void **s)
{
    struct waits waits;

    (void)s;
    waits_init(&waits);
    waits_add(&waits, 5, HIDDEN(4, 0x42e34f, 0x40553b, 0x405526, 0x4052f5),
              "main.f", NULL);
    waits_add(&waits, 5, HIDDEN(4, 0x42e34f, 0x4061ba, 0x4061a4, 0x405e7b),
              "main.g", NULL);
    assert_string_equal(waits_states(&waits),
                        "chan send (addresses), chan receive (addresses)");
    waits_done(&waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_dump_with_both_operations_tells_them_on_every_machine),
        cmocka_unit_test(an_operation_alone_is_told_where_the_table_has_it),
        cmocka_unit_test(an_operation_alone_is_never_told_wrongly),
        cmocka_unit_test(select_with_and_without_cases_are_told_by_their_order),
        cmocka_unit_test(a_lone_select_is_told_on_amd64_and_never_wrongly),
        cmocka_unit_test(the_library_shows_which_address_is_a_select),
        cmocka_unit_test(a_select_before_that_of_the_library_has_no_cases),
        cmocka_unit_test(a_nil_channel_does_not_prove_the_machine),
        cmocka_unit_test(unseen_builds_get_only_what_the_dump_itself_proves),
        cmocka_unit_test(processes_in_one_text_are_kept_apart),
        cmocka_unit_test(a_crowd_of_another_process_is_not_taken_for_running),
        cmocka_unit_test(more_processes_than_there_is_room_for_are_left_open),
        cmocka_unit_test(
            more_calls_than_a_process_has_are_told_by_the_table_only),
        cmocka_unit_test(a_piece_that_only_runs_is_not_taken_for_a_select),
        cmocka_unit_test(versions_that_park_through_goparkunlock_are_told),
        cmocka_unit_test(who_is_deep_in_the_runtime_is_in_no_operation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
