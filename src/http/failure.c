/* Why there is no answer, in words that say what to check. libcurl's code
 * decides; where one code has several causes, its text or the system's error
 * tells them apart. */
#include <inttypes.h>
#include <stdio.h>

#include "base/count.h"
#include "base/error.h"
#include "http/transfer.h"

/* The first line whose code fits, and whose text stands in libcurl's own words,
 * holds. */
struct failure {
    int code;
    const char *text;    /* "" = any */
    const char *message; /* what failed, and what to check */
    bool is_quoted;      /* libcurl's words come behind */
};

static const struct failure failures[] = {
    {CURL_URL_MALFORMAT, "", "this is no address that can be asked", true},
    {CURL_COULDNT_RESOLVE_HOST, "",
     "the name of the host cannot be resolved: check its spelling and the name "
     "server",
     false},
    {CURL_COULDNT_RESOLVE_PROXY, "",
     "the name of the proxy cannot be resolved: check http_proxy, https_proxy "
     "and no_proxy",
     false},
    {CURL_UNSUPPORTED_PROTOCOL, "HTTP/0.9",
     "what answers there does not speak HTTP: check the port", false},
    {CURL_UNSUPPORTED_PROTOCOL, "",
     "the server redirects to a protocol that is not followed (from https:// "
     "only to https://): ask where it leads to",
     true},
    {CURL_WEIRD_SERVER_REPLY, "",
     "what answers there does not speak HTTP: check the port", false},
    {CURL_NOT_BUILT_IN, "",
     "the libcurl of this machine was built without what that needs", true},
    {CURL_GOT_NOTHING, "",
     "the server took the request and closed the connection without an answer: "
     "check the port, and whether it wants https://",
     false},
    {CURL_SSL_CONNECT_ERROR, "wrong version number",
     "the server does not speak TLS on this port: try http://", false},
    {CURL_SSL_CONNECT_ERROR, "packet length too long",
     "the server does not speak TLS on this port: try http://", false},
    {CURL_SSL_CONNECT_ERROR, "unexpected TLS packet", /* GnuTLS */
     "the server does not speak TLS on this port: try http://", false},
    {CURL_SSL_CONNECT_ERROR, "reading X.509", /* GnuTLS */
     "the certificate of the client cannot be used: check --cert and --key",
     true},
    {CURL_SSL_CONNECT_ERROR, "certificate required",
     "the server wants a certificate of the client: --cert and --key", false},
    {CURL_SSL_CONNECT_ERROR, "",
     "TLS could not be agreed upon with the server: check the port and its "
     "certificates",
     true},
    {CURL_PEER_FAILED_VERIFICATION, "has expired",
     "the server's certificate has expired: renew it (--insecure asks "
     "nevertheless)",
     false},
    {CURL_PEER_FAILED_VERIFICATION, "not yet valid",
     "the server's certificate is not valid yet: check the clocks", false},
    {CURL_PEER_FAILED_VERIFICATION, "subject name",
     "the server's certificate is for another name: ask by the name that it is "
     "for (--insecure asks nevertheless)",
     true},
    {CURL_PEER_FAILED_VERIFICATION, "issuer",
     "the server's certificate is from an authority that is not known here: "
     "--cacert names its file",
     true},
    {CURL_PEER_FAILED_VERIFICATION, "self",
     "the server's certificate is from an authority that is not known here: "
     "--cacert names its file",
     true},
    {CURL_PEER_FAILED_VERIFICATION, "",
     "the server's certificate cannot be trusted: it may have expired, or be "
     "from an authority that --cacert has to name",
     true},
    {CURL_SSL_CERTPROBLEM, "",
     "the certificate of the client cannot be used: check --cert and --key",
     true},
    {CURL_SSL_CLIENTCERT, "",
     "the server wants a certificate of the client: --cert and --key", false},
    {CURL_RECV_ERROR, "certificate required",
     "the server wants a certificate of the client: --cert and --key", false},
    {CURL_RECV_ERROR, "alert",
     "the server wants a certificate of the client, or another one: check "
     "--cert and --key",
     true},
    {CURL_RECV_ERROR, "CONNECT tunnel failed",
     "the proxy does not let the request through: check https_proxy and "
     "no_proxy",
     true},
    {CURL_RECV_ERROR, "from proxy after CONNECT",
     "the proxy does not let the request through: check https_proxy and "
     "no_proxy",
     true},
    {CURL_TOO_MANY_REDIRECTS, "",
     "there are too many redirects: perhaps a login that leads back to itself; "
     "ask the program itself",
     true},
    {CURL_SSL_CACERT_BADFILE, "",
     "the file of --cacert cannot be used: it has to hold certificates as PEM",
     true},
};

