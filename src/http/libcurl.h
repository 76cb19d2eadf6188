/* libcurl.h - the few calls and numbers of libcurl that the program uses.
 *
 * libcurl is loaded when the first address is asked and never linked: a start
 * without an address costs nothing then, and a machine without it lacks nothing
 * but addresses. So that building needs no header of it either, its constants
 * stand here; libcurl.c compares each with <curl/curl.h> where there is one.
 * They are part of libcurl's binary interface and never change.
 *
 * A static program cannot load anything. It has libcurl_linked.c instead of
 * libcurl.c, with libcurl and what TLS needs inside. */
#ifndef HTTP_LIBCURL_H
#define HTTP_LIBCURL_H

#include "base/error.h"

/* Options of a transfer (curl/curl.h: CURLOPT_...). */
enum curl_option {
    CURL_WRITE_DATA = 10001,
    CURL_URL = 10002,
    CURL_USERPWD = 10005,
    CURL_ERROR_BUFFER = 10010,
    CURL_POST_FIELDS = 10015,
    CURL_USER_AGENT = 10018,
    CURL_HTTP_HEADER = 10023,
    CURL_SSL_CERT = 10025,
    CURL_KEY_PASSWORD = 10026,
    CURL_POST = 47,
    CURL_FOLLOW_LOCATION = 52,
    CURL_POST_FIELD_SIZE = 60,
    CURL_SSL_VERIFY_PEER = 64,
    CURL_CA_INFO = 10065,
    CURL_MAX_REDIRS = 68,
    CURL_SSL_VERIFY_HOST = 81,
    CURL_HTTP_VERSION = 84,
    CURL_SSL_KEY = 10087,
    CURL_NO_SIGNAL = 99,
    CURL_PRIVATE = 10103,
    CURL_HTTP_AUTH = 107,
    CURL_TIMEOUT_MS = 155,
    CURL_CONNECT_TIMEOUT_MS = 156,
    CURL_PROTOCOLS = 181,
    CURL_REDIR_PROTOCOLS = 182,
    CURL_XOAUTH2_BEARER = 10220,
    CURL_UNIX_SOCKET_PATH = 10231,
    CURL_SOCKS5_AUTH = 267,
    CURL_WRITE_FUNCTION = 20011,
};

/* Values of options. */
enum {
    CURL_PROTOCOL_HTTP = 1,
    CURL_PROTOCOL_HTTPS = 2,
    CURL_AUTH_BASIC = 1,
    CURL_AUTH_BEARER = 64,
    CURL_VERSION_1_1 = 2,
    CURL_ERROR_TEXT_MOST = 256,
    CURL_INIT_ALL = 3,
};

/* What is known of a transfer (CURLINFO_...). */
enum curl_info {
    CURL_INFO_URL = 0x100001,
    CURL_INFO_STATUS = 0x200002,
    CURL_INFO_REDIRECTS = 0x200014,
    CURL_INFO_OS_ERRNO = 0x200019,
    CURL_INFO_CONNECT_TIME = 0x600034,    /* int64_t, in microseconds */
    CURL_INFO_APPCONNECT_TIME = 0x600038, /* the same: TLS is done */
    CURL_INFO_RETRY_AFTER = 0x600039,     /* int64_t, in seconds; 0 = none */
    CURL_INFO_PRIVATE = 0x100015,
};

/* How a transfer ends (CURLE_...), as far as there is something to say. */
enum curl_code {
    CURL_OK = 0,
    CURL_UNSUPPORTED_PROTOCOL = 1,
    CURL_URL_MALFORMAT = 3,
    CURL_NOT_BUILT_IN = 4,
    CURL_COULDNT_RESOLVE_PROXY = 5,
    CURL_COULDNT_RESOLVE_HOST = 6,
    CURL_COULDNT_CONNECT = 7,
    CURL_WEIRD_SERVER_REPLY = 8,
    CURL_PARTIAL_FILE = 18,
    CURL_WRITE_ERROR = 23,
    CURL_OUT_OF_MEMORY = 27,
    CURL_OPERATION_TIMEDOUT = 28,
    CURL_SSL_CONNECT_ERROR = 35,
    CURL_TOO_MANY_REDIRECTS = 47,
    CURL_UNKNOWN_OPTION = 48,
    CURL_GOT_NOTHING = 52,
    CURL_SEND_ERROR = 55,
    CURL_RECV_ERROR = 56,
    CURL_SSL_CERTPROBLEM = 58,
    CURL_PEER_FAILED_VERIFICATION = 60,
    CURL_SSL_CACERT_BADFILE = 77,
    CURL_SSL_CLIENTCERT = 98,
};

/* struct CURLMsg of curl/multi.h: a transfer has ended. */
struct curl_message {
    int kind; /* CURL_MESSAGE_DONE is the only one */
    void *easy;
    union {
        void *whatever;
        int result; /* enum curl_code */
    } data;
};

enum { CURL_MESSAGE_DONE = 1 };

/* The functions, by the names that they have behind "curl_". Handles are
 * opaque; a code of 0 is success everywhere. */
struct curl_api {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *easy);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    const char *(*easy_strerror)(int code);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *multi);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *ret_running);
    int (*multi_poll)(void *multi, void *fds, unsigned n_fds, int timeout_ms,
                      int *ret_ready);
    struct curl_message *(*multi_info_read)(void *multi, int *ret_left);
    /* A list of texts, which are copied; NULL is the empty list, and the result
     * where memory ran out. */
    void *(*slist_append)(void *list, const char *text);
    void (*slist_free_all)(void *list);
    /* The file of the authorities to trust where the user names none; NULL =
     * libcurl knows its own. */
    const char *authorities;
};

/* The names under which Debian installs the library: with OpenSSL, and with
 * GnuTLS, as git brings it. NULL ends the list. */
extern const char *const libcurl_files[];

/* Loads the first library of a list that is there, and fills *ret with its
 * functions. It stays loaded until the program ends. CPROF_EIO names the
 * package that is missing, or what an old library lacks; what it is for is said
 * by who ("an address"), and what to do else by otherwise ("or ...", or "").
 * In a static program the list is not used. */
int libcurl_load(struct curl_api *ret, const char *const *files,
                 const char *who, const char *otherwise,
                 struct cprof_error *err);

#endif
