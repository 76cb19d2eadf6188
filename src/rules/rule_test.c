#include "rules/rule_test.h"

#include "model/evidence.h"
#include "model/name.h"
#include "rules/files.h"
#include "rules/findings.h"

/* What stands for the rest of a program: connections that wait for their next
 * request, which are normal in any number. */
static const struct str idle_frames[] = {
    STR_INIT("net/http.(*connReader).Read"),
    STR_INIT("bufio.(*Reader).fill"),
    STR_INIT("bufio.(*Reader).Peek"),
    STR_INIT("net/http.(*conn).serve"),
};

static const struct test_stack idle = {
    .state = STR_INIT("IO wait"),
    .frames = {idle_frames, sizeof(idle_frames) / sizeof(idle_frames[0])},
    .created_by = STR_INIT("net/http.(*Server).Serve"),
};

/* Appends the path of a function's file where a test does not give one: in
 * the tree of Go for its own packages, else below /src. */
static void add_path(struct buf *out, struct str function)
{
    struct str package = name_package(function);
    size_t slash = str_rfind(package, '/');
    struct str last =
        slash < package.len ? str_skip(package, slash + 1) : package;

    buf_addf(out, "%s/" STR_FORMAT "/" STR_FORMAT ".go",
             name_is_std(function) ? "/usr/local/go/src" : "/src",
             STR_ARG(package), STR_ARG(last));
}

/* Whether a word is FILE:LINE. */
static bool is_place(struct str word)
{
    size_t colon = str_rfind(word, ':');
    uint64_t line = 0;

    return colon && colon + 1 < word.len &&
           str_to_u64(str_skip(word, colon + 1), &line);
}

/* Appends the line below a call: "\t/src/main.go:42 +0x1d". */
static void add_place(struct buf *out, struct str function, struct str place,
                      size_t index)
{
    buf_add_char(out, '\t');
    if (place.len) {
        if (place.ptr[0] != '/')
            buf_add(out, STR("/src/"));
        buf_add(out, place);
    } else {
        add_path(out, function);
        buf_addf(out, ":%zu", index + 10);
    }
    buf_add(out, STR(" +0x1d\n"));
}

/* Splits "main.f main.go:42" into a function and, perhaps, a place. */
static struct str split_frame(struct str frame, struct str *ret_place)
{
    size_t blank = str_rfind(frame, ' ');

    *ret_place = blank < frame.len ? str_skip(frame, blank + 1) : STR("");
    if (!is_place(*ret_place)) {
        *ret_place = STR("");
        return frame;
    }
    return str_trim(str_head(frame, blank));
}

/* runtime/traceback.go: goroutineheader and, for labels, printlabels of
 * Go 1.26. Of goroutines that have waited for so long at least, Go may print as
 * little. */
static void add_header(struct buf *out, const struct test_stack *stack,
                       uint64_t id)
{
    buf_addf(out, "goroutine %llu [" STR_FORMAT, (unsigned long long)id,
             STR_ARG(stack->state));
    if (stack->leaked == WANTED_YES)
        buf_add(out, STR(" (leaked)"));
    if (stack->has_age && stack->age_s >= 60)
        buf_addf(out, ", %llu minutes",
                 (unsigned long long)stack->age_s / 60 + COLLECTED_WITHIN);
    if (stack->locked == WANTED_YES)
        buf_add(out, STR(", locked to thread"));
    if (stack->n_labels) {
        buf_add(out, STR(" labels:{"));
        for (size_t i = 0; i < stack->n_labels; i++)
            buf_addf(out, "%s\"" STR_FORMAT "\": \"" STR_FORMAT "\"",
                     i ? ", " : "", STR_ARG(stack->labels[i].key),
                     STR_ARG(stack->labels[i].value));
        buf_add_char(out, '}');
    }
    buf_add(out, STR("]:\n"));
}

/* What goroutines of a stack have below their header. */
static void add_frames(struct buf *out, const struct test_stack *stack)
{
    struct str place;

    for (size_t i = 0; i < stack->frames.count; i++) {
        struct str function = split_frame(stack->frames.items[i], &place);

        buf_add(out, function);
        buf_add(out, str_ends(function, STR(")")) ? STR("\n") : STR("(...)\n"));
        add_place(out, function, place, i);
    }
    if (stack->created_by.len) {
        struct str creator = split_frame(stack->created_by, &place);

        buf_addf(out, "created by " STR_FORMAT " in goroutine 1\n",
                 STR_ARG(creator));
        add_place(out, creator, place, stack->frames.count);
    }
    buf_add_char(out, '\n');
}

/* Appends goroutines that are alike, with ids from *id on. */
static void add_stack(struct buf *out, const struct test_stack *stack,
                      uint64_t count, uint64_t *id)
{
    struct buf frames = {0};

    add_frames(&frames, stack);
    while (count-- && !out->failed) {
        add_header(out, stack, (*id)++);
        buf_add(out, buf_str(&frames));
    }
    out->failed = out->failed || frames.failed;
    buf_done(&frames);
}

/* Appends all stacks of a test. Ids are given in their order, so that the
 * first stack is the oldest. */
static void add_stacks(struct buf *out, const struct rule_test *test)
{
    uint64_t id = 1;

    for (size_t i = 0; i < test->n_stacks; i++)
        add_stack(out, &test->stacks[i], test->stacks[i].count, &id);
    if (test->total >= id)
        add_stack(out, &idle, test->total - (id - 1), &id);
}