/* The same of a POST, whose receiver has options of its own. */
static const struct failure failures_of_posts[] = {
    {CURL_PEER_FAILED_VERIFICATION, "has expired",
     "the certificate of the receiver has expired", false},
    {CURL_PEER_FAILED_VERIFICATION, "subject name",
     "the certificate of the receiver is for another name: use the one that it "
     "is for",
     true},
    {CURL_PEER_FAILED_VERIFICATION, "",
     "the certificate of the receiver cannot be trusted: it may be from an "
     "authority that --notify-cacert has to name",
     true},
    {CURL_SSL_CONNECT_ERROR, "reading X.509", /* GnuTLS */
     "the certificate of the client cannot be used: check --notify-cert and "
     "--notify-key",
     true},
    {CURL_SSL_CONNECT_ERROR, "certificate required",
     "the receiver wants a certificate of the client: --notify-cert and "
     "--notify-key",
     false},
    {CURL_SSL_CERTPROBLEM, "",
     "the certificate of the client cannot be used: check --notify-cert and "
     "--notify-key",
     true},
    {CURL_SSL_CLIENTCERT, "",
     "the receiver wants a certificate of the client: --notify-cert and "
     "--notify-key",
     false},
    {CURL_RECV_ERROR, "certificate required",
     "the receiver wants a certificate of the client: --notify-cert and "
     "--notify-key",
     false},
    {CURL_RECV_ERROR, "alert",
     "the receiver wants a certificate of the client, or another one: check "
     "--notify-cert and --notify-key",
     true},
    {CURL_SSL_CACERT_BADFILE, "",
     "the file of --notify-cacert cannot be used: it has to hold certificates "
     "as PEM",
     true},
};

enum {
    N_FAILURES = sizeof(failures) / sizeof(failures[0]),
    N_OF_POSTS = sizeof(failures_of_posts) / sizeof(failures_of_posts[0]),
};

bool failure_is_passing(int code, long status, bool is_post)
{
    switch (code) {
    case CURL_OK:
        return status == 429 || (status >= 502 && status <= 504) ||
               (is_post && status >= 500 && status <= 599);
    case CURL_COULDNT_RESOLVE_HOST:
    case CURL_COULDNT_CONNECT:
    case CURL_PARTIAL_FILE:
    case CURL_OPERATION_TIMEDOUT: /* of a connection: there is time left */
    case CURL_GOT_NOTHING:
    case CURL_SEND_ERROR:
    case CURL_RECV_ERROR:
        return true;
    default:
        return false;
    }
}

static struct place place_of(const struct transfer *transfer)
{
    return (struct place){transfer->name, 0, 0};
}

/* libcurl's words for what happened. */
static const char *text_of(const struct transfer *transfer, int code)
{
    return transfer->text[0] ? transfer->text
                             : transfer->api->easy_strerror(code);
}

static int os_error(const struct transfer *transfer)
{
    long number = 0;

    if (transfer->easy)
        transfer->api->easy_getinfo(transfer->easy, CURL_INFO_OS_ERRNO,
                                    &number);
    return (int)number;
}

static bool has_happened(const struct transfer *transfer, int info)
{
    int64_t microseconds = 0;

    transfer->api->easy_getinfo(transfer->easy, info, &microseconds);
    return microseconds > 0;
}

/* "5 s", "1.5 s". */
static const char *seconds(char into[32], uint64_t ms)
{
    if (ms % 1000)
        snprintf(into, 32, "%.3g s", (double)ms / 1000);
    else
        snprintf(into, 32, "%" PRIu64 " s", ms / 1000);
    return into;
}

/* The port of an URL. */
static uint64_t url_port(struct str url)
{
    uint64_t port = str_starts(url, STR("https:")) ? 443 : 80;
    struct str rest = str_skip(url, str_search(url, STR("://")) + 3);

    rest = str_head(rest, str_find(rest, '/'));
    if (str_starts(rest, STR("["))) /* IPv6 */
        rest = str_skip(rest, str_find(rest, ']') + 1);
    rest = str_skip(rest, str_rfind(rest, ':') + 1);
    str_cut_decimal(&rest, &port);
    return port;
}

/* The port that could not be connected to by libcurl's words, "Failed to
 * connect to HOST port 80 after 0 ms: ...", or 0. */
static uint64_t failed_port(const struct transfer *transfer)
{
    struct str text = str_from(transfer->text);
    uint64_t port = 0;

    text = str_skip(text, str_search(text, STR(" port ")));
    if (str_cut_prefix(&text, STR(" port ")))
        str_cut_decimal(&text, &port);
    return port;
}

