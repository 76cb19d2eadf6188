/* fetch.h - addresses as sources of bytes.
 *
 * Everything that is to be asked is added first, so that a few requests run at
 * a time; then each answer is opened in turn, read as any other source, and
 * dropped. */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "fetch/address.h"
#include "http/http.h"
#include "input/source.h"

struct fetch;

/* What of an address is asked for. */
enum fetch_what {
    FETCH_PROFILE,
    FETCH_LEAKS, /* goroutineleak beside it, which runs a garbage collection */
};

/* An empty list of requests over libcurl's functions, which are borrowed as
 * everything in the options is. */
int fetch_new(struct fetch **ret, const struct curl_api *api,
              const struct http_options *options, struct cprof_error *err);
void fetch_free(struct fetch *fetch);

/* Adds a request and stores its number. Requests start in order once somebody
 * opens one. CPROF_EUSAGE: nobody knows where the leak profile is. */
int fetch_add(struct fetch *fetch, const struct address *address,
              enum fetch_what what, size_t *ret_number,
              struct cprof_error *err);

/* Waits for an answer and gives its body, which lives until fetch_drop, as a
 * source. CPROF_EIO: there was no answer, or one that is no profile; the
 * message says which and why. *ret_absent, which may be NULL, becomes true
 * when the program answered that it has no such profile. */
int fetch_open(struct fetch *fetch, size_t number, struct source *ret,
               bool *ret_absent, struct cprof_error *err);

/* Adds to an error of reading an answer that it came from elsewhere. */
void fetch_say_way(struct fetch *fetch, size_t number, struct cprof_error *err);

/* Takes the credentials and queries of the requests out of what an error of
 * reading an answer quotes. */
void fetch_hide(const struct fetch *fetch, struct cprof_error *err);

/* Frees an answer that was opened. */
void fetch_drop(struct fetch *fetch, size_t number);

#endif
