/* libcurl for the static program: linked, and at home on any Linux system. */
#include <curl/curl.h>
#include <nss.h>
#include <unistd.h>

#include "http/libcurl.h"

/* A linked function has nobody to look for it. */
#define FUNCTION(field)                                                        \
 {                                                                             \
  (void (*)(void))(curl_##field), offsetof(struct curl_api, field)             \
 }

struct linked {
    void (*function)(void);
    size_t offset; /* in struct curl_api */
};

/* Names in brackets are functions; some are macros of curl.h as well. */
static const struct linked functions[] = {
    FUNCTION(global_init),      FUNCTION(easy_init),
    FUNCTION(easy_cleanup),     FUNCTION(easy_setopt),
    FUNCTION(easy_getinfo),     FUNCTION(easy_strerror),
    FUNCTION(multi_init),       FUNCTION(multi_cleanup),
    FUNCTION(multi_add_handle), FUNCTION(multi_remove_handle),
    FUNCTION(multi_perform),    FUNCTION(multi_poll),
    FUNCTION(multi_info_read),  FUNCTION(slist_append),
    FUNCTION(slist_free_all),
};

enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

const char *const libcurl_files[] = {NULL};

/* Where systems keep the authorities that they trust, as one PEM file: the
 * places in which Go's crypto/x509 looks. */
static const char *const bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                /* Debian, Alpine */
    "/etc/pki/tls/certs/ca-bundle.crt",                  /* Fedora */
    "/etc/ssl/ca-bundle.pem",                            /* SUSE */
    "/etc/pki/tls/cacert.pem",                           /* OpenELEC */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* RHEL */
    "/etc/ssl/cert.pem",                                 /* Alpine */
};

enum { N_BUNDLES = sizeof(bundles) / sizeof(bundles[0]) };

int libcurl_load(struct curl_api *ret, const char *const *files,
                 const char *who, const char *otherwise,
                 struct cprof_error *err)
{
    struct curl_api api = {0};

    (void)files;
    (void)otherwise;
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        memcpy((char *)&api + functions[i].offset, &functions[i].function,
               sizeof(functions[i].function));
    for (size_t i = 0; i < N_BUNDLES && !api.authorities; i++)
        if (access(bundles[i], R_OK) == 0)
            api.authorities = bundles[i];
    /* /etc/nsswitch.conf may name plug-ins, which only a program with the same
     * shared C library can load. /etc/hosts and name servers need none. */
    if (__nss_configure_lookup("hosts", "files dns") != 0 ||
        curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
        return error_set(err, CPROF_EIO, (struct place){0},
                         "%s needs libcurl, which cannot be started", who);
    *ret = api;
    return 0;
}
