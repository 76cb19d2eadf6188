/* answer.h - what a server answered instead of a profile.
 *
 * An answer of a status other than 2xx, or an empty one, is an error that
 * quotes it and says why that probably is. To teach the program another such
 * answer, add a line to the table in answer.c. */
#ifndef FETCH_ANSWER_H
#define FETCH_ANSWER_H

#include "base/error.h"
#include "base/redact.h"
#include "http/http.h"

/* Whether the program was asked for a profile that it does not have, as
 * programs before Go 1.27 have no goroutineleak
 * (net/http/pprof/pprof.go: handler.ServeHTTP). */
bool answer_is_unknown_profile(const struct http_answer *answer);

/* 0 for an answer that may hold a profile. CPROF_EIO: it is none; the message
 * has the status, the first line and the likely cause. secrets are
 * those of the request, which the server may have quoted: its credentials, if
 * it had any, and those of its query. name is what messages call it. */
int answer_check(const struct http_answer *answer, const char *name,
                 const struct redaction *secrets, bool has_credentials,
                 struct cprof_error *err);

#endif
