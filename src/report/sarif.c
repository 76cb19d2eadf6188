/* SARIF 2.1.0, which code hosts and editors read ("SARIF" below is the OASIS
 * standard of that name and version, by section). */
#include "base/escape.h"
#include "base/version.h"
#include "report/baseline_words.h"
#include "report/crash_words.h"
#include "report/facts.h"
#include "report/json_fields.h"
#include "report/location.h"
#include "report/sarif_numbers.h"

/* What a result is written with. */
struct sarif {
    const struct cprof_report *report;
    struct json *json;
    struct arena scratch;
    const struct sarif_numbers *numbers; /* of each result */
};

/* By severity_alert. */
static const char *const levels[N_ALERTS] = {"note", "warning", "error"};

/* {"text": ...}: what a viewer shows. "[a](b)" would be a link there (3.11.6),
 * so that the two brackets are kept apart. Braces stay as they are: they mean
 * something only where a message has arguments (3.11.5). */
static void field_message(struct json *json, const char *key, struct str text)
{
    struct buf plain = {0};
    struct buf shown = {0};

    escape_add_line(&plain, text);
    for (size_t i = 0; i < plain.len; i++) {
        buf_add_char(&shown, plain.ptr[i]);
        if (str_starts(str_skip(buf_str(&plain), i), STR("](")))
            buf_add_char(&shown, ' ');
    }
    json_put_key(json, key);
    json_open_object_flat(json);
    field_str(json, "text", buf_str(&shown));
    json_close_object(json);
    json->out->failed |= plain.failed || shown.failed;
    buf_done(&plain);
    buf_done(&shown);
}

/* Appends a path as part of an address (RFC 3986): what is neither unreserved
 * nor a slash becomes %XX. */
static void add_encoded(struct buf *uri, struct str path)
{
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];

        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
            (c >= 'A' && c <= 'Z') || chars_have("-._~/@+,()", (char)c))
            buf_add_char(uri, (char)c);
        else
            buf_addf(uri, "%%%02X", (unsigned)c);
    }
}

/* A path of the repository is relative to it; another is where the machine of
 * the build had it. Without -trimpath that is absolute: "file:///app/x.go",
 * "file:///C:/x.go". */
static void field_artifact(struct json *json, struct str path, bool is_own)
{
    bool is_windows = path.len > 2 && path.ptr[1] == ':';
    struct buf uri = {0};

    if (is_windows) {
        buf_add(&uri, STR("file:///"));
        buf_add(&uri, str_head(path, 2));
        path = str_skip(path, 2);
    } else if (str_starts(path, STR("/"))) {
        buf_add(&uri, STR("file://"));
    }
    add_encoded(&uri, path);
    json_put_key(json, "artifactLocation");
    json_open_object_flat(json);
    field_str(json, "uri", buf_str(&uri));
    if (is_own)
        field_text(json, "uriBaseId", "SRCROOT");
    json_close_object(json);
    json->out->failed |= uri.failed;
    buf_done(&uri);
}

static void put_region(struct json *json, uint64_t line)
{
    if (!line)
        return;
    json_put_key(json, "region");
    json_open_object_flat(json);
    field_u64(json, "startLine", line);
    json_close_object(json);
}

static void put_physical(struct json *json, struct str path, bool is_own,
                         uint64_t line)
{
    json_put_key(json, "physicalLocation");
    json_open_object(json);
    field_artifact(json, path, is_own);
    put_region(json, line);
    json_close_object(json);
}

static void put_logical(struct json *json, struct str function)
{
    json_put_key(json, "logicalLocations");
    json_open_array(json);
    json_open_object_flat(json);
    field_str(json, "fullyQualifiedName", function);
    field_text(json, "kind", "function");
    json_close_object(json);
    json_close_array(json);
}

static void put_location(struct json *json, const struct location *location)
{
    json_open_object(json);
    if (location->path.len)
        put_physical(json, location->path, location->is_own,
                     location->place.line);
    if (location->place.function.len)
        put_logical(json, location->place.function);
    json_close_object(json);
}

/* Viewers want a file for every result; where a dump names none, it is the
 * dump itself. */
