/* requests.h - sends that hand a request to a worker, and the workers.
 *
 * Who took a place goes on with its work; who sent a request waits right behind
 * the send, in the same function, for the reply. Those hold nothing. What keeps
 * the queue is what its workers do: goroutines that began with a method of the
 * type that sends. */
#ifndef ANALYSIS_REQUESTS_H
#define ANALYSIS_REQUESTS_H

#include "analysis/analysis.h"
#include "analysis/scopes.h"

/* A send that is a request. */
struct request {
    struct holding *holding;
    text_id function; /* of the send */
    scope_id scope;   /* its type: scope_of */
};

/* Puts n requests in the order that requests_add_worker asks for. */
void requests_sort(struct request *requests, size_t n);

/* Whether a group waits in its frame at index for a reply: it receives there
 * itself, or selects. */
bool is_reply(const struct joined_group *group, uint32_t frame);

/* The frames of a stack without the closures that its goroutine began with. The
 * compiler writes one for "go f(x)", which only dumps of a crash show and which
 * Go before 1.22 names like those of the source. */
uint32_t without_entry(const struct symbols *symbols, struct stack stack);

/* Adds a group to the holdings of those of n sorted requests whose worker it
 * may be. */
void requests_add_worker(struct analysis *analysis,
                         const struct request *requests, size_t n,
                         struct joined_group *group);

#endif
