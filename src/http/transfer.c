#include "http/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/version.h"

/* Appends a line of the header. False when memory ran out. */
static bool add_field(struct transfer *transfer, const char *field)
{
    void *list = transfer->api->slist_append(transfer->fields, field);

    if (list)
        transfer->fields = list;
    return list != NULL;
}

/* Copies what is to be posted, and the fields of the header. False when memory
 * ran out. */
static bool take_post(struct transfer *transfer,
                      const struct http_request *request)
{
    const char *const *fields = request->fields;
    bool ok = true;

    for (; ok && fields && *fields; fields++)
        ok = add_field(transfer, *fields);
    /* Nobody is asked first whether he takes the body: not all servers answer
     * that, and they would be waited for. */
    if (!ok || (request->is_post && !add_field(transfer, "Expect:")))
        return false;
    transfer->is_post = request->is_post;
    transfer->post_size = request->body.len;
    transfer->post_body = malloc(request->body.len + 1);
    if (transfer->post_body && request->body.len)
        memcpy(transfer->post_body, request->body.ptr, request->body.len);
    return transfer->post_body != NULL;
}

int transfer_new(struct transfer **ret, const struct curl_api *api,
                 const struct http_options *options,
                 const struct http_request *request, struct cprof_error *err)
{
    struct transfer *transfer = calloc(1, sizeof(*transfer));
    bool ok = transfer != NULL;

    if (ok) {
        transfer->api = api;
        transfer->options = options;
        transfer->total_ms = options->total_ms;
        spool_init(&transfer->body, options->folder, options->max_memory);
        transfer->url = strdup(request->url);
        transfer->name = strdup(request->name);
        transfer->socket = request->socket ? strdup(request->socket) : NULL;
        ok = transfer->url && transfer->name &&
             (transfer->socket || !request->socket) &&
             take_post(transfer, request);
    }
    if (!ok) {
        transfer_free(transfer);
        return error_memory(err, (struct place){request->name, 0, 0},
                            "preparing a request");
    }
    *ret = transfer;
    return 0;
}

void transfer_free(struct transfer *transfer)
{
    if (!transfer)
        return;
    if (transfer->easy)
        transfer->api->easy_cleanup(transfer->easy);
    spool_done(&transfer->body);
    free(transfer->url);
    free(transfer->socket);
    free(transfer->name);
    free(transfer->post_body);
    if (transfer->fields)
        transfer->api->slist_free_all(transfer->fields);
    free(transfer->final_url);
    free(transfer);
}

static bool is_good(long status)
{
    return status >= 200 && status <= 299;
}

/* CURLOPT_WRITEFUNCTION: another count than that of the bytes given ends the
 * transfer with CURL_WRITE_ERROR. */
static size_t receive(char *bytes, size_t size, size_t count, void *user)
{
    struct transfer *transfer = user;
    size_t n = size * count;
    long status = 0;

    transfer->api->easy_getinfo(transfer->easy, CURL_INFO_STATUS, &status);
    if ((transfer->is_post || !is_good(status)) &&
        transfer->body.size + n > HTTP_ERROR_BODY) {
        transfer->is_enough = true;
        n = HTTP_ERROR_BODY - (size_t)transfer->body.size;
    }
    if (transfer->body.size + n > transfer->options->max_bytes) {
        transfer->is_too_large = true;
        return 0;
    }
    if (!spool_add(&transfer->body, bytes, n)) {
        transfer->keep_error = errno;
        return 0;
    }
    return transfer->is_enough ? 0 : size * count;
}

/* Options are set one after the other; the first that is refused decides. */
struct setting {
    const struct transfer *transfer;
    int code;
};

static void set_number(struct setting *setting, int option, uint64_t value)
{
    const struct transfer *transfer = setting->transfer;

    if (setting->code == CURL_OK)
        setting->code = transfer->api->easy_setopt(
            transfer->easy, option,
            value < INT32_MAX ? (long)value : (long)INT32_MAX);
}

