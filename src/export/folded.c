/* Folded stacks, as flame graphs take them (github.com/brendangregg/FlameGraph:
 * stackcollapse.pl): "root;caller;leaf COUNT". The state stands on top of the
 * stack in brackets. Of profiles that measure the value to show first is
 * taken. */
#include "export/formats.h"
#include "export/names.h"

/* A semicolon would end the name, and a blank before digits would end the
 * stack: readers take the last number of a line. */
static void add_name(struct buf *out, struct buf *scratch, struct str name)
{
    struct str safe = export_escaped(scratch, name);

    out->failed |= scratch->failed;
    for (size_t i = 0; i < safe.len; i++)
        buf_add_char(out, safe.ptr[i] == ';' ? ',' : safe.ptr[i]);
}

static void add_group(struct buf *out, struct buf *scratch,
                      const struct export_groups *groups,
                      const struct export_group *group)
{
    struct stack stack = export_frames(groups, group);
    struct str state = export_state(groups, group);
    int64_t value = export_value(
        groups, group, groups->info->n_types ? groups->info->default_type : 0);

    if (value <= 0)
        return;
    for (uint32_t i = stack.n_frames; i-- > 0;) {
        add_name(out, scratch,
                 symbols_function(groups->symbols, stack.frames[i]));
        if (i)
            buf_add_char(out, ';');
    }
    if (state.len) {
        buf_add(out, STR(";["));
        add_name(out, scratch, state);
        buf_add_char(out, ']');
    }
    buf_addf(out, " %lld\n", (long long)value);
}

static int write_folded(const struct export_request *request,
                        struct export_out *out, struct cprof_error *err)
{
    struct export_groups groups;
    struct buf scratch = {0};
    int rc = export_groups_init(&groups, request->snapshots, request->chosen,
                                request->n_chosen, err);

    for (size_t i = 0; rc == 0 && i < groups.n_sorted; i++) {
        add_group(&out->buf, &scratch, &groups, groups.sorted[i]);
        rc = export_out_relieve(out, err);
    }
    export_groups_done(&groups);
    buf_done(&scratch);
    return rc;
}

const struct export_format folded_export = {
    .name = "folded",
    .write = write_folded,
};
