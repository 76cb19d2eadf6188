/* Writers that are killed, and writers at the same time.
 *
 * A child stores one snapshot after another and says so by a byte in a pipe for
 * each; it is killed at a random moment. Whatever it said is there afterwards,
 * and at most the one that it was about to say. KILLS is how often. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/storing.h"

#include <cmocka.h>

enum {
    KILLS = 20,
    LONGEST_US = 60000,
    WRITERS = 8,
    EACH = 6,
    MAKERS = 6,
    ROUNDS = 100,
    STEP_US = 20
};

static struct storing storing;

static int set_up(void **state)
{
    (void)state;
    storing_init(&storing);
    storing_close(&storing);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    storing_done(&storing);
    return 0;
}

/* Stores a dump that no other has. Ends the process when it fails. */
static void store_one(struct store *store, const char *instance,
                      unsigned number)
{
    struct store_snapshot wanted = {.instance = str_from(instance),
                                    .taken_ns = (number + 1) * 1000000000LL,
                                    .is_timed = true};
    struct cprof_error err = {0};
    struct store_added added;
    struct reading reading;
    char text[256];

    reading_init(&reading);
    snprintf(text, sizeof(text),
             "goroutine %u [select]:\nmain.f%u(0xc000010000)\n"
             "\t/m.go:%u +0x1d\n\ngoroutine %u [sleep]:\nmain.g%u()\n"
             "\t/m.go:7 +0x1d\n\n",
             number + 1, number % 50, number + 1, number + 5000, number);
    if (reading_add(&reading, text) < 0)
        _exit(8);
    wanted.snapshot = reading_snapshot(&reading, 0);
    if (store_add(store, &wanted, &added, &err) < 0) {
        fprintf(stderr, "%s: %s\n", err.source, err.message);
        _exit(9);
    }
    reading_done(&reading);
}

static struct store *open_it(uint64_t wait_ms)
{
    struct store_options options = {.mode = STORE_CREATE, .wait_ms = wait_ms};
    struct cprof_error err = {0};
    struct store *store = NULL;

    if (store_open(&store, storing.path, &options, &err) < 0) {
        fprintf(stderr, "%s: %s\n", err.source, err.message);
        _exit(7);
    }
    return store;
}

/* A child that writes from a number on until it is killed. */
static pid_t start_writer(unsigned first, int *ret_pipe)
{
    int ends[2];
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct store *store = open_it(0);

        for (unsigned i = first;; i++) {
            store_one(store, "a", i);
            if (write(ends[1], "1", 1) != 1)
                _exit(6);
        }
    }
    close(ends[1]);
    *ret_pipe = ends[0];
    return pid;
}

static size_t count_said(int pipe_end)
{
    char bytes[4096];
    size_t said = 0;
    ssize_t n;

    while ((n = read(pipe_end, bytes, sizeof(bytes))) > 0)
        said += (size_t)n;
    close(pipe_end);
    return said;
}

/* Waits until a snapshot was stored; 1, or 0 when the writer died. */
static size_t wait_for_one(int pipe_end)
{
    char byte;

    return read(pipe_end, &byte, 1) == 1;
}

static size_t count_stored(void)
{
    struct store_instance *instances;
    size_t stored = 0;
    size_t n;

    if (storing_open(&storing, STORE_WRITE) < 0 ||
        store_verify(storing.store, &storing.err) < 0)
        fail_msg("%s", storing.err.message);
    assert_int_equal(store_instances(storing.store, &storing.arena, &instances,
                                     &n, &storing.err),
                     0);
    for (size_t i = 0; i < n; i++)
        stored += instances[i].snapshots;
    storing_close(&storing);
    return stored;
}

static void a_killed_writer_loses_only_what_it_was_writing(void **state)
{
    const char *given = getenv("KILLS");
    long kills = given ? strtol(given, NULL, 10) : KILLS;
    size_t before = 0;

    (void)state;
    srand(1);
    for (long i = 0; i < kills; i++) {
        int status;
        int pipe_end;
        pid_t pid = start_writer((unsigned)before, &pipe_end);
        /* On a slow machine the others may all come too early. */
        size_t said = i ? 0 : wait_for_one(pipe_end);
        size_t stored;

        usleep((unsigned)(rand() % LONGEST_US));
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));
        said += count_said(pipe_end);
        stored = count_stored();
        assert_in_range(stored, before + said, before + said + 1);
        before = stored;
    }
    assert_true(before > 0);
}

/* All of them make the file, too. */
static void writers_at_the_same_time_all_succeed(void **state)
{
    pid_t pids[WRITERS];

    (void)state;
    assert_int_equal(unlink(storing.path), 0);
    for (unsigned w = 0; w < WRITERS; w++) {
        pids[w] = fork();
        assert_true(pids[w] >= 0);
        if (pids[w] == 0) {
            char name[8];

            snprintf(name, sizeof(name), "pod-%u", w % 4);
            for (unsigned i = 0; i < EACH; i++) {
                struct store *store = open_it(600000);

                store_one(store, name, w * EACH + i);
                store_close(store);
            }
            _exit(0);
        }
    }
    for (unsigned w = 0; w < WRITERS; w++) {
        int status;

        assert_int_equal(waitpid(pids[w], &status, 0), pids[w]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_stored(), WRITERS * EACH);
}

/* One of them makes the file, while the others look what it is. */
static void makers_at_the_same_time_all_succeed(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pid_t pids[MAKERS];

        assert_int_equal(unlink(storing.path), 0);
        for (unsigned i = 0; i < MAKERS; i++) {
            pids[i] = fork();
            assert_true(pids[i] >= 0);
            if (pids[i] == 0) {
                usleep(i * round * STEP_US);
                store_close(open_it(600000));
                _exit(0);
            }
        }
        for (unsigned i = 0; i < MAKERS; i++) {
            int status;

            assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
            assert_int_equal(status, 0);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_killed_writer_loses_only_what_it_was_writing),
        TEST(writers_at_the_same_time_all_succeed),
        TEST(makers_at_the_same_time_all_succeed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
