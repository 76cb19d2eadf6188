#include "report/crash_words.h"

#include "report/text.h"

/* " at q.(*Queue).Put (queue.go:41)" */
static void add_place(struct buf *words, const struct code_place *place)
{
    buf_add(words, STR(" at "));
    text_function_short(words, place->function);
    if (!place->file.len)
        return;
    buf_add(words, STR(" ("));
    text_file(words, place, 1);
    buf_add_char(words, ')');
}

static void add_main(struct buf *words, const struct crash_view *view)
{
    if (!view->main_site.function.len)
        return;
    buf_addf(words, "; goroutine 1 stands in " STR_FORMAT,
             STR_ARG(view->main_state));
    add_place(words, &view->main_site);
}

/* The kind and the first line of the message: "panic: code 42". */
static void add_reason(struct buf *words, const struct crash *crash)
{
    const char *kind = crash_kind_text(crash->kind);
    struct str first = str_head(crash->message, str_find(crash->message, '\n'));

    if (!first.len)
        buf_addf(words, "%s with an empty message", kind);
    else if (crash->kind != CRASH_SIGNAL)
        buf_addf(words, "%s: ", kind);
    buf_add(words, first);
}

void words_of_crash(struct buf *words, const struct crash_view *view)
{
    const struct crash *crash = view->crash;

    add_reason(words, crash);
    if (crash->has_goroutine)
        buf_addf(words, "%s goroutine %llu",
                 crash_is_timeout(crash) ? "; still running:" : " in",
                 (unsigned long long)crash->goroutine);
    if (view->site.function.len)
        add_place(words, &view->site);
    if (crash->is_elsewhere)
        buf_add(words, STR(" on a stack of the runtime, outside of any "
                           "goroutine"));
    if (crash->is_request)
        buf_add(words, STR(", which asks for a dump"));
    add_main(words, view);
}

void words_of_panic(struct buf *words, const struct cprof_report *report,
                    size_t snapshot)
{
    struct code_place place = report_panic_place(report, snapshot);

    if (!place.function.len)
        return;
    buf_add(words, STR("; a panic"));
    add_place(words, &place);
}

void crash_lines_each(const struct crash *crash, crash_line_fn *tell,
                      void *user)
{
    struct buf first = {0};

    add_reason(&first, crash);
    tell(user, buf_str(&first));
    buf_done(&first);
    crash_lines_below(crash, tell, user);
}

void crash_lines_below(const struct crash *crash, crash_line_fn *tell,
                       void *user)
{
    struct str rest = crash->message;
    size_t end = str_find(rest, '\n');

    while (end < rest.len) {
        rest = str_skip(rest, end + 1);
        end = str_find(rest, '\n');
        tell(user, str_trim(str_head(rest, end)));
    }
    if (crash->signal.len && crash->kind != CRASH_SIGNAL)
        tell(user, crash->signal);
}

const struct crash *crash_of_finding(const struct cprof_report *report,
                                     const struct finding *finding)
{
    const struct analysis *analysis = report_analysis(report);

    for (size_t i = 0; i < finding->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(analysis, finding->groups[i]);

        if (joined_extra(group)->crashes)
            return joined_extra(group)->crashes->crash;
    }
    return NULL;
}