/* Appends the file that a test names, from the folder of its rule file. */
static int add_file(struct buf *out, const struct rule *rule,
                    const struct rule_test *test, struct cprof_error *err)
{
    struct str folder =
        str_head(rule->info.file, str_rfind(rule->info.file, '/'));
    struct buf path = {0};
    int failed;

    if (folder.len < rule->info.file.len && test->file.ptr[0] != '/') {
        buf_add(&path, folder);
        buf_add_char(&path, '/');
    }
    buf_add(&path, test->file);
    failed = path.failed ? error_memory(err, (struct place){0}, "reading")
                         : file_read(path.ptr, TEST_FILE_MOST, out, err);
    buf_done(&path);
    return failed;
}

int rule_test_dump(const struct rule *rule, const struct rule_test *test,
                   struct buf *out, struct cprof_error *err)
{
    int failed = 0;

    if (test->file.len)
        failed = add_file(out, rule, test, err);
    else if (test->dump.len)
        buf_add(out, test->dump);
    else
        add_stacks(out, test);
    if (!failed && out->failed)
        failed = error_memory(err, (struct place){0}, "making a test's dump");
    return failed;
}

bool test_expect_holds(const struct test_expect *expect,
                       const struct finding *finding,
                       const struct symbols *symbols)
{
    if (!str_equal(expect->rule, finding->rule->id))
        return false;
    if (expect->has_severity && expect->severity != finding->severity)
        return false;
    if (expect->has_count && expect->count != finding->count)
        return false;
    if (expect->has_confidence && expect->confidence != finding->confidence)
        return false;
    return !expect->site.len ||
           (finding->site != FRAME_NONE &&
            str_equal(expect->site, symbols_function(symbols, finding->site)));
}

/* What was expected and found, while one is paired with the other. */
struct pairing {
    const struct rule_test *test;
    const struct findings *findings;
    const struct symbols *symbols;
    size_t finding_of[TEST_EXPECT_MOST]; /* index + 1; 0 = none yet */
    uint64_t asked; /* expectations that were asked to give theirs away */
};

/* The expectation that has a finding, or n_expect. */
static size_t holder_of(const struct pairing *pairing, size_t finding)
{
    size_t i = 0;

    while (i < pairing->test->n_expect && pairing->finding_of[i] != finding + 1)
        i++;
    return i;
}

/* Finds a finding for an expectation: a free one, or one whose expectation can
 * take another. Every expectation has one in the end if that is possible at
 * all, whatever their order. */
static bool find_pair(struct pairing *pairing, size_t expect)
{
    size_t n = pairing->test->n_expect;

    pairing->asked |= (uint64_t)1 << expect;
    for (size_t i = 0; i < findings_count(pairing->findings); i++) {
        size_t holder = holder_of(pairing, i);

        if (!test_expect_holds(&pairing->test->expect[expect],
                               findings_get(pairing->findings, i),
                               pairing->symbols))
            continue;
        if (holder < n && ((pairing->asked >> holder & 1) != 0 ||
                           !find_pair(pairing, holder)))
            continue;
        pairing->finding_of[expect] = i + 1;
        return true;
    }
    return false;
}

/* The goroutines that a rule of class normal has set aside. */
static uint64_t count_normal(const struct findings *findings, struct str id)
{
    uint64_t count = 0;

    for (size_t i = 0; i < analysis_n_groups(findings->analysis); i++) {
        const struct rule *owner = findings_owner_of(findings, i);

        if (owner && owner->info.class == CLASS_NORMAL &&
            str_equal(owner->info.id, id))
            count += analysis_group(findings->analysis, i)->count;
    }
    return count;
}

/* Whether an expectation speaks of a normal rule, and is met by what that has
 * set aside. */
static bool is_met_by_normal(const struct test_expect *expect,
                             const struct findings *findings)
{
    uint64_t count = count_normal(findings, expect->rule);

    return count && !expect->has_severity && !expect->has_confidence &&
           !expect->site.len && (!expect->has_count || expect->count == count);
}

/* Whether a test expects something of a rule. */
static bool is_expected(const struct rule_test *test, struct str id)
{
    for (size_t i = 0; i < test->n_expect; i++) {
        if (str_equal(test->expect[i].rule, id))
            return true;
    }
    return false;
}

bool rule_test_holds(const struct rule *rule, const struct rule_test *test,
                     const struct findings *findings,
                     const struct symbols *symbols,
                     const struct test_expect **ret_missing,
                     const struct finding **ret_extra)
{
    struct pairing pairing = {
        .test = test, .findings = findings, .symbols = symbols};

    *ret_missing = NULL;
    *ret_extra = NULL;
    for (size_t i = 0; i < test->n_expect; i++) {
        pairing.asked = 0;
        if (!is_met_by_normal(&test->expect[i], findings) &&
            !find_pair(&pairing, i) && !*ret_missing)
            *ret_missing = &test->expect[i];
    }
    for (size_t i = 0; i < findings_count(findings) && !*ret_extra; i++) {
        const struct finding *finding = findings_get(findings, i);

        /* A mention is no answer of one of its tiers. */
        if (!finding->is_mention &&
            str_equal(finding->rule->id, rule->info.id) &&
            holder_of(&pairing, i) == test->n_expect)
            *ret_extra = finding;
    }
    return !*ret_missing && !*ret_extra &&
           (is_expected(test, rule->info.id) ||
            !count_normal(findings, rule->info.id));
}
