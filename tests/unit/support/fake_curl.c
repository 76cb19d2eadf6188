#include "support/fake_curl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A handle. */
struct easy {
    const struct fake_attempt *attempt;
    struct fake_asked *asked;
    size_t (*write)(char *, size_t, size_t, void *);
    void *write_data;
    void *private_data;
    char *text;
    unsigned turns;
    size_t given;
    bool is_running;
    bool has_ended; /* nobody was told yet */
    int code;
};

static struct {
    const struct fake_attempt *attempts;
    size_t n_attempts;
    struct fake_asked asked[FAKE_ATTEMPTS];
    struct easy *handles[FAKE_ATTEMPTS];
    size_t n_asked;
    size_t n_running;
    size_t most_running;
    size_t n_open;
    bool is_refusing;
    uint64_t now_ms;
    struct curl_message message;
} fake;

void fake_begin(const struct fake_attempt *attempts, size_t count)
{
    memset(&fake, 0, sizeof(fake));
    fake.attempts = attempts;
    fake.n_attempts = count;
    fake.now_ms = 1000;
}

static int global_init(long flags)
{
    (void)flags;
    return CURL_OK;
}

static void *easy_init(void)
{
    struct easy *easy = calloc(1, sizeof(*easy));

    assert_non_null(easy);
    assert_true(fake.n_asked < fake.n_attempts);
    easy->attempt = &fake.attempts[fake.n_asked];
    easy->asked = &fake.asked[fake.n_asked];
    easy->asked->verify_peer = -1;
    easy->asked->follows = -1;
    fake.handles[fake.n_asked++] = easy;
    fake.n_open++;
    return easy;
}

static void easy_cleanup(void *handle)
{
    for (size_t i = 0; i < fake.n_asked; i++) {
        if (fake.handles[i] == handle)
            fake.handles[i] = NULL;
    }
    fake.n_open--;
    free(handle);
}

static void keep(char *into, size_t size, const char *text)
{
    snprintf(into, size, "%s", text);
}

static void set_text(struct fake_asked *asked, int option, const char *text)
{
    if (option == CURL_URL)
        keep(asked->url, sizeof(asked->url), text);
    else if (option == CURL_UNIX_SOCKET_PATH)
        keep(asked->socket, sizeof(asked->socket), text);
    else if (option == CURL_USERPWD)
        keep(asked->user, sizeof(asked->user), text);
    else if (option == CURL_XOAUTH2_BEARER)
        keep(asked->bearer, sizeof(asked->bearer), text);
    else if (option == CURL_POST_FIELDS)
        snprintf(asked->body, sizeof(asked->body), "%.*s", (int)asked->size,
                 text);
    else if (option == CURL_HTTP_HEADER)
        keep(asked->fields, sizeof(asked->fields), text);
}

static void set_long(struct fake_asked *asked, int option, long value)
{
    if (option == CURL_HTTP_AUTH)
        asked->auth = value;
    else if (option == CURL_POST)
        asked->is_post = value;
    else if (option == CURL_POST_FIELD_SIZE)
        asked->size = value;
    else if (option == CURL_FOLLOW_LOCATION)
        asked->follows = value;
    else if (option == CURL_TIMEOUT_MS)
        asked->timeout_ms = value;
    else if (option == CURL_CONNECT_TIMEOUT_MS)
        asked->connect_timeout_ms = value;
    else if (option == CURL_REDIR_PROTOCOLS)
        asked->redirect_protocols = value;
    else if (option == CURL_SSL_VERIFY_PEER)
        asked->verify_peer = value;
}

/* Options from 10000 on are pointers, from 20000 on functions
 * (curl/curl.h: CURLOPTTYPE_OBJECTPOINT). */
static int easy_setopt(void *handle, int option, ...)
{
    struct easy *easy = handle;
    va_list args;

    va_start(args, option);
    if (option == CURL_WRITE_FUNCTION)
        easy->write = va_arg(args, size_t(*)(char *, size_t, size_t, void *));
    else if (option == CURL_WRITE_DATA)
        easy->write_data = va_arg(args, void *);
    else if (option == CURL_PRIVATE)
        easy->private_data = va_arg(args, void *);
    else if (option == CURL_ERROR_BUFFER)
        easy->text = va_arg(args, char *);
    else if (option > 10000)
        set_text(easy->asked, option, va_arg(args, const char *));
    else
        set_long(easy->asked, option, va_arg(args, long));
    va_end(args);
    return CURL_OK;
}

static int easy_getinfo(void *handle, int info, ...)
{
    const struct easy *easy = handle;
    const struct fake_attempt *attempt = easy->attempt;
    va_list args;

    va_start(args, info);
    if (info == CURL_INFO_PRIVATE)
        *va_arg(args, void **) = easy->private_data;
    else if (info == CURL_INFO_URL)
        *va_arg(args, const char **) =
            attempt->url ? attempt->url : easy->asked->url;
    else if (info == CURL_INFO_STATUS)
        *va_arg(args, long *) = attempt->status;
    else if (info == CURL_INFO_REDIRECTS)
        *va_arg(args, long *) = attempt->url != NULL;
    else if (info == CURL_INFO_OS_ERRNO)
        *va_arg(args, long *) = attempt->os_error;
    else
        *va_arg(args, int64_t *) = info == CURL_INFO_RETRY_AFTER
                                       ? attempt->retry_after_s
                                       : attempt->connect_us;
    va_end(args);
    return CURL_OK;
}

