/* judge.h - who gets a group.
 *
 * Normal rules come first: what they match is set aside. The others come in
 * levels: those that know names, those that know states only, those that match
 * everything; and in each the user's rules before the built-in ones. A level
 * (level.c) sees what the levels before it left. Within a level the rule with
 * the worst severity gets the group, and of equals the first. At last, built-in
 * rules mention what nobody took (judge_may_ask). */
#ifndef RULES_JUDGE_H
#define RULES_JUDGE_H

#include "rules/findings.h"
#include "rules/match.h"

struct echo;

struct judge {
    struct analysis *analysis;
    const struct symbols *symbols;
    struct findings *findings;
    struct budget *budget;
    struct subject subject;
    const struct rule **rules; /* in order of level */
    size_t n_rules;
    size_t *snapshots; /* that are judged */
    size_t n_snapshots;
    uint32_t *go;        /* GO_VERSION of each of them; 0 = unknown */
    uint32_t go_assumed; /* of those that do not tell */
    uint64_t *sums;      /* of a bucket, in each of them (bucket.h) */
    uint32_t *taken;     /* room for the groups of a bucket */
    uint32_t *known; /* of a comparison, by group: the level (from 1) whose rule
                        would own it in the last dump alone; 0 = none yet */
    uint32_t level;  /* that is asked, from 1 */
    uint64_t **ranks; /* of places in each of them (figures.h); NULL until
                         somebody asks */
    uint64_t *rests;  /* what shares are taken of, in each of them (beside.h);
                         NULL until somebody asks */
    bool is_starved;  /* there was no memory for these */
    struct echo *echoes; /* of rules that others name (correlate.h) */
    bool is_mentioning;  /* tiers were asked; now small numbers are named */
};

/* Whether rules may still have a group: nobody has it, the user wants to see
 * it, and a judged snapshot holds goroutines of it. */
bool judge_is_open(const struct judge *judge, size_t group);

/* Whether a rule has a say in a judged snapshot (by its place in
 * judge->snapshots): its range of Go versions holds, and its `with`. */
bool judge_takes_part(const struct judge *judge, const struct rule *rule,
                      size_t snapshot);

/* The goroutines that a built-in rule mentions as info though none of its tiers
 * holds: a few may be the beginning, or how a test shows the symptom. */
enum { MENTION_LEAST = 3 };

/* Whether a rule takes part now: all do while tiers are asked. Then those that
 * mention do: built-in rules that know names, and of those that know only
 * states the ones without an info tier, whose wait healthy programs do not keep
 * (a send, a lock); the others say themselves from how many on they speak.
 * Moments that are compared mention nothing. */
bool judge_may_ask(const struct judge *judge, const struct rule *rule);

/* Lets n rules of one level, from index first of judge->rules, take what they
 * match and find worth a severity. False when memory ran out. */
bool judge_level(struct judge *judge, size_t first, size_t n);

#endif