static void put_dump(const struct sarif *sarif)
{
    const struct analysis *analysis = report_analysis(sarif->report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    size_t judged = 0;

    while (judged + 1 < snapshots->count &&
           !analysis_is_judged(analysis, judged))
        judged++;
    json_open_object(sarif->json);
    put_physical(sarif->json,
                 snapshot_info_get(snapshots->items[judged])->source, false,
                 snapshot_info_get(snapshots->items[judged])->line);
    json_close_object(sarif->json);
}

/* The stack of the largest group, leaf first. */
static void put_stack(struct sarif *sarif, const struct group_view *view)
{
    struct json *json = sarif->json;

    json_put_key(json, "stacks");
    json_open_array(json);
    json_open_object(json);
    json_put_key(json, "frames");
    json_open_array(json);
    for (size_t i = 0; i < view->n_frames; i++) {
        struct location location =
            location_of(sarif->report, &view->frames[i], &sarif->scratch);

        json_open_object(json);
        json_put_key(json, "location");
        put_location(json, &location);
        json_close_object(json);
    }
    json_close_array(json);
    json_close_object(json);
    json_close_array(json);
}

/* What makes a result the same one in the next run (3.27.17): its rule and the
 * function where it waits, which move less than lines, counts and severities;
 * and the functions on the stack. */
static void put_fingerprints(struct sarif *sarif, size_t index,
                             const struct group_view *group, bool is_own)
{
    struct finding_view view = report_finding(sarif->report, index);
    size_t n_alike = sarif->numbers[index].n_alike;
    struct json *json = sarif->json;
    struct buf key = {0};

    buf_add(&key, view.finding->rule->id);
    buf_add_char(&key, ':');
    buf_add(&key, view.site.function);
    if (n_alike)
        buf_addf(&key, ":%zu", n_alike + 1);
    json_put_key(json, "partialFingerprints");
    json_open_object(json);
    field_str(json, "cprofLeaksFinding/v1", buf_str(&key));
    if (group)
        field_text(json, "cprofLeaksStack/v1", group->signature.text);
    /* The one that GitHub compares. It makes its own of the line of code,
     * where it has that line. */
    if (!is_own)
        field_str(json, "primaryLocationLineHash", buf_str(&key));
    json_close_object(json);
    json->out->failed |= key.failed;
    buf_done(&key);
}

/* Facts that belong beside the explanation. */
static void add_fact(void *user, const struct fact *fact)
{
    static const char *const chosen[] = {"growth", "lock", "held by",
                                         "holders"};
    struct buf *words = user;

    for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
        if (!str_equal(str_from(fact->name), str_from(chosen[i])))
            continue;
        buf_addf(words, " %c%s: ", chosen[i][0] - 'a' + 'A', chosen[i] + 1);
        buf_add(words, fact->words);
        buf_add_char(words, '.');
    }
}

/* A message of SARIF is one paragraph. */
static void add_crash_line(void *user, struct str line)
{
    struct buf *words = user;

    buf_add_char(words, ' ');
    buf_add(words, line);
}

static void put_message(struct sarif *sarif, const struct finding_view *view)
{
    const struct crash *crash = crash_of_finding(sarif->report, view->finding);
    struct evidence_view evidence = {0};
    struct buf words = {0};

    buf_add(&words, view->finding->explain);
    facts_each(sarif->report, view, &evidence, add_fact, &words);
    if (crash) {
        buf_add(&words, STR(" The process said:"));
        crash_lines_each(crash, add_crash_line, &words);
    }
    field_message(sarif->json, "message", buf_str(&words));
    sarif->json->out->failed |= words.failed;
    buf_done(&words);
}

/* The figures, by the names that -o json has for them. */
static void put_figures(struct sarif *sarif, const struct finding_view *view)
{
    const struct finding *finding = view->finding;
    struct json *json = sarif->json;

    json_put_key(json, "properties");
    json_open_object(json);
    field_text(json, "severity", severity_text(finding->severity));
    field_text(json, "confidence", confidence_text(finding->confidence));
    field_u64(json, "count", finding->count);
    field_share(json, finding->share);
    field_u64_or_null(json, "age_max_s", finding->has_age, finding->age_max_s);
    field_str_or_null(json, "state", view->state);
    field_text(json, "state_source", view->state_source);
    field_place(json, "site", &view->site);
    json_put_growth(json, sarif->report, finding->growth);
    json_close_object(json);
}

static void put_locations(struct sarif *sarif, const struct location *location)
{
    json_put_key(sarif->json, "locations");
    json_open_array(sarif->json);
    if (location->path.len)
        put_location(sarif->json, location);
    else
        put_dump(sarif);
    json_close_array(sarif->json);
}

/* Findings that a baseline accepts stand behind the others, suppressed. */
static size_t n_results(const struct cprof_report *report)
{
    return report_n_findings(report) + report_n_accepted(report);
}

