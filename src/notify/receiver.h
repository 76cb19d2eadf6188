/* receiver.h - where alerts are posted to, and its secrets.
 *
 * The address of a webhook is a secret: whoever knows it can post. So it comes
 * from a file or the environment, a receiver is called by its kind and its host
 * alone, and whatever a server answers goes through receiver_hide before it is
 * quoted. */
#ifndef NOTIFY_RECEIVER_H
#define NOTIFY_RECEIVER_H

#include "base/buf.h"
#include "base/error.h"
#include "notify/notifier.h"

enum { RECEIVER_FIELDS = 8 };

struct receiver {
    enum notifier_kind kind;
    char *url;  /* NULL = it could not be read: nothing can be delivered */
    char *key;  /* PagerDuty's; NULL = none */
    char *name; /* "Slack (hooks.slack.com)" */
    /* Of the header, the content type included; NULL ends the list. */
    char *fields[RECEIVER_FIELDS + 2];
};

/* Where PagerDuty takes events, unless another address is given. */
extern const char receiver_pagerduty_url[];

/* Makes a receiver of what a file or a variable holds: the address (of
 * PagerDuty the key) in the first line that is not blank, and in each further
 * one a field of the header, "Name: value", such as an Authorization. where is
 * the file's or variable's name for messages, which never quote the text; url
 * is PagerDuty's address, or NULL for the usual one. */
int receiver_parse(struct receiver *ret, enum notifier_kind kind,
                   struct str text, const char *where, const char *url,
                   struct cprof_error *err);

/* Makes a receiver whose address could not be read, so that what it would be
 * told is kept for it. CPROF_ENOMEM. */
int receiver_absent(struct receiver *ret, enum notifier_kind kind,
                    struct cprof_error *err);

/* Wipes the secrets and frees everything. */
void receiver_done(struct receiver *receiver);

/* Appends a text with every word of the receiver's secrets replaced by "***".
 * */
void receiver_hide(struct buf *buf, const struct receiver *receiver,
                   struct str text);

#endif
