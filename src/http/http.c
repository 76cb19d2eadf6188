#include "http/http.h"

#include <stdlib.h>

#include "http/transfer.h"

/* How long the loop sleeps at most before it looks around again. */
enum { TICK_MS = 100 };

struct http {
    const struct curl_api *api;
    struct http_options options;
    void *multi;
    struct transfer **transfers; /* NULL where the answer was dropped */
    size_t count;
    size_t n_running;
    size_t n_ended;
};

int http_new(struct http **ret, const struct curl_api *api,
             const struct http_options *options, struct cprof_error *err)
{
    struct http *http = calloc(1, sizeof(*http));

    if (http) {
        http->api = api;
        http->options = *options;
        http->multi = api->multi_init();
    }
    if (!http || !http->multi) {
        free(http);
        return error_memory(err, (struct place){0}, "starting libcurl");
    }
    *ret = http;
    return 0;
}

void http_free(struct http *http)
{
    if (!http)
        return;
    for (size_t i = 0; i < http->count; i++) {
        struct transfer *transfer = http->transfers[i];

        if (transfer && transfer->state == TRANSFER_RUNS)
            http->api->multi_remove_handle(http->multi, transfer->easy);
        transfer_free(transfer);
    }
    http->api->multi_cleanup(http->multi);
    free(http->transfers);
    free(http);
}

int http_add(struct http *http, const struct http_request *request,
             size_t *ret_number, struct cprof_error *err)
{
    struct transfer **transfers =
        realloc(http->transfers, (http->count + 1) * sizeof(struct transfer *));
    int rc;

    if (!transfers)
        return error_memory(err, (struct place){request->name, 0, 0},
                            "preparing a request");
    http->transfers = transfers;
    rc = transfer_new(&transfers[http->count], http->api, &http->options,
                      request, err);
    if (rc < 0)
        return rc;
    *ret_number = http->count++;
    return 0;
}

/* How long a request may take that begins now: its share of what is left to it
 * and to the others that wait, of whom HTTP_PARALLEL run at a time. */
static uint64_t share_of(const struct http *http, const struct transfer *begins,
                         uint64_t now_ms)
{
    const struct http_options *options = &http->options;
    uint64_t left = options->until_ms > now_ms ? options->until_ms - now_ms : 0;
    size_t n_others = 0;
    uint64_t share;

    if (!options->until_ms)
        return options->total_ms;
    for (size_t i = 0; i < http->count; i++) {
        const struct transfer *transfer = http->transfers[i];

        n_others +=
            transfer && transfer != begins && transfer->state == TRANSFER_WAITS;
    }
    share = left / (1 + n_others / HTTP_PARALLEL);
    if (share < options->least_ms)
        share = options->least_ms < left ? options->least_ms : left;
    return share < options->total_ms ? share : options->total_ms;
}

static void start(struct http *http, struct transfer *transfer, uint64_t now_ms)
{
    bool has_begun;

    if (!transfer->deadline_ms)
        transfer->total_ms = share_of(http, transfer, now_ms);
    has_begun = transfer->total_ms > 0;
    if (has_begun)
        has_begun = transfer_start(transfer, now_ms);
    else
        transfer_refuse(transfer);
    if (has_begun &&
        http->api->multi_add_handle(http->multi, transfer->easy) != CURL_OK) {
        transfer_end(transfer, CURL_OUT_OF_MEMORY, now_ms);
        has_begun = false;
    }
    http->n_running += has_begun;
    http->n_ended += !has_begun;
}

/* Starts what may start around a number. Returns for how many milliseconds at
 * most nothing else will. */
static int start_some(struct http *http, size_t number)
{
    uint64_t now = http->options.now_ms(http->options.user_data);
    uint64_t wait = TICK_MS;

    for (size_t i = number; i < http->count && i < number + HTTP_AHEAD; i++) {
        struct transfer *transfer = http->transfers[i];

        if (http->n_running == HTTP_PARALLEL)
            break;
        if (!transfer || transfer->state != TRANSFER_WAITS)
            continue;
        if (transfer->start_ms <= now)
            start(http, transfer, now);
        else if (transfer->start_ms - now < wait)
            wait = transfer->start_ms - now;
    }
    return (int)wait;
}

/* Takes in which transfers have ended. */
static void take_messages(struct http *http)
{
    struct curl_message *message;
    int left;

    while ((message = http->api->multi_info_read(http->multi, &left))) {
        struct transfer *transfer = NULL;
        int code = message->data.result;

        if (message->kind != CURL_MESSAGE_DONE)
            continue;
        http->api->easy_getinfo(message->easy, CURL_INFO_PRIVATE, &transfer);
        /* This frees the message, too. */
        http->api->multi_remove_handle(http->multi, message->easy);
        transfer_end(transfer, code,
                     http->options.now_ms(http->options.user_data));
        http->n_running--;
        http->n_ended += transfer->state == TRANSFER_ENDED;
    }
}

static void tell_progress(const struct http *http)
{
    struct http_progress progress = {http->n_ended, http->count, 0};

    if (!http->options.progress)
        return;
    for (size_t i = 0; i < http->count; i++) {
        if (http->transfers[i] && http->transfers[i]->state == TRANSFER_RUNS)
            progress.n_bytes += http->transfers[i]->body.size;
    }
    http->options.progress(http->options.user_data, &progress);
}

/* Runs all transfers for a moment. False when libcurl itself has failed. */
static bool run_once(struct http *http, size_t number)
{
    int wait = start_some(http, number);
    int running = 0;

    if (http->api->multi_perform(http->multi, &running) != CURL_OK)
        return false;
    take_messages(http);
    tell_progress(http);
    if (http->transfers[number]->state == TRANSFER_ENDED)
        return true;
    return http->api->multi_poll(http->multi, NULL, 0, wait, NULL) == CURL_OK;
}

int http_wait(struct http *http, size_t number, struct http_answer *ret,
              struct cprof_error *err)
{
    struct transfer *transfer = http->transfers[number];

    while (transfer->state != TRANSFER_ENDED) {
        if (!run_once(http, number))
            return error_set(err, CPROF_EIO,
                             (struct place){transfer->name, 0, 0},
                             "libcurl has failed: no answer can be waited for");
    }
    if (transfer->error.code != CPROF_OK) {
        if (err)
            *err = transfer->error;
        return transfer->error.code;
    }
    *ret = (struct http_answer){.status = transfer->status,
                                .url = transfer->final_url,
                                .is_redirected = transfer->redirects > 0,
                                .body = &transfer->body};
    return 0;
}

bool http_has_begun(const struct http *http, size_t number)
{
    return http->transfers[number]->attempts > 0;
}

void http_drop(struct http *http, size_t number)
{
    transfer_free(http->transfers[number]);
    http->transfers[number] = NULL;
}
