/* delivery.h - posting an outcome to its receivers.
 *
 * A receiver is told of an alert when it fires, when what it amounts to changes
 * and when it is resolved; Alertmanager, which forgets what it is not told
 * again, of all that fire at every run. What could not be delivered is
 * remembered by the caller and tried again at the next run, so that a receiver
 * that is down for an hour misses nothing, and may hear a thing twice. */
#ifndef NOTIFY_DELIVERY_H
#define NOTIFY_DELIVERY_H

#include "http/http.h"
#include "notify/receiver.h"

struct curl_api;

enum { DELIVERY_MS = 20000 };

struct delivery {
    const struct curl_api *api;
    /* Without user and bearer, which are for the targets. total_ms is set
     * here. */
    const struct http_options *options;
    uint64_t most_ms; /* for everything together; 0 = DELIVERY_MS */
    const struct receiver *receivers;
    size_t n_receivers;
    /* Is told of each message that could not be delivered. */
    void (*failed)(void *user_data, const struct cprof_error *err);
    void *user_data;
};

/* Posts all messages, a few at a time, and waits for the answers: whatever is
 * no 2xx is a failure. unsent holds one mask for each alert, of the kinds of
 * receivers (1 << enum notifier_kind): on entry of those that could not be told
 * in earlier runs, on return of those that are still to be told. Returns how
 * many messages failed. */
size_t delivery_run(const struct delivery *delivery,
                    const struct outcome *outcome, uint32_t *unsent);

/* In place of delivery_run where nothing can be posted: what there is to tell
 * is still to be told. */
void delivery_refuse(const struct delivery *delivery,
                     const struct outcome *outcome, uint32_t *unsent);

#endif
