/* answer_fuzz.c - any bytes as a dump, through everything behind the readers.
 *
 * Whatever was read can be judged by all rules and written in every form; no
 * form lets a text of the dump become part of its own language; and an export
 * that is read again holds as many goroutines. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/sites.h"
#include "asking.h"
#include "base/buf.h"
#include "dumps.h"
#include "export/export.h"
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EXPORTED_MOST = 4 }; /* snapshots of one input */

static void check_profile(const struct snapshot_info *info, struct str bytes)
{
    struct reading again;
    const struct snapshot_info *exported;

    reading_init(&again, NULL);
    reading_add(&again, bytes.ptr, bytes.len, 0);
    CHECK(again.rc == 0);
    CHECK(cprof_snapshots_count(again.snapshots) == 1);
    exported = snapshot_info_get(again.snapshots->items[0]);
    CHECK(exported->n_types == info->n_types);
    if (!info->n_types)
        CHECK(exported->total == info->total);
    reading_done(&again);
}

static void check_lines(struct str text)
{
    while (text.len) {
        struct str line = str_head(text, str_find(text, '\n'));

        CHECK(line.len < text.len);
        written_json(line);
        text = str_skip(text, line.len + 1);
    }
}

static void check_export(const char *form, const struct snapshot_info *info,
                         struct str bytes)
{
    struct str word = str_from(form);

    if (str_equal(word, STR("pprof"))) {
        check_profile(info, bytes);
    } else if (str_equal(word, STR("speedscope"))) {
        written_json(bytes);
    } else if (str_equal(word, STR("jsonl"))) {
        check_lines(bytes);
    } else {
        uint64_t sum = written_folded(bytes);

        written_printable(bytes, false);
        if (!info->n_types)
            CHECK(sum == info->total);
    }
}

static void export(struct reading *reading, size_t snapshot, const char *form)
{
    struct buf buf = {0};
    struct cprof_error err = {0};
    struct export_request request = {.format = export_format_find(form, &err),
                                     .snapshots = reading->snapshots,
                                     .chosen = &snapshot,
                                     .n_chosen = 1,
                                     .site = site_find};

    CHECK(export_write(&request, written_append, &buf, &err) == 0);
    check_export(form, snapshot_info_get(reading->snapshots->items[snapshot]),
                 buf_str(&buf));
    buf_done(&buf);
}

static void export_all(struct reading *reading, struct way *way)
{
    static const char *const forms[] = {"pprof", "folded", "speedscope",
                                        "jsonl"};
    struct analysis *analysis = NULL;
    size_t n = cprof_snapshots_count(reading->snapshots);
    size_t form = way_choose(way, 4);

    CHECK(analysis_new(&analysis, reading->snapshots, NULL) == 0);
    analysis_free(analysis);
    for (size_t i = 0; i < n && i < EXPORTED_MOST; i++)
        export(reading, i, forms[(form + i) % 4]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading reading;
    struct way way = way_from(size);

    reading_init(&reading, NULL);
    asking_choose(reading.options, &way);
    reading_add(&reading, data, size, 0);
    if (reading.rc == 0) {
        asking_report(&reading, &way);
        export_all(&reading, &way);
    }
    reading_done(&reading);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed)
{
    return dumps_mutate(data, size, most, seed, LLVMFuzzerMutate);
}
