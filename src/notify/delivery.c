#include "notify/delivery.h"

#include <stdlib.h>

#include "http/libcurl.h"
#include "notify/words.h"

enum { QUOTE_MOST = 200 };

/* A message on its way. */
struct post {
    const struct receiver *receiver;
    size_t first;  /* of its alerts in the list of the receiver */
    size_t n;      /* how many */
    size_t number; /* of its request */
    bool is_asked; /* the request could be made */
};

/* All messages of a run. */
struct posts {
    struct post *items;
    size_t count;
    size_t *alerts; /* lists of indices, one behind the other */
    size_t n_alerts;
};

static uint32_t bit_of(const struct receiver *receiver)
{
    return 1u << receiver->kind;
}

/* Whether the run that has its target tells of an alert. */
static bool is_elsewhere(const struct outcome *outcome,
                         const struct outcome_alert *alert)
{
    return alert_target(outcome, alert)->is_busy;
}

static bool is_told(const struct receiver *receiver,
                    const struct outcome *outcome,
                    const struct outcome_alert *alert, uint32_t unsent)
{
    bool is_unsent = (unsent & bit_of(receiver)) != 0;

    if (is_elsewhere(outcome, alert))
        return false;
    if (notifiers[receiver->kind].is_every_run)
        return alert_event_now(alert) == EVENT_FIRING ||
               alert_event_of(alert, is_unsent) != EVENT_NONE;
    return alert_event_of(alert, is_unsent) != EVENT_NONE;
}

/* Plans the messages of one receiver. */
static void plan(struct posts *posts, const struct receiver *receiver,
                 const struct outcome *outcome, const uint32_t *unsent)
{
    bool is_one_by_one = notifiers[receiver->kind].is_one_by_one;
    struct post *post = NULL;

    for (size_t i = 0; i < outcome->n_alerts; i++) {
        if (!is_told(receiver, outcome, &outcome->alerts[i], unsent[i]))
            continue;
        if (!post || is_one_by_one) {
            post = &posts->items[posts->count++];
            *post =
                (struct post){.receiver = receiver, .first = posts->n_alerts};
        }
        posts->alerts[posts->n_alerts++] = i;
        post->n++;
    }
}

static int ask(struct http *http, const struct posts *posts, struct post *post,
               const struct outcome *outcome, struct cprof_error *err)
{
    const struct receiver *receiver = post->receiver;
    struct message message = {.outcome = outcome,
                              .alerts = posts->alerts + post->first,
                              .n_alerts = post->n,
                              .key = receiver->key};
    struct buf body = {0};
    struct json json = json_begin(&body);
    struct http_request request = {.url = receiver->url,
                                   .name = receiver->name,
                                   .is_post = true,
                                   .fields =
                                       (const char *const *)receiver->fields};
    int rc;

    if (!receiver->url)
        return error_set(err, CPROF_EIO, (struct place){receiver->name, 0, 0},
                         "not delivered: its address could not be read");
    notifiers[receiver->kind].write(&json, &message);
    request.body = buf_str(&body);
    rc = body.failed ? error_memory(err, (struct place){receiver->name, 0, 0},
                                    "writing a message")
                     : http_add(http, &request, &post->number, err);
    buf_done(&body);
    post->is_asked = rc == 0;
    return rc;
}

/* What a refused message may need. */
static const char *advice_for(long status)
{
    if (status == 401 || status == 403)
        return ": check its address, key and fields of the header";
    if (status == 404 || status == 410)
        return ": check its address; it may have been revoked";
    if (status >= 300 && status <= 399)
        return ": it redirects, which is not followed; give the address that "
               "it leads to";
    return "";
}

/* Appends the first line of an answer, without secrets. */
static void add_quote(struct buf *buf, const struct receiver *receiver,
                      const struct http_answer *answer)
{
    char bytes[HTTP_ERROR_BODY];
    struct str text = str_trim(
        (struct str){bytes, spool_peek(answer->body, bytes, sizeof(bytes))});
    struct buf shown = {0};

    receiver_hide(&shown, receiver, str_head(text, str_find(text, '\n')));
    if (shown.len)
        buf_addf(buf, ", '" STR_FORMAT "'",
                 STR_ARG(str_head(buf_str(&shown), QUOTE_MOST)));
    buf->failed |= shown.failed;
    buf_done(&shown);
}

static int check_answer(const struct receiver *receiver,
                        const struct http_answer *answer,
                        struct cprof_error *err)
{
    struct place place = {receiver->name, 0, 0};
    struct buf buf = {0};
    int rc;

    if (answer->status >= 200 && answer->status <= 299)
        return 0;
    buf_addf(&buf, "not delivered: it answered with status %ld",
             answer->status);
    add_quote(&buf, receiver, answer);
    buf_add(&buf, str_from(advice_for(answer->status)));
    rc = buf.failed ? error_memory(err, place, "reading an answer")
                    : error_set(err, CPROF_EIO, place, "%s", buf.ptr);
    buf_done(&buf);
    return rc;
}

