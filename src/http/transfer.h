/* transfer.h - one request and its attempts; the inside of http.c. */
#ifndef HTTP_TRANSFER_H
#define HTTP_TRANSFER_H

#include "http/http.h"
#include "http/libcurl.h"

enum transfer_state {
    TRANSFER_WAITS, /* for its turn, or for another attempt */
    TRANSFER_RUNS,
    TRANSFER_ENDED,
};

struct transfer {
    const struct curl_api *api;
    const struct http_options *options;
    char *url; /* owned, as are socket, name, body, fields and final_url */
    char *socket;
    char *name;
    bool is_post;
    char *post_body;
    size_t post_size;
    void *fields; /* of the header: libcurl's list; NULL = none */
    enum transfer_state state;
    uint64_t total_ms;    /* that it may take; 0 = none is left */
    uint64_t deadline_ms; /* 0 = not begun */
    uint64_t start_ms;    /* not before */
    uint64_t attempts;    /* that were begun */
    void *easy;           /* while it runs */
    struct spool body;
    int keep_error;    /* errno of a body that could not be kept */
    bool is_too_large; /* more than max_bytes came */
    bool is_enough;    /* of an answer that is only quoted */
    long status;
    long redirects;
    int64_t retry_after_s; /* what the server asks for; 0 = nothing */
    char *final_url;
    char text[CURL_ERROR_TEXT_MOST]; /* libcurl's own words */
    struct cprof_error error;        /* why there is no answer */
};

/* A transfer that waits, and its end, whatever it does. */
int transfer_new(struct transfer **ret, const struct curl_api *api,
                 const struct http_options *options,
                 const struct http_request *request, struct cprof_error *err);
void transfer_free(struct transfer *transfer);

/* Ends a transfer that there is no time for. */
void transfer_refuse(struct transfer *transfer);

/* Prepares the next attempt and stores a handle for it in easy, with the
 * transfer as its private data. When that fails the transfer has ended. */
bool transfer_start(struct transfer *transfer, uint64_t now_ms);

/* Takes the end of an attempt in: a code of libcurl. The transfer ends with an
 * answer or an error, or waits for another attempt. */
void transfer_end(struct transfer *transfer, int code, uint64_t now_ms);

/* failure.c: whether another attempt may help after such an end. */
bool failure_is_passing(int code, long status, bool is_post);

/* failure.c: says in error why the attempt that ended with code, whose handle
 * is still there, gave no answer. */
void failure_say(struct transfer *transfer, int code);

#endif
