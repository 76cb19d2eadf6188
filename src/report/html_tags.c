#include "base/markup.h"
#include "model/name.h"
#include "model/source_link.h"
#include "report/html.h"
#include "report/location.h"
#include "report/text.h"

void html_raw(struct html *html, const char *markup)
{
    buf_add(html->buf, str_from(markup));
}

void html_text(struct html *html, struct str text)
{
    markup_add(html->buf, text);
}

void html_words(struct html *html, struct buf *words)
{
    html_text(html, buf_str(words));
    buf_clear(words);
}

void html_paragraph(struct html *html, const char *class, struct buf *words)
{
    if (buf_is_empty(words))
        return;
    if (class)
        buf_addf(html->buf, "<p class=\"%s\">", class);
    else
        html_raw(html, "<p>");
    html_words(html, words);
    html_raw(html, "</p>\n");
}

void html_section(struct html *html, const char *id, const char *heading)
{
    buf_addf(html->buf,
             "<section id=\"%s\" aria-labelledby=\"%s-head\">\n"
             "<h2 id=\"%s-head\">%s</h2>\n",
             id, id, id, heading);
}

void html_figure(struct html *html, struct buf *words)
{
    html_raw(html, "<td class=\"num\">");
    html_words(html, words);
    html_raw(html, "</td>");
}

bool html_link_add(const struct html *html, struct buf *out,
                   const struct code_place *place)
{
    const char *template = report_options(html->report)->source_link;
    struct source_line line = {place->function, place->file, {0}, place->line};
    struct arena scratch;
    struct location location;
    bool is_linked;

    if (!template)
        return false;
    scratch = report_scratch(html->report);
    location = location_of(html->report, place, &scratch);
    if (location.is_own)
        line.path = location.path;
    is_linked = source_link_add(out, str_from(template), &line);
    arena_done(&scratch);
    return is_linked;
}

/* "http_backend.go:172", linked if there is something to link to. */
static void put_file(struct html *html, const struct code_place *place)
{
    struct buf link = {0};
    struct buf words = {0};

    text_file(&words, place, 1);
    if (html_link_add(html, &link, place)) {
        html_raw(html, "<a class=\"at\" rel=\"noreferrer\" href=\"");
        html_words(html, &link);
        html_raw(html, "\">");
        html_words(html, &words);
        html_raw(html, "</a>");
    } else {
        html_raw(html, "<span class=\"at\">");
        html_words(html, &words);
        html_raw(html, "</span>");
    }
    buf_done(&link);
    buf_done(&words);
}

void html_place(struct html *html, const struct code_place *place)
{
    struct buf words = {0};

    if (!place->function.len) {
        html_raw(html, "<span class=\"faint\">(no frames)</span>");
        return;
    }
    html_raw(html, "<span class=\"place\"><code title=\"");
    html_text(html, place->function);
    if (place->file.len) {
        html_raw(html, "&#10;");
        text_file(&words, place, 0);
        html_words(html, &words);
    }
    html_raw(html, "\">");
    text_function_short(&words, place->function);
    html_words(html, &words);
    html_raw(html, "</code>");
    if (place->file.len) {
        html_raw(html, " ");
        put_file(html, place);
    }
    html_raw(html, "</span>");
    buf_done(&words);
}

void html_stack(struct html *html, const struct group_view *view)
{
    html_raw(html, "<ol class=\"stack\">\n");
    for (size_t i = 0; i < view->n_frames; i++) {
        bool is_site = (int32_t)i == view->site;

        html_raw(html, is_site ? "<li class=\"site\">"
                       : name_is_std(view->frames[i].function)
                           ? "<li class=\"std\">"
                           : "<li>");
        html_place(html, &view->frames[i]);
        html_raw(html, "</li>\n");
    }
    if (!view->n_frames)
        html_raw(html, "<li class=\"faint\">no frames</li>\n");
    html_raw(html, "</ol>\n");
    if (view->elided == ELIDED_SOME)
        html_raw(html, "<p class=\"faint\">further frames were left out of the "
                       "dump</p>\n");
    else if (view->elided)
        buf_addf(html->buf,
                 "<p class=\"faint\">%u frames were left out of the dump</p>\n",
                 (unsigned)view->elided);
    if (!view->created_by.function.len)
        return;
    html_raw(html, "<p class=\"creator\">created by ");
    html_place(html, &view->created_by);
    html_raw(html, "</p>\n");
}

const char *html_state_class(state_id state)
{
    switch (state) {
    case STATE_CHAN_OPERATION:
    case STATE_CHAN_SEND:
        return "send";
    case STATE_CHAN_RECEIVE:
        return "receive";
    case STATE_CHAN_SEND_NIL:
    case STATE_CHAN_RECEIVE_NIL:
    case STATE_SELECT_NO_CASES:
        return "never";
    case STATE_SELECT:
        return "select";
    case STATE_SEMACQUIRE:
    case STATE_MUTEX_LOCK:
    case STATE_RWMUTEX_RLOCK:
    case STATE_RWMUTEX_LOCK:
        return "lock";
    case STATE_WAITGROUP_WAIT:
    case STATE_COND_WAIT:
        return "sync";
    case STATE_IO_WAIT:
        return "io";
    case STATE_SLEEP:
        return "sleep";
    case STATE_SYSCALL:
    case STATE_CGO_CALLBACK:
        return "syscall";
    case STATE_RUNNING:
    case STATE_RUNNABLE:
    case STATE_NOT_STARTED:
        return "run";
    default:
        return state < N_STATES && state > STATE_WAITING ? "runtime" : "none";
    }
}