/* Who accepts a finding, and why (3.27.23 and 3.35): of a run either all
 * results say it or none does, so that an empty list means "not accepted". */
static void put_suppressions(struct sarif *sarif, const struct finding *finding)
{
    struct json *json = sarif->json;
    struct buf words = {0};

    if (!report_baseline(sarif->report))
        return;
    json_put_key(json, "suppressions");
    json_open_array(json);
    if (finding_is_accepted(finding)) {
        buf_addf(&words, "The baseline %s ",
                 baseline_name(report_baseline(sarif->report)));
        words_of_acceptance(&words, finding->acceptance);
        buf_add_char(&words, '.');
        json_open_object(json);
        field_text(json, "kind", "external");
        field_text(json, "status", "accepted");
        field_str(json, "justification", buf_str(&words));
        json_close_object(json);
    }
    json_close_array(json);
    json->out->failed |= words.failed;
    buf_done(&words);
}

static int put_result(struct sarif *sarif, size_t index,
                      struct cprof_error *err)
{
    struct finding_view view = report_finding(sarif->report, index);
    const struct finding *finding = view.finding;
    struct json *json = sarif->json;
    struct location location;
    struct group_view group;
    int rc = 0;

    if (finding->n_groups)
        rc = report_group(sarif->report, finding->groups[0], &group,
                          &sarif->scratch, err);
    if (rc < 0)
        return rc;
    location =
        location_of_finding(sarif->report, &view,
                            finding->n_groups ? &group : NULL, &sarif->scratch);
    json_open_object(json);
    field_str(json, "ruleId", finding->rule->id);
    field_u64(json, "ruleIndex", sarif->numbers[index].rule);
    field_text(json, "level", levels[severity_alert(finding->severity)]);
    put_message(sarif, &view);
    put_locations(sarif, &location);
    if (finding->n_groups)
        put_stack(sarif, &group);
    put_fingerprints(sarif, index, finding->n_groups ? &group : NULL,
                     location.is_own);
    if (finding->count)
        field_u64(json, "occurrenceCount", finding->count);
    put_suppressions(sarif, finding);
    put_figures(sarif, &view);
    json_close_object(json);
    return 0;
}

/* Appends a list of texts with a heading, as plain text. */
static void add_list(struct buf *out, const char *head, struct rule_texts texts)
{
    if (!texts.count)
        return;
    buf_addf(out, "\n\n%s", head);
    for (size_t i = 0; i < texts.count; i++) {
        buf_add(out, STR("\n- "));
        buf_add(out, texts.items[i]);
    }
}

/* What a rule says beyond its findings (3.49.13), as one text. */
static void put_help(struct json *json, const struct rule_info *rule)
{
    struct buf help = {0};

    buf_add(&help, rule->title);
    if (rule->cause.len)
        buf_addf(&help, "\n\nCause: " STR_FORMAT, STR_ARG(rule->cause));
    add_list(&help, "To decide:", rule->decide);
    add_list(&help, "To do:", rule->advice);
    add_list(&help, "No problem if:", rule->false_positives);
    json_put_key(json, "help");
    json_open_object(json);
    field_str(json, "text", buf_str(&help));
    json_close_object(json);
    json->out->failed |= help.failed;
    buf_done(&help);
}

static void put_rule(struct json *json, const struct finding *finding)
{
    const struct rule_info *rule = finding->rule;

    json_open_object(json);
    field_str(json, "id", rule->id);
    field_message(json, "shortDescription", rule->title);
    field_message(json, "fullDescription",
                  rule->cause.len ? rule->cause : rule->title);
    put_help(json, rule);
    if (rule->references.count &&
        str_starts(rule->references.items[0], STR("http")))
        field_str(json, "helpUri", rule->references.items[0]);
    json_put_key(json, "defaultConfiguration");
    json_open_object_flat(json);
    field_text(json, "level", levels[severity_alert(finding->severity)]);
    json_close_object(json);
    json_put_key(json, "properties");
    json_open_object_flat(json);
    json_put_key(json, "tags");
    json_open_array_flat(json);
    json_put_text(json, "goroutines");
    json_put_text(json, rule_class_text(rule->class));
    json_close_array(json);
    json_close_object(json);
    json_close_object(json);
}

