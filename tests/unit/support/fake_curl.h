/* fake_curl.h - a libcurl whose servers are written down, and a clock that
 * moves only when somebody waits. */
#ifndef SUPPORT_FAKE_CURL_H
#define SUPPORT_FAKE_CURL_H

#include "http/http.h"
#include "http/libcurl.h"

enum { FAKE_ATTEMPTS = 64 };

/* How one attempt goes; they are used in the order in which attempts begin. */
struct fake_attempt {
    int code;              /* enum curl_code */
    long status;           /* 0 = none came */
    const char *body;      /* given piece by piece; NULL = none */
    const char *text;      /* libcurl's words */
    const char *url;       /* where redirects led to; NULL = there was none */
    long os_error;         /* errno of the connection */
    int64_t connect_us;    /* 0 = it was never made */
    unsigned turns;        /* how often it is run before it ends */
    int64_t retry_after_s; /* 0 = the answer has none */
};

/* What an attempt was asked. Texts are copies. */
struct fake_asked {
    char url[256];
    char body[1024];   /* that was posted */
    char fields[1024]; /* of the header, each with a line end */
    char socket[256];
    char user[64];
    char bearer[64];
    long is_post;
    long size;    /* of the body */
    long follows; /* redirects; -1 = not set */
    long auth;
    long timeout_ms;
    long connect_timeout_ms;
    long redirect_protocols;
    long verify_peer; /* -1 = not set */
    uint64_t at_ms;   /* the time of its first turn */
};

/* Begins with attempts that are to be used; they are borrowed. */
void fake_begin(const struct fake_attempt *attempts, size_t count);

/* The functions of this libcurl. */
const struct curl_api *fake_api(void);

/* What the attempt with an index was asked, and how many there were. */
const struct fake_asked *fake_asked(size_t index);
size_t fake_n_asked(void);

/* The most attempts that ran at one time, and how many handles and lists are
 * open. */
size_t fake_most_running(void);
size_t fake_n_open(void);

/* From now on handles are refused (curl_multi_add_handle). */
void fake_refuse(void);

/* The clock, for http_options. */
uint64_t fake_now_ms(void *user);

/* Options with these bounds and no secrets: 1 s to connect, 10 s in all, 1 MiB,
 * files in /tmp. */
struct http_options fake_options(uint64_t retries);

#endif
