#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 512, ARGUMENTS_MOST = 32 };

extern char **environ;

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);

    return value && value[0] ? value : otherwise;
}

bool file_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text);
    size_t m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

const char *fixture(const char *format, ...)
{
    static char paths[8][PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 8];
    size_t n = (size_t)snprintf(path, PATH_SIZE, "%s/",
                                setting("FIXTURES", "fixtures"));
    va_list args;

    va_start(args, format);
    n += (size_t)vsnprintf(path + n, PATH_SIZE - n, format, args);
    va_end(args);
    assert_true(n < PATH_SIZE - strlen(".gz"));
    if (!file_exists(path)) {
        memcpy(path + n, ".gz", sizeof(".gz"));
        if (!file_exists(path))
            path[n] = '\0';
    }
    return path;
}

/* --- Child processes --- */

/* A text that grows as a pipe is read. */
struct text {
    char *ptr;
    size_t len;
};

static bool read_some(int fd, struct text *text)
{
    char piece[65536];
    ssize_t n = read(fd, piece, sizeof(piece));

    if (n <= 0)
        return false;
    text->ptr = realloc(text->ptr, text->len + (size_t)n + 1);
    assert_non_null(text->ptr);
    memcpy(text->ptr + text->len, piece, (size_t)n);
    text->len += (size_t)n;
    text->ptr[text->len] = '\0';
    return true;
}

/* Writes the next step of the feed; false when all is written, or when nobody
 * reads on. */
static bool write_some(int fd, const struct feed *feed, size_t *done)
{
    size_t left = feed->len - *done;
    size_t step = feed->step && feed->step < left ? feed->step : left;
    ssize_t n = write(fd, feed->bytes + *done, step);

    if (n < 0)
        return errno == EAGAIN;
    *done += (size_t)n;
    return *done < feed->len;
}

static void close_slot(struct pollfd *slot)
{
    if (slot->fd >= 0)
        close(slot->fd);
    slot->fd = -1;
}

/* Serves standard input, output and error of a child until both outputs have
 * ended; closes all three. */
static void talk(const int fds[3], const struct feed *feed,
                 struct text texts[2])
{
    struct pollfd slots[3] = {
        {fds[0], POLLOUT, 0}, {fds[1], POLLIN, 0}, {fds[2], POLLIN, 0}};
    size_t done = 0;

    if (feed->len == 0)
        close_slot(&slots[0]);
    while (slots[1].fd >= 0 || slots[2].fd >= 0) {
        if (poll(slots, 3, -1) < 0)
            fail_msg("poll: %s", strerror(errno));
        if (slots[0].fd >= 0 && slots[0].revents &&
            !write_some(slots[0].fd, feed, &done))
            close_slot(&slots[0]);
        for (int i = 1; i < 3; i++) {
            if (slots[i].fd >= 0 && slots[i].revents &&
                !read_some(slots[i].fd, &texts[i - 1]))
                close_slot(&slots[i]);
        }
    }
    close_slot(&slots[0]);
}

/* Runs a program to its end; returns its wait status. A pipe with O_DIRECT
 * keeps each write apart: a read gets no more than one (pipe(2)). */
static int converse(const char *const *argv, const struct feed *feed,
                    struct text texts[2])
{
    posix_spawn_file_actions_t actions;
    int pipes[3][2];
    int ours[3];
    int status = 0;
    pid_t child;

    signal(SIGPIPE, SIG_IGN);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++) {
        int direct = i == 0 && feed->step ? O_DIRECT : 0;
        int theirs = i == 0 ? 0 : 1;

        assert_int_equal(0, pipe2(pipes[i], O_CLOEXEC | direct));
        ours[i] = pipes[i][1 - theirs];
        posix_spawn_file_actions_adddup2(&actions, pipes[i][theirs], i);
    }
    fcntl(ours[0], F_SETFL, O_NONBLOCK | (feed->step ? O_DIRECT : 0));
    if (posix_spawnp(&child, argv[0], &actions, NULL,
                     (char *const *)(uintptr_t)argv, environ) != 0)
        fail_msg("cannot start %s", argv[0]);
    for (int i = 0; i < 3; i++)
        close(pipes[i][i == 0 ? 0 : 1]);
    posix_spawn_file_actions_destroy(&actions);
    talk(ours, feed, texts);
    assert_int_equal(child, waitpid(child, &status, 0));
    return status;
}

static char *own(const struct text *text)
{
    char *ptr = text->ptr ? text->ptr : strdup("");

    assert_non_null(ptr);
    return ptr;
}

