/* address.h - where a running program serves its profiles.
 *
 * An address is one of
 *
 *     http://HOST[:PORT][/PATH][?QUERY]     the same with https
 *     HOST:PORT[/PATH]                      http; without HOST it is localhost
 *     unix:SOCKET[:/PATH]                   http over a socket of this machine
 *
 * Without a path it means /debug/pprof/goroutine, where net/http/pprof serves
 * goroutines (net/http/pprof/pprof.go: Index); a path that ends in /pprof is
 * completed to /pprof/goroutine. Other paths are asked as they are, and a query
 * always. Without debug= the answer is a protobuf, which the program makes with
 * the shortest pause.
 *
 * An address carries no credentials: whoever may list the processes of the
 * machine could read them. */
#ifndef FETCH_ADDRESS_H
#define FETCH_ADDRESS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/redact.h"

/* --debug was not given. */
enum { ADDRESS_DEBUG_UNSET = -1 };

struct address {
    char *url;      /* what is asked; all texts are owned */
    char *leak_url; /* the goroutineleak profile beside it; NULL = nobody knows
                       where that is */
    char *socket;   /* NULL = by TCP */
    char *name;     /* the URL as it may be shown: no query that may hold a
                       secret */
    char *leak_name;
    char *instance; /* "host:port", or the socket's path */
};

/* What holds for all addresses of a run. */
struct address_options {
    int debug;          /* 0, 1, 2 or ADDRESS_DEBUG_UNSET */
    const char *socket; /* --unix-socket; NULL = none */
};

/* Whether a text has the form of an address. "HOST:PORT" may be the name of a
 * file as well; ret_is_sure is false for it. */
bool address_looks(struct str text, bool *ret_is_sure);

/* CPROF_EUSAGE: a text that is no file is meant as an address, for it begins
 * with a scheme that is not asked or holds a user, its "@" perhaps encoded; the
 * message shows neither that nor what stands behind the host. */
int address_refuse(const char *text, struct cprof_error *err);

/* Takes an address apart. CPROF_EUSAGE says what is wrong with it and shows no
 * password that stands in it. */
int address_parse(struct address *ret, const char *text,
                  const struct address_options *options,
                  struct cprof_error *err);

/* Frees the texts. */
void address_done(struct address *address);

/* Appends an URL as it may be shown: without user, and with "?..." for a query
 * that has other keys than those of net/http/pprof. */
void address_add_shown(struct buf *buf, struct str url);

/* Adds what address_add_shown leaves out of a query to the secrets: the whole
 * of it, as a server repeats it with the line of the request, and each value
 * that is no short one. */
void address_add_secrets(struct redaction *secrets, struct str url);

#endif
