/* targets_fuzz.c - any text as a file of targets, and each line as an address.
 *
 * The file is refused with a place, or gives targets. An address that is taken
 * asks by http, and neither its name nor what refuses it holds anything that
 * stands before an '@' in it. All memory comes back (under the sanitizers). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fetch/address.h"
#include "fetch/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "targets_fuzz: not so: %s\n", what);
    abort();
}

static void check_taken(const struct address *address)
{
    struct str url = str_from(address->url);

    must(str_starts(url, STR("http://")) || str_starts(url, STR("https://")),
         "an address is asked by http");
    must(address->name && address->name[0], "an address has a name");
    must(address->instance && address->instance[0],
         "an address is of an instance");
    must((address->leak_url != NULL) == (address->leak_name != NULL),
         "a leak profile has a name");
    for (size_t i = 0; i < url.len; i++)
        must((unsigned char)url.ptr[i] > ' ', "a URL has no blanks");
}

enum { SECRET_LEAST = 8 };

/* Whether a host begins or ends like a secret: a message that names it may hold
 * the secret by chance. */
static bool is_like(struct str host, struct str secret)
{
    return str_contains(host, str_head(secret, SECRET_LEAST)) ||
           str_contains(host, str_skip(secret, secret.len - SECRET_LEAST));
}

/* The password of "SCHEME://USER:PASSWORD@HOST" must be in no message. */
static void check_secret(const char *text, const char *message)
{
    struct str all = str_from(text);
    struct str secret = str_head(all, str_rfind(all, '@'));
    struct str host = str_skip(all, secret.len + 1);

    if (secret.len == all.len || !str_starts(all, STR("http://")))
        return;
    secret = str_skip(secret, str_rfind(secret, ':') + 1);
    if (secret.len > SECRET_LEAST && !is_like(host, secret))
        must(!str_contains(str_from(message), secret),
             "a password is not shown");
}

static void try_address(const char *text)
{
    struct address_options options = {.debug = 2};
    struct cprof_error err = {0};
    struct address address;
    int rc = address_parse(&address, text, &options, &err);

    if (rc == 0) {
        check_taken(&address);
        address_done(&address);
        return;
    }
    must(rc == CPROF_EUSAGE && err.code == rc && err.message[0],
         "a wrong address is said to be one");
    check_secret(text, err.message);
}

static void try_lines(struct str text)
{
    while (text.len) {
        size_t n = str_find(text, '\n');
        char *line = strndup(text.ptr, n);

        must(line != NULL, "there is memory");
        try_address(line);
        free(line);
        text = str_skip(text, n + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct targets targets = {0};
    struct cprof_error err = {0};
    int rc = targets_parse(&targets, "t.yml", text, &err);

    try_lines(text);
    if (rc < 0) {
        must(rc == CPROF_EFORMAT && err.message[0] && !targets.items,
             "a wrong file is said to be one");
        return 0;
    }
    must(targets.count > 0, "a right file has targets");
    for (size_t i = 0; i < targets.count; i++) {
        must(targets.items[i].group < targets.n_groups,
             "a target is of a group");
        try_address(targets.items[i].address);
    }
    targets_done(&targets);
    return 0;
}
