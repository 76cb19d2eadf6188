#include "http/libcurl.h"

#include <dlfcn.h>

/* Where libcurl's headers are there, the numbers are held to them. */
#ifdef __has_include
# if __has_include(<curl/curl.h>)
/* The names of protocols as numbers are deprecated, but older versions know no
 * others. */
#  define CURL_DISABLE_DEPRECATION 1
#  include <curl/curl.h>
#  define SAME(ours, theirs)                                                   \
   _Static_assert((long)(ours) == (long)(theirs), #theirs)
SAME(CURL_WRITE_DATA, CURLOPT_WRITEDATA);
SAME(CURL_URL, CURLOPT_URL);
SAME(CURL_USERPWD, CURLOPT_USERPWD);
SAME(CURL_ERROR_BUFFER, CURLOPT_ERRORBUFFER);
SAME(CURL_POST_FIELDS, CURLOPT_POSTFIELDS);
SAME(CURL_USER_AGENT, CURLOPT_USERAGENT);
SAME(CURL_HTTP_HEADER, CURLOPT_HTTPHEADER);
SAME(CURL_SSL_CERT, CURLOPT_SSLCERT);
SAME(CURL_KEY_PASSWORD, CURLOPT_KEYPASSWD);
SAME(CURL_POST, CURLOPT_POST);
SAME(CURL_FOLLOW_LOCATION, CURLOPT_FOLLOWLOCATION);
SAME(CURL_POST_FIELD_SIZE, CURLOPT_POSTFIELDSIZE);
SAME(CURL_SSL_VERIFY_PEER, CURLOPT_SSL_VERIFYPEER);
SAME(CURL_CA_INFO, CURLOPT_CAINFO);
SAME(CURL_MAX_REDIRS, CURLOPT_MAXREDIRS);
SAME(CURL_SSL_VERIFY_HOST, CURLOPT_SSL_VERIFYHOST);
SAME(CURL_HTTP_VERSION, CURLOPT_HTTP_VERSION);
SAME(CURL_SSL_KEY, CURLOPT_SSLKEY);
SAME(CURL_NO_SIGNAL, CURLOPT_NOSIGNAL);
SAME(CURL_PRIVATE, CURLOPT_PRIVATE);
SAME(CURL_HTTP_AUTH, CURLOPT_HTTPAUTH);
SAME(CURL_TIMEOUT_MS, CURLOPT_TIMEOUT_MS);
SAME(CURL_CONNECT_TIMEOUT_MS, CURLOPT_CONNECTTIMEOUT_MS);
SAME(CURL_PROTOCOLS, CURLOPT_PROTOCOLS);
SAME(CURL_REDIR_PROTOCOLS, CURLOPT_REDIR_PROTOCOLS);
SAME(CURL_XOAUTH2_BEARER, CURLOPT_XOAUTH2_BEARER);
SAME(CURL_UNIX_SOCKET_PATH, CURLOPT_UNIX_SOCKET_PATH);
SAME(CURL_SOCKS5_AUTH, CURLOPT_SOCKS5_AUTH);
SAME(CURL_WRITE_FUNCTION, CURLOPT_WRITEFUNCTION);
SAME(CURL_PROTOCOL_HTTP, CURLPROTO_HTTP);
SAME(CURL_PROTOCOL_HTTPS, CURLPROTO_HTTPS);
SAME(CURL_AUTH_BASIC, CURLAUTH_BASIC);
SAME(CURL_AUTH_BEARER, CURLAUTH_BEARER);
SAME(CURL_VERSION_1_1, CURL_HTTP_VERSION_1_1);
SAME(CURL_ERROR_TEXT_MOST, CURL_ERROR_SIZE);
SAME(CURL_INIT_ALL, CURL_GLOBAL_ALL);
SAME(CURL_INFO_URL, CURLINFO_EFFECTIVE_URL);
SAME(CURL_INFO_STATUS, CURLINFO_RESPONSE_CODE);
SAME(CURL_INFO_REDIRECTS, CURLINFO_REDIRECT_COUNT);
SAME(CURL_INFO_OS_ERRNO, CURLINFO_OS_ERRNO);
SAME(CURL_INFO_CONNECT_TIME, CURLINFO_CONNECT_TIME_T);
SAME(CURL_INFO_APPCONNECT_TIME, CURLINFO_APPCONNECT_TIME_T);
SAME(CURL_INFO_RETRY_AFTER, CURLINFO_RETRY_AFTER);
SAME(CURL_INFO_PRIVATE, CURLINFO_PRIVATE);
SAME(CURL_OK, CURLE_OK);
SAME(CURL_UNSUPPORTED_PROTOCOL, CURLE_UNSUPPORTED_PROTOCOL);
SAME(CURL_URL_MALFORMAT, CURLE_URL_MALFORMAT);
SAME(CURL_NOT_BUILT_IN, CURLE_NOT_BUILT_IN);
SAME(CURL_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_PROXY);
SAME(CURL_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_HOST);
SAME(CURL_COULDNT_CONNECT, CURLE_COULDNT_CONNECT);
SAME(CURL_WEIRD_SERVER_REPLY, CURLE_WEIRD_SERVER_REPLY);
SAME(CURL_PARTIAL_FILE, CURLE_PARTIAL_FILE);
SAME(CURL_WRITE_ERROR, CURLE_WRITE_ERROR);
SAME(CURL_OUT_OF_MEMORY, CURLE_OUT_OF_MEMORY);
SAME(CURL_OPERATION_TIMEDOUT, CURLE_OPERATION_TIMEDOUT);
SAME(CURL_SSL_CONNECT_ERROR, CURLE_SSL_CONNECT_ERROR);
SAME(CURL_TOO_MANY_REDIRECTS, CURLE_TOO_MANY_REDIRECTS);
SAME(CURL_UNKNOWN_OPTION, CURLE_UNKNOWN_OPTION);
SAME(CURL_GOT_NOTHING, CURLE_GOT_NOTHING);
SAME(CURL_SEND_ERROR, CURLE_SEND_ERROR);
SAME(CURL_RECV_ERROR, CURLE_RECV_ERROR);
SAME(CURL_SSL_CERTPROBLEM, CURLE_SSL_CERTPROBLEM);
SAME(CURL_PEER_FAILED_VERIFICATION, CURLE_PEER_FAILED_VERIFICATION);
SAME(CURL_SSL_CACERT_BADFILE, CURLE_SSL_CACERT_BADFILE);
SAME(CURL_MESSAGE_DONE, CURLMSG_DONE);
SAME(sizeof(struct curl_message), sizeof(CURLMsg));
SAME(offsetof(struct curl_message, easy), offsetof(CURLMsg, easy_handle));
SAME(offsetof(struct curl_message, data), offsetof(CURLMsg, data));
#  if LIBCURL_VERSION_NUM >= 0x074d00
SAME(CURL_SSL_CLIENTCERT, CURLE_SSL_CLIENTCERT);
#  endif
# endif
#endif

struct symbol {
    const char *name;
    size_t offset; /* in struct curl_api */
};

#define SYMBOL(field)                                                          \
 {                                                                             \
  "curl_" #field, offsetof(struct curl_api, field)                             \
 }

static const struct symbol symbols[] = {
    SYMBOL(global_init),      SYMBOL(easy_init),
    SYMBOL(easy_cleanup),     SYMBOL(easy_setopt),
    SYMBOL(easy_getinfo),     SYMBOL(easy_strerror),
    SYMBOL(multi_init),       SYMBOL(multi_cleanup),
    SYMBOL(multi_add_handle), SYMBOL(multi_remove_handle),
    SYMBOL(multi_perform),    SYMBOL(multi_poll),
    SYMBOL(multi_info_read),  SYMBOL(slist_append),
    SYMBOL(slist_free_all),
};

enum { N_SYMBOLS = sizeof(symbols) / sizeof(symbols[0]) };

const char *const libcurl_files[] = {"libcurl.so.4", "libcurl-gnutls.so.4",
                                     NULL};

/* Finds all functions in a library. Returns the name of one that it does not
 * have, or NULL. */
static const char *find_symbols(struct curl_api *api, void *library)
{
    for (size_t i = 0; i < N_SYMBOLS; i++) {
        void *function = dlsym(library, symbols[i].name);

        if (!function)
            return symbols[i].name;
        /* ISO C does not convert void * to a function; POSIX makes it so. */
        memcpy((char *)api + symbols[i].offset, &function, sizeof(function));
    }
    return NULL;
}

int libcurl_load(struct curl_api *ret, const char *const *files,
                 const char *who, const char *otherwise,
                 struct cprof_error *err)
{
    struct curl_api api = {0};
    void *library = NULL;
    const char *file = files[0];
    const char *missing;

    for (size_t i = 0; files[i] && !library; i++) {
        file = files[i];
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library)
        return error_set(err, CPROF_EIO, (struct place){0},
                         "%s needs libcurl, which is not on this machine (%s): "
                         "install the package libcurl4%s",
                         who, files[0], otherwise);
    missing = find_symbols(&api, library);
    if (missing) {
        dlclose(library);
        return error_set(err, CPROF_EIO, (struct place){0},
                         "%s has no %s: %s needs libcurl 7.66 or later "
                         "(package libcurl4)",
                         file, missing, who);
    }
    if (api.global_init(CURL_INIT_ALL) != CURL_OK)
        return error_set(err, CPROF_EIO, (struct place){0},
                         "%s cannot be started", file);
    *ret = api;
    return 0;
}