/* NULL leaves libcurl's default. */
static void set_pointer(struct setting *setting, int option, const void *value)
{
    const struct transfer *transfer = setting->transfer;

    if (setting->code == CURL_OK && value)
        setting->code =
            transfer->api->easy_setopt(transfer->easy, option, value);
}

static void set_where(struct setting *setting, const char *url)
{
    bool is_secure = str_starts(str_from(url), STR("https:"));
    unsigned both = CURL_PROTOCOL_HTTP | CURL_PROTOCOL_HTTPS;

    set_pointer(setting, CURL_URL, url);
    set_pointer(setting, CURL_UNIX_SOCKET_PATH, setting->transfer->socket);
    set_number(setting, CURL_PROTOCOLS, both);
    set_number(setting, CURL_FOLLOW_LOCATION, !setting->transfer->is_post);
    set_number(setting, CURL_MAX_REDIRS, HTTP_REDIRECTS);
    /* Who asked by TLS does not want an answer from anybody on the way. */
    set_number(setting, CURL_REDIR_PROTOCOLS,
               is_secure ? CURL_PROTOCOL_HTTPS : both);
}

static void set_identity(struct setting *setting,
                         const struct http_options *options)
{
    set_pointer(setting, CURL_CA_INFO,
                options->cacert ? options->cacert
                                : setting->transfer->api->authorities);
    set_pointer(setting, CURL_SSL_CERT, options->cert);
    set_pointer(setting, CURL_SSL_KEY, options->key);
    /* Without a password OpenSSL would ask for one on the terminal. */
    set_pointer(setting, CURL_KEY_PASSWORD, options->cert ? "" : NULL);
    if (options->insecure) {
        set_number(setting, CURL_SSL_VERIFY_PEER, 0);
        set_number(setting, CURL_SSL_VERIFY_HOST, 0);
    }
    if (options->user) {
        set_number(setting, CURL_HTTP_AUTH, CURL_AUTH_BASIC);
        set_pointer(setting, CURL_USERPWD, options->user);
    } else if (options->bearer) {
        set_number(setting, CURL_HTTP_AUTH, CURL_AUTH_BEARER);
        set_pointer(setting, CURL_XOAUTH2_BEARER, options->bearer);
    }
    /* A proxy that asks for Kerberos gets none, as any other server. */
    set_number(setting, CURL_SOCKS5_AUTH, CURL_AUTH_BASIC);
}

static void set_post(struct setting *setting)
{
    const struct transfer *transfer = setting->transfer;

    set_pointer(setting, CURL_HTTP_HEADER, transfer->fields);
    if (!transfer->is_post)
        return;
    set_number(setting, CURL_POST, 1);
    set_number(setting, CURL_POST_FIELD_SIZE, transfer->post_size);
    set_pointer(setting, CURL_POST_FIELDS, transfer->post_body);
}

static int set_up(struct transfer *transfer, uint64_t left_ms)
{
    const struct http_options *options = transfer->options;
    struct setting setting = {transfer, CURL_OK};
    size_t (*write)(char *, size_t, size_t, void *) = receive;
    char agent[64];

    set_where(&setting, transfer->url);
    set_identity(&setting, options);
    set_post(&setting);
    set_number(&setting, CURL_TIMEOUT_MS, left_ms);
    set_number(&setting, CURL_CONNECT_TIMEOUT_MS,
               options->connect_ms < left_ms ? options->connect_ms : left_ms);
    set_number(&setting, CURL_NO_SIGNAL, 1);
    /* One connection serves one request, so that HTTP/2 has nothing to give. */
    set_number(&setting, CURL_HTTP_VERSION, CURL_VERSION_1_1);
    snprintf(agent, sizeof(agent), "cprof-leaks/%s", cprof_version_text);
    set_pointer(&setting, CURL_USER_AGENT, agent);
    set_pointer(&setting, CURL_ERROR_BUFFER, transfer->text);
    set_pointer(&setting, CURL_PRIVATE, transfer);
    set_pointer(&setting, CURL_WRITE_DATA, transfer);
    if (setting.code == CURL_OK)
        setting.code = transfer->api->easy_setopt(transfer->easy,
                                                  CURL_WRITE_FUNCTION, write);
    return setting.code;
}

