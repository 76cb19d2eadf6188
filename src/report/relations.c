/* What findings have to do with each other: those of one rule, and those that
 * wait behind a circle that another one shows. Writers ask for it finding by
 * finding, so that it is settled once for all of them. */
#include "base/hash.h"
#include "report/built.h"

/* The findings of one rule form a chain, in order. */
struct relation {
    uint32_t next; /* of its rule: index + 1; 0 = it is the last */
    uint32_t last; /* of its rule, where this is the first: an index */
    enum words_place words;
};

/* A goroutine of a circle that is certain, and what showed it so far. */
struct circled {
    uint64_t goroutine;
    const struct rule_info *rule; /* of the first finding */
    bool has_other_rule;
};

/* What building needs beside the report. */
struct circles {
    const struct wait_cycle *cycles;
    size_t n_cycles;
    struct circled *shown; /* by cycle; goroutine has no meaning */
    struct circled *items;
    size_t count;
    struct table table; /* of items, by goroutine */
    struct arena arena;
};

/* --- Rules ---------------------------------------------------------------- */

static uint64_t hash_rule(const struct rule_info *rule)
{
    return hash_mix((uint64_t)(uintptr_t)rule, 0);
}

static uint64_t rehash_finding(const void *user, uint32_t id)
{
    const struct cprof_report *report = user;

    return hash_rule(findings_get(report->findings, id - 1)->rule);
}

size_t report_first_of(const struct cprof_report *report,
                       const struct rule_info *rule)
{
    struct table_walk walk = table_walk(&report->firsts, hash_rule(rule));
    uint32_t id;

    while ((id = table_next(&report->firsts, &walk)) != 0) {
        if (findings_get(report->findings, id - 1)->rule == rule)
            return id - 1;
    }
    return SIZE_MAX;
}

size_t report_next_of(const struct cprof_report *report, size_t index)
{
    uint32_t next = report->relations[index].next;

    return next ? next - 1 : SIZE_MAX;
}

/* Puts a finding behind those of its rule. */
static bool chain(struct cprof_report *report, size_t index)
{
    const struct rule_info *rule = findings_get(report->findings, index)->rule;
    size_t first = report_first_of(report, rule);
    struct relation *relations = report->relations;

    if (first == SIZE_MAX) {
        relations[index].last = (uint32_t)index;
        return table_put(&report->firsts, hash_rule(rule), (uint32_t)index + 1,
                         rehash_finding, report);
    }
    relations[relations[first].last].next = (uint32_t)index + 1;
    relations[first].last = (uint32_t)index;
    relations[index].words = WORDS_ABOVE;
    return true;
}

/* --- Circles -------------------------------------------------------------- */

size_t report_first_in(const struct cprof_report *report,
                       const struct wait_cycle *cycle)
{
    size_t n;
    const struct wait_cycle *cycles = analysis_cycles(report->analysis, &n);
    uint32_t first = report->first_in[cycle - cycles];

    return first ? first - 1 : SIZE_MAX;
}

static uint64_t hash_goroutine(uint64_t goroutine)
{
    return hash_mix(goroutine, 0);
}

static uint64_t rehash_circled(const void *user, uint32_t id)
{
    const struct circles *circles = user;

    return hash_goroutine(circles->items[id - 1].goroutine);
}

static struct circled *find_circled(const struct circles *circles,
                                    uint64_t goroutine)
{
    struct table_walk walk =
        table_walk(&circles->table, hash_goroutine(goroutine));
    uint32_t id;

    while ((id = table_next(&circles->table, &walk)) != 0) {
        if (circles->items[id - 1].goroutine == goroutine)
            return &circles->items[id - 1];
    }
    return NULL;
}

/* Remembers that a finding of a rule shows something. False when that was known
 * of so many rules that one more tells nothing. */
static bool note_rule(struct circled *circled, const struct rule_info *rule)
{
    if (!circled->rule) {
        circled->rule = rule;
        return true;
    }
    if (circled->rule == rule || circled->has_other_rule)
        return false;
    circled->has_other_rule = true;
    return true;
}