static void put_tool(const struct sarif *sarif)
{
    struct json *json = sarif->json;

    json_put_key(json, "tool");
    json_open_object(json);
    json_put_key(json, "driver");
    json_open_object(json);
    field_text(json, "name", "cprof-leaks");
    field_text(json, "version", cprof_version_text);
    field_text(json, "semanticVersion", cprof_version_text);
    json_put_key(json, "rules");
    json_open_array(json);
    for (size_t i = 0; i < n_results(sarif->report); i++) {
        if (sarif->numbers[i].is_first)
            put_rule(json, report_finding(sarif->report, i).finding);
    }
    json_close_array(json);
    json_close_object(json);
    json_close_object(json);
}

static void put_notification(struct json *json, const struct diag *diag)
{
    json_open_object(json);
    json_put_key(json, "descriptor");
    json_open_object_flat(json);
    field_text(json, "id", diag->code);
    json_close_object(json);
    field_text(json, "level",
               diag->severity == DIAG_INFO
                   ? "note"
                   : diag_severity_text(diag->severity));
    field_message(json, "message", diag->message);
    if (diag->source) {
        json_put_key(json, "locations");
        json_open_array(json);
        json_open_object(json);
        put_physical(json, str_from(diag->source), false, diag->line);
        json_close_object(json);
        json_close_array(json);
    }
    json_close_object(json);
}

static void put_invocation(const struct sarif *sarif)
{
    static const struct diag strict = {
        .severity = DIAG_ERROR,
        .code = "incomplete",
        .message = STR_INIT("an input is incomplete (--strict)")};
    const struct cprof_snapshots *snapshots =
        analysis_snapshots(report_analysis(sarif->report));
    struct json *json = sarif->json;

    json_put_key(json, "invocations");
    json_open_array(json);
    json_open_object(json);
    field_bool(json, "executionSuccessful",
               report_summary(sarif->report)->is_judged &&
                   !report_fails_strict(sarif->report));
    json_put_key(json, "toolExecutionNotifications");
    json_open_array(json);
    for (const struct diag *diag = snapshots->diags.first; diag;
         diag = diag->next)
        put_notification(json, diag);
    if (report_fails_strict(sarif->report))
        put_notification(json, &strict);
    json_close_array(json);
    json_close_object(json);
    json_close_array(json);
}

/* SRCROOT is for the reader to set: only it knows where the repository is. */
static void put_bases(struct json *json)
{
    json_put_key(json, "originalUriBaseIds");
    json_open_object(json);
    json_put_key(json, "SRCROOT");
    json_open_object(json);
    field_message(json, "description", STR("The root of the repository."));
    json_close_object(json);
    json_close_object(json);
}

static int put_results(struct sarif *sarif, struct output *out,
                       struct cprof_error *err)
{
    int rc = 0;

    json_put_key(sarif->json, "results");
    json_open_array(sarif->json);
    for (size_t i = 0; rc == 0 && i < n_results(sarif->report); i++) {
        rc = put_result(sarif, i, err);
        if (rc == 0)
            rc = output_relieve(out, err);
    }
    json_close_array(sarif->json);
    return rc;
}

static int put_run(struct sarif *sarif, struct output *out,
                   struct cprof_error *err)
{
    const struct report_summary *sum = report_summary(sarif->report);
    struct json *json = sarif->json;
    int rc;

    json_open_object(json);
    put_tool(sarif);
    put_invocation(sarif);
    put_bases(json);
    rc = put_results(sarif, out, err);
    field_text(json, "columnKind", "utf16CodeUnits");
    json_put_key(json, "properties");
    json_open_object(json);
    field_text(json, "command",
               report_growth(sarif->report) ? "diff" : "analyze");
    field_text(json, "verdict", sum->word);
    json_put_summary(json, sum);
    json_close_object(json);
    json_close_object(json);
    return rc;
}

int sarif_write(const struct cprof_report *report, struct output *out,
                struct cprof_error *err)
{
    struct json json = json_begin(&out->buf);
    struct arena arena = report_scratch(report);
    struct sarif sarif = {report, &json, report_scratch(report),
                          sarif_number(report, &arena)};
    int rc = CPROF_ENOMEM;

    if (!sarif.numbers) {
        error_memory(err, (struct place){0}, "writing the report");
        goto done;
    }
    json_open_object(&json);
    field_text(&json, "$schema",
               "https://json.schemastore.org/sarif-2.1.0.json");
    field_text(&json, "version", "2.1.0");
    json_put_key(&json, "runs");
    json_open_array(&json);
    rc = put_run(&sarif, out, err);
    json_close_array(&json);
    json_close_object(&json);
done:
    arena_done(&sarif.scratch);
    arena_done(&arena);
    return rc;
}
