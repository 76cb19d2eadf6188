/* fields.h - fields of messages that several forms have. */
#ifndef NOTIFY_FIELDS_H
#define NOTIFY_FIELDS_H

#include "base/json.h"
#include "notify/clean.h"
#include "notify/notifier.h"
#include "notify/words.h"

/* A key with a text as clean_add makes it. */
void field_clean(struct json *json, const char *key, struct str text,
                 size_t most, enum clean_manner manner);

/* The same, or nothing at all for an empty text. */
void field_clean_if(struct json *json, const char *key, struct str text,
                    size_t most, enum clean_manner manner);

/* A key with the summary of an alert, cut at `most` bytes. */
void field_summary(struct json *json, const char *key,
                   const struct message *message,
                   const struct outcome_alert *alert, size_t most,
                   enum clean_manner manner);

/* The alert with a place in a message. */
const struct outcome_alert *message_alert(const struct message *message,
                                          size_t index);

/* Appends what a message is about, uncleaned: the worst status of its alerts
 * and how many there are, "CRITICAL api: 2 alerts, 1 resolved". Of a single
 * alert it is the summary. */
void message_add_title(struct buf *buf, const struct message *message);

/* Writes the labels of an alert's target whose names Prometheus takes, except
 * those that it gives itself or that a list has, which ends with NULL. */
void field_target_labels(struct json *json, const struct outcome_target *target,
                         const char *const *taken);

#endif