static void say_unconnected(struct transfer *transfer)
{
    int number = os_error(transfer);
    const char *what =
        number ? strerror(number) : text_of(transfer, CURL_COULDNT_CONNECT);
    uint64_t port = failed_port(transfer);

    if (port && port != url_port(str_from(transfer->url)))
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "cannot connect to port %" PRIu64
                  ", where a proxy or a redirect leads: %s: check http_proxy, "
                  "https_proxy and no_proxy, or ask the program itself",
                  port, what);
    else if (transfer->socket)
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "cannot connect to the socket: %s: check its path and that "
                  "the program runs",
                  what);
    else
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "cannot connect: %s: check the host and the port, and that "
                  "%s runs",
                  what, transfer->is_post ? "the receiver" : "the program");
}

static void say_timeout(struct transfer *transfer)
{
    const struct http_options *options = transfer->options;
    bool is_tls = str_starts(str_from(transfer->url), STR("https:"));
    uint64_t connect_ms = options->connect_ms < transfer->total_ms
                              ? options->connect_ms
                              : transfer->total_ms;
    char time[32];

    /* Some versions of libcurl count TLS as a part of connecting. */
    if (is_tls && !has_happened(transfer, CURL_INFO_APPCONNECT_TIME))
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "no connection by TLS within %s: check the host, the port, "
                  "that the server speaks TLS there, and firewalls on the way",
                  seconds(time, connect_ms));
    else if (!has_happened(transfer, CURL_INFO_CONNECT_TIME))
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "no connection within %s: check the host, the port and "
                  "firewalls on the way",
                  seconds(time, connect_ms));
    else
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "no whole answer within %s (%s bytes came): %s",
                  seconds(time, transfer->total_ms),
                  count_text(transfer->body.size).text,
                  transfer->is_post
                      ? "the receiver may hang or the way be slow"
                      : "the program may hang or the way be slow; --timeout "
                        "allows more");
}

static void say_broken(struct transfer *transfer)
{
    int number = os_error(transfer);

    error_set(&transfer->error, CPROF_EIO, place_of(transfer),
              "the connection broke after %s bytes of the answer (%s): check "
              "that the program did not end, and what stands in between",
              count_text(transfer->body.size).text,
              number ? strerror(number) : text_of(transfer, CURL_RECV_ERROR));
}

static void say_not_kept(struct transfer *transfer)
{
    const struct http_options *options = transfer->options;

    if (transfer->is_too_large)
        error_set(&transfer->error, CPROF_ELIMIT, place_of(transfer),
                  "the answer is larger than %s bytes: is it a profile? "
                  "--max-download allows more",
                  count_text(options->max_bytes).text);
    else
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "the answer cannot be kept in a file in %s: %s: TMPDIR names "
                  "another folder",
                  options->folder, strerror(transfer->keep_error));
}

static const struct failure *find_in(const struct failure *table, size_t count,
                                     int code, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].code == code && strstr(text, table[i].text))
            return &table[i];
    }
    return NULL;
}

static const struct failure *find_failure(const struct transfer *transfer,
                                          int code, const char *text)
{
    const struct failure *found = NULL;

    if (transfer->is_post)
        found = find_in(failures_of_posts, N_OF_POSTS, code, text);
    return found ? found : find_in(failures, N_FAILURES, code, text);
}

static void say_known(struct transfer *transfer, const struct failure *failure,
                      const char *text)
{
    if (failure->is_quoted)
        error_set(&transfer->error, CPROF_EIO, place_of(transfer), "%s (%s)",
                  failure->message, text);
    else
        error_set(&transfer->error, CPROF_EIO, place_of(transfer), "%s",
                  failure->message);
}

/* The user named no file, and the system has none where libcurl looks. */
static void say_no_authorities(struct transfer *transfer)
{
    error_set(&transfer->error, CPROF_EIO, place_of(transfer),
              "this system has no authorities to trust: install the package "
              "ca-certificates, or name a file of them by %s",
              transfer->is_post ? "--notify-cacert" : "--cacert");
}

void failure_say(struct transfer *transfer, int code)
{
    const char *text = text_of(transfer, code);
    const struct failure *known = find_failure(transfer, code, text);

    if (code == CURL_SSL_CACERT_BADFILE && !transfer->options->cacert)
        say_no_authorities(transfer);
    else if (known)
        say_known(transfer, known, text);
    else if (code == CURL_COULDNT_CONNECT)
        say_unconnected(transfer);
    else if (code == CURL_OPERATION_TIMEDOUT)
        say_timeout(transfer);
    else if (code == CURL_WRITE_ERROR)
        say_not_kept(transfer);
    else if (code == CURL_PARTIAL_FILE || code == CURL_SEND_ERROR ||
             code == CURL_RECV_ERROR)
        say_broken(transfer);
    else if (code == CURL_OUT_OF_MEMORY)
        error_memory(&transfer->error, place_of(transfer), "asking");
    else
        error_set(&transfer->error, CPROF_EIO, place_of(transfer),
                  "the request failed: %s", text);
}