static const char *easy_strerror(int code)
{
    return code == CURL_OK ? "No error" : "Some error";
}

static void *multi_init(void)
{
    return &fake;
}

static int multi_cleanup(void *multi)
{
    assert_ptr_equal(multi, &fake);
    return 0;
}

static int multi_add_handle(void *multi, void *handle)
{
    struct easy *easy = handle;

    (void)multi;
    assert_non_null(easy->write);
    if (fake.is_refusing)
        return 3; /* CURLM_OUT_OF_MEMORY */
    easy->is_running = true;
    easy->asked->at_ms = fake.now_ms;
    if (++fake.n_running > fake.most_running)
        fake.most_running = fake.n_running;
    return 0;
}

static int multi_remove_handle(void *multi, void *handle)
{
    struct easy *easy = handle;

    (void)multi;
    fake.n_running -= easy->is_running;
    easy->is_running = false;
    return 0;
}

static void end(struct easy *easy, int code)
{
    easy->code = code;
    easy->has_ended = true;
    if (easy->attempt->text)
        keep(easy->text, CURL_ERROR_TEXT_MOST, easy->attempt->text);
}

/* Gives up to seven bytes of the body at a time. */
static void run(struct easy *easy)
{
    struct str rest =
        str_head(str_skip(str_from(easy->attempt->body), easy->given), 7);
    char piece[8];

    if (++easy->turns < easy->attempt->turns)
        return;
    while (rest.len) {
        memcpy(piece, rest.ptr, rest.len);
        easy->given += rest.len;
        if (easy->write(piece, 1, rest.len, easy->write_data) != rest.len) {
            end(easy, CURL_WRITE_ERROR);
            return;
        }
        rest =
            str_head(str_skip(str_from(easy->attempt->body), easy->given), 7);
    }
    end(easy, easy->attempt->code);
}

static int multi_perform(void *multi, int *ret_running)
{
    (void)multi;
    for (size_t i = 0; i < fake.n_asked; i++) {
        struct easy *easy = fake.handles[i];

        if (easy && easy->is_running && !easy->has_ended)
            run(easy);
    }
    *ret_running = (int)fake.n_running;
    return 0;
}

static int multi_poll(void *multi, void *fds, unsigned n_fds, int timeout_ms,
                      int *ret_ready)
{
    (void)multi;
    (void)fds;
    (void)n_fds;
    (void)ret_ready;
    assert_true(timeout_ms > 0);
    fake.now_ms += (uint64_t)timeout_ms;
    return 0;
}

static struct curl_message *multi_info_read(void *multi, int *ret_left)
{
    (void)multi;
    *ret_left = 0;
    for (size_t i = 0; i < fake.n_asked; i++) {
        struct easy *easy = fake.handles[i];

        if (!easy || !easy->has_ended)
            continue;
        easy->has_ended = false;
        fake.message = (struct curl_message){
            .kind = CURL_MESSAGE_DONE, .easy = easy, .data.result = easy->code};
        return &fake.message;
    }
    return NULL;
}

/* A list is its texts, each with a line end. */
static void *slist_append(void *list, const char *text)
{
    size_t len = list ? strlen(list) : 0;
    char *longer = realloc(list, len + strlen(text) + 2);

    assert_non_null(longer);
    fake.n_open += !list;
    sprintf(longer + len, "%s\n", text);
    return longer;
}

static void slist_free_all(void *list)
{
    fake.n_open--;
    free(list);
}

const struct curl_api *fake_api(void)
{
    static const struct curl_api api = {
        global_init,      easy_init,           easy_cleanup,   easy_setopt,
        easy_getinfo,     easy_strerror,       multi_init,     multi_cleanup,
        multi_add_handle, multi_remove_handle, multi_perform,  multi_poll,
        multi_info_read,  slist_append,        slist_free_all, NULL,
    };

    return &api;
}

const struct fake_asked *fake_asked(size_t index)
{
    assert_true(index < fake.n_asked);
    return &fake.asked[index];
}

size_t fake_n_asked(void)
{
    return fake.n_asked;
}

size_t fake_most_running(void)
{
    return fake.most_running;
}

size_t fake_n_open(void)
{
    return fake.n_open;
}

void fake_refuse(void)
{
    fake.is_refusing = true;
}

uint64_t fake_now_ms(void *user)
{
    (void)user;
    return fake.now_ms;
}

struct http_options fake_options(uint64_t retries)
{
    return (struct http_options){.connect_ms = 1000,
                                 .total_ms = 10000,
                                 .retries = retries,
                                 .max_bytes = 1024 * 1024,
                                 .max_memory = 1024 * 1024,
                                 .folder = "/tmp",
                                 .now_ms = fake_now_ms};
}
