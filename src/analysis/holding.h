/* holding.h - who holds what others wait for, and who waits for whom.
 *
 * A dump says who waits for a lock, and never who holds it. It is inferred: a
 * goroutine that has the lock's address, or that of the object around it, among
 * its arguments, or stands in a function near those that wait, behind the line
 * where they take the lock. The reason is always told (enum evidence), and how
 * far it reaches (enum certainty). */
#ifndef ANALYSIS_HOLDING_H
#define ANALYSIS_HOLDING_H

#include "model/symbols.h"

struct joined_group;
struct pool_owners;

/* ORDER HOLDING: as the words in holding.c. */
enum holding_kind {
    HOLDING_MUTEX,
    HOLDING_RWMUTEX,
    HOLDING_ONCE,      /* sync.Once while its function runs */
    HOLDING_FD,        /* the lock of a file descriptor (internal/poll) */
    HOLDING_WAITGROUP, /* held by who has not called Done yet */
    HOLDING_COND,
    HOLDING_CHANNEL, /* a channel as a semaphore: held by who sent */
    HOLDING_POOL,    /* connections or places of a library */
};

/* Why somebody is believed to hold it; the strongest last. ORDER EVIDENCE. */
enum evidence_kind {
    EVIDENCE_NONE,
    EVIDENCE_BUSY_IN_FILE,  /* nobody else in the file is in the middle of
                               something */
    EVIDENCE_SAME_FILE,     /* nobody else in the file could */
    EVIDENCE_MUST_READ,     /* a writer waits for readers, and nobody else can
                               be one */
    EVIDENCE_NEIGHBOUR,     /* it waits for the variable beside the lock */
    EVIDENCE_NEAR_FUNCTION, /* a function of the same scope, or of the pool */
    EVIDENCE_PAST_CALL,     /* behind a call of the function where others wait,
                               or in a closure of who calls it (not is_past) */
    EVIDENCE_STARTED,       /* started by the function that waits */
    EVIDENCE_PAST,          /* behind the line where the others wait */
    EVIDENCE_NEAR_ADDRESS,  /* an object of the type right before the lock */
    EVIDENCE_OBJECT,        /* the object around the lock is an argument */
    EVIDENCE_LOCK,          /* the lock itself is one */
};

/* Whether those who are told of a WaitGroup are its members: goroutines that a
 * function has started are, unless it starts others as well. */
enum membership { MEMBERS_ALL, MEMBERS_SOME, MEMBERS_PERHAPS };

enum certainty { CERTAINTY_LOW, CERTAINTY_MEDIUM, CERTAINTY_HIGH };

/* A goroutine that probably holds it, or goroutines of one group. */
struct holder {
    struct joined_group *group;
    uint64_t goroutine; /* its id; 0 = not known which of the group */
    uint64_t count;     /* 1, or how many of the group it may be; of a
                           semaphore: how many hold a place */
    frame_id frame;     /* where it is inside */
    struct str step;    /* of a connection that is being made: how far it is
                           (pools.h); else empty */
    enum evidence_kind evidence;
    bool is_past;    /* behind the line where others take it, too */
    bool is_maybe;   /* the address may be left over: "0xc000010000?" */
    bool is_itself;  /* it waits for what it holds */
    bool is_at_wait; /* frame is the one that waits for something else */
    int score;       /* orders the candidates */
    enum certainty certainty;
    const struct holding *waits; /* what it waits for itself; NULL = no lock */
};

enum { HOLDERS_KEPT = 4 };

/* Something that goroutines of one snapshot wait for. */
struct holding {
    enum holding_kind kind;
    bool is_object;              /* the address is of the object around it */
    bool has_wait;               /* wait_max is known */
    bool is_partial;             /* not every goroutine could be looked at */
    bool is_rest;                /* these are locks that were not looked at:
                                    nothing is found of them, and no group
                                    shows them (most_waited.h) */
    bool is_stranded;            /* nobody is left to unlock it: stranded.h */
    bool is_tended;              /* of a WaitGroup: its members are all there,
                                    and none is stuck as far as can be seen:
                                    tended.h */
    bool may_idle;               /* unless one that idles holds it */
    bool is_called;              /* of a channel: all who send were called to,
                                    and do not exist in order to send; or it
                                    certainly hands out places */
    bool is_limit;               /* of a channel: some stand behind the send
                                    otherwise than for a reply, or a library
                                    hands out places */
    enum membership members;     /* of a WaitGroup */
    uint64_t address;            /* of the lock; 0 = unknown */
    uint64_t waiters;            /* goroutines */
    uint32_t wait_max;           /* whole minutes, over all waiters' groups */
    frame_id site;               /* where most of them wait */
    struct joined_group *writer; /* of an RWMutex: who waits for its
                                          readers and keeps out new ones */
    uint64_t writer_id;          /* that goroutine; 0 = not known which */
    frame_id writer_frame;       /* where it waits */
    uint32_t lock;               /* index of it while locks are looked at; of
                                    places that are no locks 0 */
    size_t n_holders;            /* at most HOLDERS_KEPT */
    struct holder *holders;      /* probable ones, the best first */
    uint64_t n_candidates; /* goroutines as likely as the first; of semaphores
                               and pools: all that hold a place */
    uint64_t n_without;    /* who hold nothing yet. Of a channel: those behind
                              the send, when all of them wait there for a reply;
                              then it is a request, and its holders are perhaps
                              the workers. Of a pool: those of n_candidates
                              whose connection is being made */
    uint64_t n_again;      /* of a channel or pool: waiters who perhaps have
                              one already, as they are behind a line where
                              others take one, or members of an errgroup; they
                              are no candidates, and have no holder */
    frame_id again;        /* that line of most of them: their frame there */
    struct pool_owners *owners; /* of a pool: who perhaps has a connection,
                                   behind such a line; NULL = nobody */
    struct str starter; /* of a channel: the function that started those who
                           send, in order to send; its holders are who is in
                           that function. Empty = they were called, or not
                           known */
    struct str name;    /* of a pool: "database/sql connection"; of a channel:
                        "place" where a library certainly hands out places */
};

/* One step of a circle: a goroutine waits for what the next one holds. */
struct cycle_link {
    struct joined_group *group;
    uint64_t goroutine;          /* 0 = not known which of the group */
    uint64_t count;              /* goroutines that it may be */
    frame_id frame;              /* where it holds what the one before wants */
    const struct holding *holds; /* what the one before wants */
    const struct holding *wants; /* NULL: it waits for a channel */
    bool is_writer; /* holds nothing yet: a writer that new readers wait for */
    enum certainty certainty; /* that it holds it */
};

/* Goroutines that wait for each other in a circle. The first wants what the
 * second holds, and so on; the last wants what the first holds. */
struct wait_cycle {
    const struct cycle_link *links;
    size_t n_links;
    enum certainty certainty; /* of the weakest link */
};

/* "sync.Mutex", "sync.RWMutex", ...: what is waited for, in words. */
const char *holding_kind_text(enum holding_kind kind);

/* The words of JSON, from "address" to "busy_in_file"; "none". */
const char *evidence_kind_text(enum evidence_kind kind);

/* The words of JSON: "low", "medium", "high". */
const char *certainty_text(enum certainty certainty);

#endif
