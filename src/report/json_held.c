#include "report/json_fields.h"
#include "report/report.h"
#include "rules/held.h"

/* What the fields of a holding are put with. */
struct putting {
    struct json *json;
    const struct cprof_report *report;
    const struct symbols *symbols;
};

static struct putting putting_of(struct json *json,
                                 const struct cprof_report *report)
{
    const struct analysis *analysis = report_analysis(report);

    return (struct putting){json, report,
                            analysis_snapshots(analysis)->symbols};
}

/* "0xc000010000", or null. */
static void field_address(struct json *json, const char *key, uint64_t address)
{
    struct buf text = {0};

    if (address)
        buf_addf(&text, "0x%llx", (unsigned long long)address);
    field_str_or_null(json, key, buf_str(&text));
    buf_done(&text);
}

/* The lock that a holder or a link is about: its kind and address. */
static void field_lock(struct json *json, const char *key,
                       const struct holding *holding)
{
    json_put_key(json, key);
    if (!holding) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    field_text(json, "kind", holding_kind_text(holding->kind));
    field_address(json, "address", holding->address);
    json_close_object(json);
}

/* Who it is and where: the fields that holders and links share. */
static void put_goroutine(const struct putting *putting,
                          const struct joined_group *group, uint64_t goroutine,
                          uint64_t count, frame_id frame)
{
    struct json *json = putting->json;
    struct code_place place = {
        .function = symbols_function(putting->symbols, frame),
        .file = symbols_file(putting->symbols, frame),
        .line = symbols_frame(putting->symbols, frame).line};

    field_u64_or_null(json, "goroutine", goroutine != 0, goroutine);
    field_u64(json, "count", count);
    field_text(json, "group_id", signature_text(group->id).text);
    field_place_parts(json, &place);
    field_str(json, "state", symbols_state(putting->symbols, group->state));
}

static void put_holder(const struct putting *putting,
                       const struct holder *holder)
{
    struct json *json = putting->json;

    json_open_object(json);
    put_goroutine(putting, holder->group, holder->goroutine, holder->count,
                  holder->frame);
    field_text(json, "evidence", evidence_kind_text(holder->evidence));
    field_bool(json, "past_lock", holder->is_past);
    field_bool(json, "is_waiter", holder->is_itself);
    field_text(json, "confidence", certainty_text(holder->certainty));
    field_lock(json, "waits_for", holder->waits);
    json_close_object(json);
}

void field_holding(struct json *json, const char *key,
                   const struct cprof_report *report,
                   const struct finding *finding)
{
    const struct holding *holding = finding->holding;
    struct putting putting = putting_of(json, report);
    struct buf words = {0};

    json_put_key(json, key);
    if (!holding) {
        json_put_null(json);
        return;
    }
    held_add(&words, putting.symbols, holding);
    json_open_object(json);
    field_text(json, "kind", holding_kind_text(holding->kind));
    field_str_or_null(json, "name", holding->name);
    field_address(json, "address", holding->address);
    field_bool(json, "address_is_of_object", holding->is_object);
    field_u64(json, "waiters", holding->waiters);
    field_u64(json, "locks", finding->n_holdings);
    field_u64_or_null(json, "wait_max_s", holding->has_wait,
                      (uint64_t)holding->wait_max * 60);
    field_u64(json, "count", holding->n_candidates);
    field_bool(json, "complete", !holding->is_partial);
    field_str(json, "text", buf_str(&words));
    json_put_key(json, "holders");
    json_open_array(json);
    for (size_t i = 0; i < holding->n_holders; i++)
        put_holder(&putting, &holding->holders[i]);
    json_close_array(json);
    json_close_object(json);
    buf_done(&words);
}

static void put_link(const struct putting *putting,
                     const struct wait_cycle *cycle, size_t index)
{
    const struct cycle_link *link = &cycle->links[index];
    struct json *json = putting->json;
    struct buf words = {0};

    held_add_link(&words, putting->symbols, cycle, index);
    json_open_object(json);
    put_goroutine(putting, link->group, link->goroutine, link->count,
                  link->frame);
    field_lock(json, "holds", link->is_writer ? NULL : link->holds);
    field_lock(json, "wants", link->wants);
    field_bool(json, "is_writer", link->is_writer);
    field_text(json, "confidence", certainty_text(link->certainty));
    field_str(json, "text", buf_str(&words));
    json_close_object(json);
    buf_done(&words);
}

static void put_cycle(const struct putting *putting,
                      const struct wait_cycle *cycle)
{
    struct json *json = putting->json;

    json_open_object(json);
    field_text(json, "confidence", certainty_text(cycle->certainty));
    json_put_key(json, "links");
    json_open_array(json);
    for (size_t i = 0; i < cycle->n_links; i++)
        put_link(putting, cycle, i);
    json_close_array(json);
    json_close_object(json);
}

void json_put_cycles(struct json *json, const struct cprof_report *report)
{
    struct putting putting = putting_of(json, report);
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(report), &n);

    json_put_key(json, "cycles");
    json_open_array(json);
    for (size_t i = 0; i < n; i++)
        put_cycle(&putting, &cycles[i]);
    json_close_array(json);
}

void field_cycle(struct json *json, const char *key,
                 const struct cprof_report *report,
                 const struct finding *finding)
{
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(report), &n);

    field_u64_or_null(json, key, finding->cycle != NULL,
                      finding->cycle ? (uint64_t)(finding->cycle - cycles) : 0);
}
