/* support.h - running the built program on fixtures and reading its JSON.
 *
 * The program is $CPROF_LEAKS, the fixtures are below $FIXTURES. What goes
 * wrong in here fails the test that called. */
#ifndef CONFORMANCE_SUPPORT_H
#define CONFORMANCE_SUPPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The path of a fixture, as long as seven more are asked for. Large texts are
 * stored packed: when there is no such file but one with ".gz" behind its name,
 * that is the one. */
const char *fixture(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A whole file with a NUL behind it, unpacked when its name ends in ".gz". The
 * caller frees it. */
char *read_file(const char *path, size_t *ret_len);
bool file_exists(const char *path);

/* What goes into the program's standard input. */
struct feed {
    const char *bytes;
    size_t len;
    size_t step; /* so many bytes are there for each read; 0 = all there are */
};

/* What one run of the program gave. */
struct answer {
    int status;  /* its exit status, 0 to 2 */
    char *text;  /* standard output with a NUL behind it */
    char *error; /* standard error, the same */
    size_t len;
    json_t *json; /* standard output as JSON, NULL when it is none */
};

/* Runs the program with arguments that NULL ends; without a feed its standard
 * input is empty. A signal and a status above 2 fail the test, and so does
 * standard output that is JSON with a key twice. */
struct answer run(const struct feed *feed, const char *const *arguments);
void answer_done(struct answer *answer);

/* Runs "-o json --all" on a file or on bytes; no JSON fails the test. */
struct answer run_json(const char *path);
struct answer run_bytes(const char *bytes, size_t len, size_t step);

/* Members of JSON objects; another type, or none, fails the test. */
const char *get_text(const json_t *object, const char *key);
long long get_number(const json_t *object, const char *key);
json_t *get_array(const json_t *object, const char *key);
json_t *get_object(const json_t *object, const char *key);

/* The whole number of a member, or so many when it is null. */
long long number_or(const json_t *object, const char *key, long long otherwise);

/* Whether a text has that end. */
bool ends_with(const char *text, const char *end);

/* Whether an array of texts has that text. */
bool has_text(const json_t *array, const char *text);

/* The sum of that member over an array of objects; null counts as 0. */
long long sum_of(const json_t *array, const char *key);

/* 0 info, 1 low, 2 medium, 3 high, 4 critical; -1 is "ok". */
int severity_rank(const char *severity);
enum { RANK_INFO, RANK_LOW, RANK_MEDIUM };

#endif
