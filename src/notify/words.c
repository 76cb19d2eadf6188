#include "notify/words.h"

#include "base/count.h"
#include "base/utc.h"
#include "model/options.h"
#include "report/changes.h"
#include "report/human.h"

const char *event_text(enum alert_event event)
{
    return event == EVENT_RESOLVED ? "resolved" : "firing";
}

bool alert_counts(const struct outcome_alert *alert)
{
    return alert->state == ALERT_FIRING && alert->status != CHECK_OK;
}

enum alert_event alert_event_now(const struct outcome_alert *alert)
{
    if (alert_counts(alert))
        return EVENT_FIRING;
    return alert->state == ALERT_RESOLVED && alert->status != CHECK_OK
               ? EVENT_RESOLVED
               : EVENT_NONE;
}

enum alert_event alert_event_of(const struct outcome_alert *alert,
                                bool is_unsent)
{
    return alert->is_changed || is_unsent ? alert_event_now(alert) : EVENT_NONE;
}

const struct outcome_target *alert_target(const struct outcome *outcome,
                                          const struct outcome_alert *alert)
{
    return &outcome->targets[alert->target];
}

void alert_add_headword(struct buf *buf, const struct outcome_alert *alert)
{
    buf_add(buf, alert_event_now(alert) == EVENT_RESOLVED
                     ? STR("RESOLVED")
                     : str_from(check_status_text(alert->status)));
}

struct str alert_where(const struct outcome_alert *alert)
{
    return alert->site.len ? alert->site : alert->places;
}

/* Whether the figures of an alert are those of what is over. What the baseline
 * accepts is there as it was. */
static bool is_over(const struct outcome_alert *alert)
{
    return alert_event_now(alert) == EVENT_RESOLVED && !alert->is_accepted;
}

static void add_count(struct buf *buf, uint64_t count)
{
    buf_addf(buf, "%s goroutine%s", count_text(count).text,
             count == 1 ? "" : "s");
}

static void add_growth(struct buf *buf, const struct outcome_alert *alert)
{
    if (!alert->has_growth || alert->delta == 0)
        return;
    buf_add(buf, STR(", "));
    change_add_signed(buf, alert->delta);
    /* What came at once has no rate: the median of all steps is 0 then. */
    if (!alert->has_rate || alert->per_hour * alert->delta <= 0)
        return;
    buf_add(buf, STR(", "));
    change_add_signed(buf, alert->per_hour);
    buf_add(buf, STR(" an hour"));
}

/* How many there are now, where that is known to be something else. */
static void add_now(struct buf *buf, const struct outcome_alert *alert)
{
    if (alert->has_now && alert->now != alert->count)
        buf_addf(buf, ", now %s", count_text(alert->now).text);
}

uint64_t alert_count_now(const struct outcome_alert *alert)
{
    return alert->has_now ? alert->now : alert->count;
}

void alert_add_figures(struct buf *buf, const struct outcome_alert *alert)
{
    if (!alert->count)
        return;
    if (is_over(alert))
        buf_add(buf, STR("was "));
    add_count(buf, alert->count);
    if (alert->share > 0) {
        buf_add(buf, STR(" ("));
        share_add_fixed(buf, alert->share);
        buf_add_char(buf, ')');
    }
    if (!is_over(alert))
        add_growth(buf, alert);
    add_now(buf, alert);
}

/* ", 900 goroutines", those of now; of what is over, ", was 900 goroutines, now
 * 12". */
static void add_short_figures(struct buf *buf,
                              const struct outcome_alert *alert)
{
    if (!alert->count)
        return;
    buf_add(buf, is_over(alert) ? STR(", was ") : STR(", "));
    if (is_over(alert)) {
        add_count(buf, alert->count);
        add_now(buf, alert);
    } else {
        add_count(buf, alert_count_now(alert));
    }
}

void alert_add_summary(struct buf *buf, const struct outcome *outcome,
                       const struct outcome_alert *alert)
{
    alert_add_headword(buf, alert);
    buf_add_char(buf, ' ');
    buf_add(buf, outcome->service);
    buf_add(buf, STR(": "));
    buf_add(buf, alert->title);
    add_short_figures(buf, alert);
    buf_add(buf, STR(" on "));
    buf_add(buf, alert_target(outcome, alert)->instance);
    if (alert_target(outcome, alert)->is_away)
        buf_add(buf, STR(", no longer watched"));
}

/* How severe and how sure: "critical, medium confidence, rule colly-limit". */
static void add_judgement(struct buf *buf, const struct outcome_alert *alert)
{
    buf_add(buf, str_from(severity_text(alert->severity)));
    if (alert->confidence.len) {
        buf_add(buf, STR(", "));
        buf_add(buf, alert->confidence);
        buf_add(buf, STR(" confidence"));
    }
    buf_add(buf, STR(", rule "));
    buf_add(buf, alert->rule);
}

static void add_time(struct buf *buf, const struct outcome_alert *alert)
{
    if (alert->first_seen_ns)
        utc_add(buf, alert->first_seen_ns);
}

/* The texts that have to be made, and where each of them ends. */
static void make_texts(const struct outcome_alert *alert, struct buf *made,
                       size_t ends[4])
{
    ends[0] = made->len;
    alert_add_figures(made, alert);
    ends[1] = made->len;
    add_judgement(made, alert);
    ends[2] = made->len;
    add_time(made, alert);
    ends[3] = made->len;
}

static struct str between(const struct buf *made, size_t from, size_t to)
{
    if (made->failed)
        return (struct str){0};
    return str_skip(str_head(buf_str(made), to), from);
}

void alert_facts(const struct outcome *outcome,
                 const struct outcome_alert *alert, struct buf *made,
                 struct alert_fact ret[ALERT_FACTS])
{
    size_t ends[4];

    make_texts(alert, made, ends);
    ret[0] =
        (struct alert_fact){"Instance", alert_target(outcome, alert)->instance};
    ret[1] = (struct alert_fact){"Count", between(made, ends[0], ends[1])};
    ret[2] = (struct alert_fact){"At", alert_where(alert)};
    ret[3] = (struct alert_fact){"State", alert->state_text};
    ret[4] = (struct alert_fact){"Judged", between(made, ends[1], ends[2])};
    ret[5] =
        (struct alert_fact){"Found since", between(made, ends[2], ends[3])};
    ret[6] = (struct alert_fact){"Meaning", alert->explain};
    ret[7] = (struct alert_fact){"To do", alert->advice};
    ret[8] = (struct alert_fact){"Dump kept", alert->evidence};
}
