/* http.h - GET and POST: one request, one answer, a few of them at a time.
 *
 * A client takes requests and runs them in the order in which they were added,
 * at most HTTP_PARALLEL at once, and not further ahead of the one that is
 * waited for than HTTP_AHEAD. An answer is received whole, bounded in time,
 * size and redirects. What may be better a moment later (a refused or broken
 * connection, a proxy without a server behind it) is asked again within the
 * same time, and not before the server's own Retry-After.
 *
 * A request with a body is a POST. It is never redirected, because the body may
 * be a secret of the one who was named; any status from 500 on is taken for
 * passing; and of the answer only the beginning is kept, whatever its status.
 * An attempt whose answer was lost may have arrived: what is posted has to bear
 * being received twice.
 *
 * The room knows nothing of profiles: an answer of status 404 is an answer.
 * libcurl is known to the files libcurl.[ch], transfer.c and failure.c. */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include "base/error.h"
#include "http/spool.h"

enum {
    HTTP_PARALLEL = 4,
    HTTP_AHEAD = 16,
    HTTP_REDIRECTS = 5,
    HTTP_RETRY_MS = 250, /* before the second attempt; then doubled */
    HTTP_RETRY_MOST_MS = 4000,
    HTTP_ERROR_BODY = 4096, /* bytes kept of an answer that is no 2xx, and of
                               any to a POST */
};

/* How far a client has come. */
struct http_progress {
    size_t n_done; /* requests that ended */
    size_t n_requests;
    uint64_t n_bytes; /* received of those that run */
};

/* What all requests of a client share. Texts are borrowed, must outlive the
 * client, and are NULL where nothing was chosen. */
struct http_options {
    uint64_t connect_ms; /* for a connection, TLS included */
    uint64_t total_ms;   /* for one request with all its attempts */
    uint64_t until_ms;   /* by that clock all have ended; 0 = never. Where some
                            have to wait for others to end, the time that is
                            left is shared, so that some that hang do not take
                            it from all: */
    uint64_t least_ms;   /* a share is so much, while there is as much */
    uint64_t retries;    /* attempts after the first */
    uint64_t max_bytes;  /* of a body */
    size_t max_memory;   /* of a body that can be put in no file */
    const char *folder;  /* of temporary files */
    const char *cacert;  /* PEM file that replaces the system's authorities */
    const char *cert;    /* PEM file with the client's certificate */
    const char *key;     /* PEM file with its key; NULL = beside it in cert */
    bool insecure;       /* anybody may be the server */
    const char *user;    /* secret: "name:password" */
    const char *bearer;  /* secret: a token */

    /* A clock in milliseconds that never goes back. */
    uint64_t (*now_ms)(void *user_data);
    /* Called often while something runs; may be NULL. */
    void (*progress)(void *user_data, const struct http_progress *progress);
    void *user_data;
};

struct http_request {
    const char *url;    /* "http://..." or "https://..." */
    const char *socket; /* path of a unix socket; NULL = by TCP */
    const char *name;   /* what messages call it, without anything secret */
    bool is_post;
    struct str body;           /* to post; may be empty */
    const char *const *fields; /* of the header, "Name: value"; NULL ends the
                                  list; NULL = none */
};

struct http_answer {
    long status;        /* 200, 404 ... */
    const char *url;    /* where redirects led to, as the server gave it */
    bool is_redirected; /* there was one */
    struct spool *body; /* of another status than 2xx its first bytes */
};

struct curl_api;
struct http;

/* A client without requests. The functions of libcurl are borrowed. */
int http_new(struct http **ret, const struct curl_api *api,
             const struct http_options *options, struct cprof_error *err);
void http_free(struct http *http);

/* Adds a request, whose texts are copied, and stores its number, counted from
 * 0. It starts when somebody waits for it or for one shortly before it. */
int http_add(struct http *http, const struct http_request *request,
             size_t *ret_number, struct cprof_error *err);

/* Waits for the answer to a request, which lives until http_drop or the end of
 * the client. CPROF_EIO: there is none, and why: each failure has one line
 * that names the request, says what failed and what to check. */
int http_wait(struct http *http, size_t number, struct http_answer *ret,
              struct cprof_error *err);

/* Whether a request was sent, or was tried to be. */
bool http_has_begun(const struct http *http, size_t number);

/* Frees the answer to a request that was waited for. */
void http_drop(struct http *http, size_t number);

#endif
