/* The options of addresses, and the secrets that are no options: an argument
 * stands in the list of processes for everybody to read. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/addresses.h"
#include "cli/secret_file.h"
#include "fetch/address.h"
#include "model/options.h"

enum kind { KIND_TEXT, KIND_FLAG, KIND_TIME, KIND_SIZE, KIND_COUNT };

struct field {
    const char *name;
    enum kind kind;
    size_t offset;
};

#define FIELD(member) offsetof(struct address_arguments, member)

static const struct field fields[] = {
    {"targets", KIND_TEXT, FIELD(targets)},
    {"unix-socket", KIND_TEXT, FIELD(unix_socket)},
    {"user-file", KIND_TEXT, FIELD(user_file)},
    {"bearer-file", KIND_TEXT, FIELD(bearer_file)},
    {"cacert", KIND_TEXT, FIELD(cacert)},
    {"cert", KIND_TEXT, FIELD(cert)},
    {"key", KIND_TEXT, FIELD(key)},
    {"insecure", KIND_FLAG, FIELD(insecure)},
    {"timeout", KIND_TIME, FIELD(timeout_s)},
    {"connect-timeout", KIND_TIME, FIELD(connect_timeout_s)},
    {"retries", KIND_COUNT, FIELD(retries)},
    {"max-download", KIND_SIZE, FIELD(max_download)},
};

enum {
    N_FIELDS = sizeof(fields) / sizeof(fields[0]),
    TIME_MOST_S = 24 * 3600,
    RETRIES_MOST = 10,
};

struct address_arguments address_arguments_default(void)
{
    return (struct address_arguments){.debug = ADDRESS_DEBUG_UNSET,
                                      .timeout_s = 30,
                                      .connect_timeout_s = 5,
                                      .retries = 1,
                                      .max_download = 256 * 1024 * 1024};
}

static int bad_value(struct cprof_error *err, const char *name,
                     const char *value, const char *expected)
{
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --%s takes %s, not '%.100s'", name, expected,
                     value);
}

static int set_number(uint64_t *into, const struct field *field,
                      const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);
    uint64_t number;

    if (field->kind == KIND_TIME) {
        if (!timeout_parse(text, &number) || !number || number > TIME_MOST_S)
            return bad_value(err, field->name, value,
                             "a time such as 10s, up to 24h");
    } else if (field->kind == KIND_SIZE) {
        if (!size_parse(text, &number) || !number)
            return bad_value(err, field->name, value, "a size such as 512M");
    } else if (!str_to_u64(text, &number) || number > RETRIES_MOST) {
        return bad_value(err, field->name, value, "a number from 0 to 10");
    }
    *into = number;
    return 0;
}

static int set_debug(int *debug, const char *value, struct cprof_error *err)
{
    uint64_t number;

    if (!str_to_u64(str_from(value), &number) || number > 2)
        return bad_value(err, "debug", value, "0, 1 or 2");
    *debug = (int)number;
    return 0;
}

int address_option_set(struct address_arguments *arguments, const char *name,
                       const char *value, struct cprof_error *err)
{
    if (str_equal(str_from(name), STR("debug")))
        return set_debug(&arguments->debug, value, err);
    for (size_t i = 0; i < N_FIELDS; i++) {
        void *field = (char *)arguments + fields[i].offset;

        if (!str_equal(str_from(name), str_from(fields[i].name)))
            continue;
        if (fields[i].kind == KIND_FLAG)
            *(bool *)field = true;
        else if (fields[i].kind == KIND_TEXT)
            *(const char **)field = value;
        else
            return set_number(field, &fields[i], value, err);
        return 0;
    }
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option --%.100s", name);
}

/* --- Secrets -------------------------------------------------------------- */

/* Takes the first line of a text as a secret. */
static int take_secret(char *into, size_t size, struct str text,
                       const char *where, struct cprof_error *err)
{
    struct place place = {where, 0, 0};

    text = str_trim(str_head(text, str_find(text, '\n')));
    if (!text.len)
        return error_set(err, CPROF_EUSAGE, place,
                         "the first line is empty: expected a secret");
    if (text.len >= size)
        return error_set(err, CPROF_EUSAGE, place,
                         "the first line is too long for a secret");
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
            return error_set(err, CPROF_EUSAGE, place,
                             "the secret holds a control character");
    }
    memcpy(into, text.ptr, text.len);
    into[text.len] = '\0';
    return 0;
}

static int read_file(char *into, size_t size, const char *path,
                     struct cprof_error *err)
{
    struct secret_file file;
    int rc = secret_file_read(&file, path, err);

    if (rc == 0)
        rc = take_secret(into, size, (struct str){file.bytes, file.len}, path,
                         err);
    return rc;
}

static int read_variable(char *into, size_t size, const char *name,
                         struct cprof_error *err)
{
    const char *value = getenv(name);

    if (!value || !value[0])
        return 0;
    return take_secret(into, size, str_from(value), name, err);
}

static int read_any(struct secrets *secrets,
                    const struct address_arguments *arguments,
                    struct cprof_error *err)
{
    int rc;

    if (arguments->user_file)
        return read_file(secrets->user, sizeof(secrets->user),
                         arguments->user_file, err);
    if (arguments->bearer_file)
        return read_file(secrets->bearer, sizeof(secrets->bearer),
                         arguments->bearer_file, err);
    rc = read_variable(secrets->user, sizeof(secrets->user), "CPROF_LEAKS_USER",
                       err);
    return rc < 0 ? rc
                  : read_variable(secrets->bearer, sizeof(secrets->bearer),
                                  "CPROF_LEAKS_BEARER", err);
}

int secrets_read(struct secrets *ret, const struct address_arguments *arguments,
                 struct cprof_error *err)
{
    struct str user;
    int rc;

    *ret = (struct secrets){0};
    if (arguments->user_file && arguments->bearer_file)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--user-file and --bearer-file exclude each other");
    rc = read_any(ret, arguments, err);
    if (rc < 0)
        return rc;
    user = str_from(ret->user);
    if (user.len && str_find(user, ':') == user.len)
        return error_set(err, CPROF_EUSAGE,
                         (struct place){arguments->user_file
                                            ? arguments->user_file
                                            : "CPROF_LEAKS_USER",
                                        0, 0},
                         "expected NAME:PASSWORD, and there is no ':'");
    if (user.len && ret->bearer[0])
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "CPROF_LEAKS_USER and CPROF_LEAKS_BEARER exclude each "
                         "other: unset one of them");
    return 0;
}
