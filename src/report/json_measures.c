#include "report/json_fields.h"
#include "report/measures.h"

static double share_of(int64_t value, int64_t total)
{
    return total ? (double)value / (double)total : 0;
}

static void put_row(struct json *json, const struct measures *measures,
                    const struct measure_row *row)
{
    json_open_object_flat(json);
    field_str(json, "function", row->function);
    json_put_key(json, "flat");
    json_put_i64(json, row->flat);
    json_put_key(json, "flat_share");
    json_put_double(json, share_of(row->flat, measures->total), 6);
    json_put_key(json, "sum_share");
    json_put_double(json, share_of(row->sum, measures->total), 6);
    json_put_key(json, "cum");
    json_put_i64(json, row->cum);
    json_put_key(json, "cum_share");
    json_put_double(json, share_of(row->cum, measures->total), 6);
    json_close_object(json);
}

static void put_memstats(struct json *json, const struct memstats *stats)
{
    const struct {
        const char *key;
        uint64_t value;
    } parts[] = {
        {"alloc", stats->alloc},
        {"total_alloc", stats->total_alloc},
        {"sys", stats->sys},
        {"mallocs", stats->mallocs},
        {"frees", stats->frees},
        {"heap_alloc", stats->heap_alloc},
        {"heap_sys", stats->heap_sys},
        {"heap_idle", stats->heap_idle},
        {"heap_inuse", stats->heap_inuse},
        {"heap_released", stats->heap_released},
        {"heap_objects", stats->heap_objects},
        {"stack_inuse", stats->stack_inuse},
        {"stack_sys", stats->stack_sys},
        {"gc_sys", stats->gc_sys},
        {"next_gc", stats->next_gc},
        {"last_gc_ns", stats->last_gc_ns},
        {"num_gc", stats->num_gc},
        {"num_forced_gc", stats->num_forced_gc},
        {"max_rss", stats->max_rss},
    };

    json_open_object(json);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        field_u64(json, parts[i].key, parts[i].value);
    }
    json_put_key(json, "gc_cpu_fraction");
    json_put_double(json, stats->gc_cpu_fraction, 6);
    json_close_object(json);
}

/* What a comparison begins and ends with; null otherwise. */
static void put_ends(struct json *json, const struct measures *measures,
                     int64_t before, int64_t after)
{
    json_put_key(json, "before");
    if (measures->is_comparison)
        json_put_i64(json, before);
    else
        json_put_null(json);
    json_put_key(json, "after");
    if (measures->is_comparison)
        json_put_i64(json, after);
    else
        json_put_null(json);
}

static void put_sites(struct json *json, const struct measures *measures,
                      size_t most)
{
    json_put_key(json, "sites");
    json_open_array(json);
    for (size_t i = 0; i < measures->n_sites && i < most; i++) {
        const struct measure_site *site = &measures->sites[i];

        json_open_object_flat(json);
        field_place_parts(json, &site->place);
        json_put_key(json, "value");
        json_put_i64(json, site->value);
        put_ends(json, measures, site->before, site->after);
        json_put_key(json, "share");
        json_put_double(json, share_of(site->value, measures->total), 6);
        json_put_key(json, "count");
        json_put_i64(json, site->count);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_table(struct json *json, const struct measures *measures,
                      size_t most)
{
    json_open_object(json);
    field_str(json, "profile", measures->family->info->profile);
    field_str(json, "sample_type", measures->type.name);
    field_str(json, "unit", measures->type.unit);
    json_put_key(json, "total");
    json_put_i64(json, measures->total);
    put_ends(json, measures,
             measures->is_comparison
                 ? measures->family->befores[measures->type_index]
                 : 0,
             measures->family->sums[measures->type_index]);
    field_text(json, "sort", measures->by_cum ? "cum" : "flat");
    json_put_key(json, "rows");
    json_open_array(json);
    for (size_t i = 0; i < measures->n_rows && i < most; i++)
        put_row(json, measures, &measures->rows[i]);
    json_close_array(json);
    field_u64(json, "dropped", measures->n_dropped);
    put_sites(json, measures, most);
    json_put_key(json, "memstats");
    if (measures->memstats)
        put_memstats(json, measures->memstats);
    else
        json_put_null(json);
    json_close_object(json);
}

void json_put_measures(struct json *json, const struct cprof_report *report)
{
    json_put_key(json, "measures");
    json_open_array(json);
    for (size_t i = 0; i < report_n_measures(report); i++)
        put_table(json, report_measures(report, i),
                  report_top(report, SIZE_MAX));
    json_close_array(json);
}