/* libcurl's own words may hold an address. */
static void hide(const struct receiver *receiver, struct cprof_error *err)
{
    struct cprof_error said = *err;
    struct buf shown = {0};

    receiver_hide(&shown, receiver, str_from(said.message));
    if (shown.ptr)
        error_set(err, said.code, (struct place){receiver->name, 0, 0},
                  "not delivered: %s", shown.ptr);
    buf_done(&shown);
}

static int wait(struct http *http, const struct post *post,
                struct cprof_error *err)
{
    struct http_answer answer;
    int rc = http_wait(http, post->number, &answer, err);

    if (rc < 0) {
        hide(post->receiver, err);
        return rc;
    }
    rc = check_answer(post->receiver, &answer, err);
    http_drop(http, post->number);
    return rc;
}

static void fail(const struct delivery *delivery, const struct posts *posts,
                 const struct post *post, uint32_t *left,
                 const struct cprof_error *err)
{
    for (size_t i = 0; i < post->n; i++)
        left[posts->alerts[post->first + i]] |= bit_of(post->receiver);
    delivery->failed(delivery->user_data, err);
}

/* Waits for a message, unless it has not begun when half of the time is up: a
 * request may take the other half. */
static int wait_until(struct http *http, const struct post *post,
                      const struct http_options *options, uint64_t deadline_ms,
                      struct cprof_error *err)
{
    if (options->now_ms(options->user_data) >= deadline_ms &&
        !http_has_begun(http, post->number))
        return error_set(err, CPROF_EIO,
                         (struct place){post->receiver->name, 0, 0},
                         "not delivered: no time was left for it");
    return wait(http, post, err);
}

/* Posts what was planned; left gathers what failed. */
static size_t run(const struct delivery *delivery,
                  const struct outcome *outcome, struct posts *posts,
                  uint32_t *left)
{
    struct http_options options = *delivery->options;
    uint64_t most = delivery->most_ms ? delivery->most_ms : DELIVERY_MS;
    uint64_t deadline = options.now_ms(options.user_data) + most / 2;
    struct cprof_error err = {0};
    struct http *http = NULL;
    size_t n_failed = 0;
    int rc;

    options.total_ms = most / 2 ? most / 2 : 1;
    rc = http_new(&http, delivery->api, &options, &err);

    for (size_t i = 0; i < posts->count; i++) {
        struct post *post = &posts->items[i];

        if (rc < 0 || ask(http, posts, post, outcome, &err) < 0) {
            fail(delivery, posts, post, left, &err);
            n_failed++;
        }
    }
    for (size_t i = 0; i < posts->count; i++) {
        const struct post *post = &posts->items[i];

        if (post->is_asked &&
            wait_until(http, post, &options, deadline, &err) < 0) {
            fail(delivery, posts, post, left, &err);
            n_failed++;
        }
    }
    http_free(http);
    return n_failed;
}

size_t delivery_run(const struct delivery *delivery,
                    const struct outcome *outcome, uint32_t *unsent)
{
    size_t most = delivery->n_receivers * outcome->n_alerts;
    struct posts posts = {.items = calloc(most + 1, sizeof(*posts.items)),
                          .alerts = calloc(most + 1, sizeof(*posts.alerts))};
    uint32_t *left = calloc(outcome->n_alerts + 1, sizeof(*left));
    size_t n_failed = 1;

    if (posts.items && posts.alerts && left) {
        for (size_t i = 0; i < delivery->n_receivers; i++)
            plan(&posts, &delivery->receivers[i], outcome, unsent);
        n_failed = posts.count ? run(delivery, outcome, &posts, left) : 0;
        for (size_t i = 0; i < outcome->n_alerts; i++) {
            if (!is_elsewhere(outcome, &outcome->alerts[i]))
                unsent[i] = left[i];
        }
    } else {
        struct cprof_error err = {0};

        error_memory(&err, (struct place){0}, "telling receivers");
        delivery->failed(delivery->user_data, &err);
    }
    free(posts.items);
    free(posts.alerts);
    free(left);
    return n_failed;
}

void delivery_refuse(const struct delivery *delivery,
                     const struct outcome *outcome, uint32_t *unsent)
{
    for (size_t i = 0; i < outcome->n_alerts; i++) {
        uint32_t left = 0;

        if (is_elsewhere(outcome, &outcome->alerts[i]))
            continue;
        for (size_t r = 0; r < delivery->n_receivers; r++) {
            const struct receiver *receiver = &delivery->receivers[r];

            if (is_told(receiver, outcome, &outcome->alerts[i], unsent[i]))
                left |= bit_of(receiver);
        }
        unsent[i] = left;
    }
}
