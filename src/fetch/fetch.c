#include "fetch/fetch.h"

#include <stdlib.h>

#include "fetch/answer.h"

struct fetch {
    struct http *http;
    struct redaction secrets; /* the credentials, and what queries may hold */
    bool has_credentials;
    char **names; /* of the requests, in order; owned */
    size_t count;
};

int fetch_new(struct fetch **ret, const struct curl_api *api,
              const struct http_options *options, struct cprof_error *err)
{
    struct fetch *fetch = calloc(1, sizeof(*fetch));
    int rc;

    if (!fetch)
        return error_memory(err, (struct place){0}, "starting");
    fetch->has_credentials = options->bearer || options->user;
    redaction_add(&fetch->secrets, str_from(options->bearer));
    if (options->user)
        redaction_add_user(&fetch->secrets, str_from(options->user));
    rc = http_new(&fetch->http, api, options, err);
    if (rc < 0) {
        redaction_done(&fetch->secrets);
        free(fetch);
        return rc;
    }
    *ret = fetch;
    return 0;
}

void fetch_free(struct fetch *fetch)
{
    if (!fetch)
        return;
    http_free(fetch->http);
    redaction_done(&fetch->secrets);
    for (size_t i = 0; i < fetch->count; i++)
        free(fetch->names[i]);
    free(fetch->names);
    free(fetch);
}

/* A copy of the name behind the others. */
static int add_name(struct fetch *fetch, const char *name,
                    struct cprof_error *err)
{
    char **names = realloc(fetch->names, (fetch->count + 1) * sizeof(*names));
    char *copy = strdup(name);

    if (names)
        fetch->names = names;
    if (!names || !copy) {
        free(copy);
        return error_memory(err, (struct place){name, 0, 0},
                            "preparing a request");
    }
    fetch->names[fetch->count++] = copy;
    return 0;
}

int fetch_add(struct fetch *fetch, const struct address *address,
              enum fetch_what what, size_t *ret_number, struct cprof_error *err)
{
    bool is_leaks = what == FETCH_LEAKS;
    struct http_request request = {
        .url = is_leaks ? address->leak_url : address->url,
        .socket = address->socket,
        .name = is_leaks ? address->leak_name : address->name};
    int rc;

    if (!request.url)
        return error_set(err, CPROF_EUSAGE, (struct place){address->name, 0, 0},
                         "where the leak profile of this program stands is not "
                         "known: --leak-profile auto needs an address that "
                         "ends in /goroutine");
    address_add_secrets(&fetch->secrets, str_from(request.url));
    rc = http_add(fetch->http, &request, ret_number, err);
    return rc < 0 ? rc : add_name(fetch, request.name, err);
}

int fetch_open(struct fetch *fetch, size_t number, struct source *ret,
               bool *ret_absent, struct cprof_error *err)
{
    struct http_answer answer;
    int rc = http_wait(fetch->http, number, &answer, err);

    if (rc < 0)
        return rc;
    if (ret_absent)
        *ret_absent = answer_is_unknown_profile(&answer);
    if (answer.is_redirected)
        address_add_secrets(&fetch->secrets, str_from(answer.url));
    rc = answer_check(&answer, fetch->names[number], &fetch->secrets,
                      fetch->has_credentials, err);
    if (rc < 0)
        return rc;
    *ret = (struct source){.read = spool_read, .user = answer.body};
    return 0;
}

void fetch_say_way(struct fetch *fetch, size_t number, struct cprof_error *err)
{
    struct http_answer answer;
    struct cprof_error said = *err;
    struct buf shown = {0};

    if (http_wait(fetch->http, number, &answer, NULL) < 0 ||
        !answer.is_redirected)
        return;
    address_add_shown(&shown, str_from(answer.url));
    if (!shown.failed)
        error_set(err, said.code,
                  (struct place){said.source, said.line, said.column},
                  "redirected to " STR_FORMAT ": %s", STR_ARG(buf_str(&shown)),
                  said.message);
    buf_done(&shown);
}

void fetch_hide(const struct fetch *fetch, struct cprof_error *err)
{
    struct cprof_error said = *err;
    struct str text = str_from(said.message);
    size_t first = str_find(text, '\'');
    size_t last = str_rfind(text, '\'');
    struct buf shown = {0};

    if (first >= last || (!fetch->secrets.count && !fetch->secrets.failed))
        return;
    /* Its own words may be those of a password, and tell it if they went. */
    buf_add(&shown, str_head(text, first + 1));
    redaction_hide(&shown, &fetch->secrets,
                   str_head(str_skip(text, first + 1), last - first - 1));
    buf_add(&shown, str_skip(text, last));
    if (shown.failed)
        error_memory(err, (struct place){said.source, 0, 0},
                     "reading an answer");
    else
        error_set(err, said.code,
                  (struct place){said.source, said.line, said.column}, "%s",
                  shown.ptr);
    buf_done(&shown);
}

void fetch_drop(struct fetch *fetch, size_t number)
{
    http_drop(fetch->http, number);
}
