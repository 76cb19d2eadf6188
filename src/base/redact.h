/* redact.h - secrets, and taking them out of what others say.
 *
 * A server may answer with the request that it got: with the token, the
 * password, the same in base64 or in percent-encoding. What is quoted of it
 * goes through here. A prefix of a secret goes as well, as quotes are cut. */
#ifndef BASE_REDACT_H
#define BASE_REDACT_H

#include "base/buf.h"

/* Whole secrets that are shorter guard nothing, and stand in too many innocent
 * texts. */
enum { REDACT_LEAST = 3 };

/* A list of secrets. A zeroed one is empty. */
struct redaction {
    struct buf *secrets; /* owned, as their texts are */
    size_t count;
    bool failed; /* one could not be kept: nothing may be quoted */
};

/* Wipes and frees the secrets. */
void redaction_done(struct redaction *redaction);

/* Adds a secret as it is. One of fewer bytes than REDACT_LEAST is none. */
void redaction_add(struct redaction *redaction, struct str secret);

/* Adds "NAME:PASSWORD", its parts but for a short name alone, and what the
 * header of a request makes of it (RFC 7617: base64). */
void redaction_add_user(struct redaction *redaction, struct str user);

/* Appends a text with "***" for every secret in it, in whatever of its letters
 * are percent-encoded; after a failure "***" alone. */
void redaction_hide(struct buf *buf, const struct redaction *redaction,
                    struct str text);

/* Appends a text with what is percent-encoded in it decoded. */
void percent_decode(struct buf *buf, struct str text);

#endif