/* Notes a goroutine of a circle that a finding of a rule shows. */
static bool note_goroutine(struct circles *circles, uint64_t goroutine,
                           const struct rule_info *rule)
{
    struct circled *circled = find_circled(circles, goroutine);

    if (!circled) {
        circled = &circles->items[circles->count++];
        circled->goroutine = goroutine;
        if (!table_put(&circles->table, hash_goroutine(goroutine),
                       (uint32_t)circles->count, rehash_circled, circles))
            return false;
    }
    note_rule(circled, rule);
    return true;
}

/* Notes the circle of a finding, if that is certain. Many findings share one:
 * its links are looked at for the first two rules only. */
static bool note_circle(struct circles *circles, const struct finding *finding)
{
    const struct wait_cycle *cycle = finding->cycle;

    if (!cycle || cycle->certainty < CERTAINTY_HIGH ||
        !note_rule(&circles->shown[cycle - circles->cycles], finding->rule))
        return true;
    for (size_t i = 0; i < cycle->n_links; i++) {
        if (cycle->links[i].goroutine &&
            !note_goroutine(circles, cycle->links[i].goroutine, finding->rule))
            return false;
    }
    return true;
}

/* Whether what a finding waits for is held by a goroutine of a circle that a
 * finding of another rule shows above it. */
static bool is_behind(const struct circles *circles,
                      const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    const struct circled *circled;

    if (!holding || !holding->n_holders || finding->n_holdings >= 2)
        return false;
    circled = find_circled(circles, holding->holders[0].goroutine);
    return circled &&
           (circled->rule != finding->rule || circled->has_other_rule);
}

/* Makes room for every goroutine of every circle. */
static bool circles_init(struct circles *circles,
                         const struct cprof_report *report)
{
    size_t n_links = 0;

    *circles = (struct circles){0};
    arena_init(&circles->arena, report->budget);
    table_init(&circles->table, report->budget);
    circles->cycles = analysis_cycles(report->analysis, &circles->n_cycles);
    for (size_t i = 0; i < circles->n_cycles; i++)
        n_links += circles->cycles[i].n_links;
    circles->shown = arena_take_zero(
        &circles->arena, circles->n_cycles * sizeof(*circles->shown));
    circles->items =
        arena_take_zero(&circles->arena, n_links * sizeof(*circles->items));
    return circles->shown && circles->items;
}

static void circles_done(struct circles *circles)
{
    table_done(&circles->table);
    arena_done(&circles->arena);
}

/* --- All of it ------------------------------------------------------------ */

enum words_place report_words_place(const struct cprof_report *report,
                                    size_t index)
{
    return report->relations[index].words;
}

static bool relate(struct cprof_report *report, struct circles *circles,
                   size_t index)
{
    const struct finding *finding = findings_get(report->findings, index);

    if (!chain(report, index))
        return false;
    if (is_behind(circles, finding))
        report->relations[index].words = WORDS_OF_CIRCLE;
    if (finding->cycle && !report->first_in[finding->cycle - circles->cycles])
        report->first_in[finding->cycle - circles->cycles] =
            (uint32_t)index + 1;
    return note_circle(circles, finding);
}

int relations_build(struct cprof_report *report, struct cprof_error *err)
{
    size_t n = findings_count(report->findings);
    struct circles circles;
    bool has_room = circles_init(&circles, report);

    report->relations =
        arena_take_zero(&report->arena, n * sizeof(*report->relations));
    report->first_in = arena_take_zero(
        &report->arena, circles.n_cycles * sizeof(*report->first_in));
    has_room &= report->relations && report->first_in;
    for (size_t i = 0; has_room && i < n; i++)
        has_room = relate(report, &circles, i);
    circles_done(&circles);
    return has_room
               ? 0
               : error_memory(err, (struct place){0}, "building the report");
}