struct answer run(const struct feed *feed, const char *const *arguments)
{
    static const struct feed nothing = {"", 0, 0};
    const char *argv[ARGUMENTS_MOST] = {
        setting("CPROF_LEAKS", "build/release/cprof-leaks")};
    struct text texts[2] = {{0}};
    struct answer answer = {0};
    json_error_t error;
    int status;

    for (size_t i = 0; arguments[i]; i++) {
        assert_true(i + 2 < ARGUMENTS_MOST);
        argv[i + 1] = arguments[i];
    }
    status = converse(argv, feed ? feed : &nothing, texts);
    answer.text = own(&texts[0]);
    answer.len = texts[0].len;
    answer.error = own(&texts[1]);
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (answer.status < 0 || answer.status > 2)
        fail_msg("%s ... ended with wait status %#x: %s", argv[1],
                 (unsigned)status, answer.error);
    answer.json = json_loadb(answer.text, answer.len,
                             JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!answer.json && answer.text[0] == '{')
        fail_msg("JSON:%d:%d: %s", error.line, error.column, error.text);
    return answer;
}

struct answer run_json(const char *path)
{
    const char *arguments[] = {"-o", "json", "--all", path, NULL};
    struct answer answer = run(NULL, arguments);

    if (!answer.json)
        fail_msg("%s: no JSON (status %d): %s", path, answer.status,
                 answer.error);
    return answer;
}

struct answer run_bytes(const char *bytes, size_t len, size_t step)
{
    const char *arguments[] = {"-o", "json", "--all", "-", NULL};
    const struct feed feed = {bytes, len, step};
    struct answer answer = run(&feed, arguments);

    if (!answer.json)
        fail_msg("no JSON (status %d): %s", answer.status, answer.error);
    return answer;
}

void answer_done(struct answer *answer)
{
    free(answer->text);
    free(answer->error);
    json_decref(answer->json);
    *answer = (struct answer){0};
}

char *read_file(const char *path, size_t *ret_len)
{
    struct text texts[2] = {{0}};

    if (ends_with(path, ".gz")) {
        const char *argv[] = {"gzip", "-dc", path, NULL};
        const struct feed nothing = {"", 0, 0};

        if (converse(argv, &nothing, texts) != 0)
            fail_msg("%s", own(&texts[1]));
        free(texts[1].ptr);
    } else {
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
            fail_msg("%s: %s", path, strerror(errno));
        while (read_some(fd, &texts[0]))
            continue;
        close(fd);
    }
    *ret_len = texts[0].len;
    return own(&texts[0]);
}

/* --- JSON --- */

static json_t *get(const json_t *object, const char *key, bool (*is)(json_t *),
                   const char *what)
{
    json_t *value = json_object_get(object, key);

    if (!value || !is(value))
        fail_msg("'%s' is no %s", key, what);
    return value;
}

static bool is_text(json_t *value)
{
    return json_is_string(value);
}

static bool is_number(json_t *value)
{
    return json_is_integer(value);
}

static bool is_array(json_t *value)
{
    return json_is_array(value);
}

static bool is_object(json_t *value)
{
    return json_is_object(value);
}

const char *get_text(const json_t *object, const char *key)
{
    return json_string_value(get(object, key, is_text, "text"));
}

long long get_number(const json_t *object, const char *key)
{
    return json_integer_value(get(object, key, is_number, "whole number"));
}

json_t *get_array(const json_t *object, const char *key)
{
    return get(object, key, is_array, "array");
}

json_t *get_object(const json_t *object, const char *key)
{
    return get(object, key, is_object, "object");
}

long long number_or(const json_t *object, const char *key, long long otherwise)
{
    if (json_is_null(json_object_get(object, key)))
        return otherwise;
    return get_number(object, key);
}

bool has_text(const json_t *array, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (strcmp(json_string_value(json_array_get(array, i)), text) == 0)
            return true;
    }
    return false;
}

long long sum_of(const json_t *array, const char *key)
{
    long long sum = 0;

    for (size_t i = 0; i < json_array_size(array); i++)
        sum += number_or(json_array_get(array, i), key, 0);
    return sum;
}

int severity_rank(const char *severity)
{
    static const char *const severities[] = {"ok",     "info", "low",
                                             "medium", "high", "critical"};

    for (size_t i = 0; i < LENGTH(severities); i++) {
        if (strcmp(severities[i], severity) == 0)
            return (int)i - 1;
    }
    fail_msg("'%s' is no severity", severity);
    return -1;
}