static void forget(struct transfer *transfer)
{
    spool_clear(&transfer->body);
    free(transfer->final_url);
    transfer->final_url = NULL;
    transfer->is_enough = false;
    transfer->status = 0;
    transfer->retry_after_s = 0;
    transfer->text[0] = '\0';
}

void transfer_refuse(struct transfer *transfer)
{
    error_set(&transfer->error, CPROF_EIO, (struct place){transfer->name, 0, 0},
              "no time was left for it: --timeout allows more");
    transfer->state = TRANSFER_ENDED;
}

bool transfer_start(struct transfer *transfer, uint64_t now_ms)
{
    uint64_t left;
    int code = CURL_OUT_OF_MEMORY;

    forget(transfer);
    if (!transfer->deadline_ms)
        transfer->deadline_ms = now_ms + transfer->total_ms;
    left = transfer->deadline_ms > now_ms ? transfer->deadline_ms - now_ms : 1;
    transfer->attempts++;
    transfer->easy = transfer->api->easy_init();
    if (transfer->easy)
        code = set_up(transfer, left);
    if (code == CURL_OK) {
        transfer->state = TRANSFER_RUNS;
        return true;
    }
    failure_say(transfer, code);
    transfer->state = TRANSFER_ENDED;
    if (transfer->easy)
        transfer->api->easy_cleanup(transfer->easy);
    transfer->easy = NULL;
    return false;
}

/* Makes the transfer wait for another attempt. False when there is none left,
 * or no time for it. */
static bool plan_retry(struct transfer *transfer, uint64_t now_ms)
{
    uint64_t wait = HTTP_RETRY_MS;
    uint64_t asked_s =
        transfer->retry_after_s > 0 ? (uint64_t)transfer->retry_after_s : 0;

    if (transfer->attempts > transfer->options->retries ||
        asked_s > transfer->total_ms / 1000)
        return false;
    for (uint64_t i = 1; i < transfer->attempts && wait < HTTP_RETRY_MOST_MS;
         i++)
        wait *= 2;
    if (wait < asked_s * 1000)
        wait = asked_s * 1000;
    transfer->start_ms = now_ms + wait;
    return transfer->start_ms < transfer->deadline_ms;
}

/* Keeps what the handle knows of the answer. */
static int note_answer(struct transfer *transfer)
{
    const struct curl_api *api = transfer->api;
    const char *url = NULL;

    api->easy_getinfo(transfer->easy, CURL_INFO_STATUS, &transfer->status);
    api->easy_getinfo(transfer->easy, CURL_INFO_REDIRECTS,
                      &transfer->redirects);
    api->easy_getinfo(transfer->easy, CURL_INFO_RETRY_AFTER,
                      &transfer->retry_after_s);
    api->easy_getinfo(transfer->easy, CURL_INFO_URL, &url);
    transfer->final_url = strdup(url ? url : transfer->url);
    return transfer->final_url ? CURL_OK : CURL_OUT_OF_MEMORY;
}

void transfer_end(struct transfer *transfer, int code, uint64_t now_ms)
{
    int noted = note_answer(transfer);

    if (code == CURL_WRITE_ERROR && transfer->is_enough)
        code = CURL_OK;
    if (code == CURL_OK)
        code = noted;
    transfer->state = TRANSFER_ENDED;
    if (failure_is_passing(code, transfer->status, transfer->is_post) &&
        plan_retry(transfer, now_ms))
        transfer->state = TRANSFER_WAITS;
    else if (code != CURL_OK)
        failure_say(transfer, code);
    transfer->api->easy_cleanup(transfer->easy);
    transfer->easy = NULL;
}
