#include "report/staying_words.h"

#include <math.h>

#include "base/count.h"
#include "report/changes.h"
#include "report/human.h"

enum { HOUR = 3600 }; /* seconds */

void staying_words_ends(struct buf *buf, double before, double after)
{
    change_add_figure(buf, floor(before + 0.5));
    buf_add(buf, STR(" to "));
    change_add_figure(buf, floor(after + 0.5));
}

/* "; ever more of them stay, from 29 to 128: there 25s later by their ids, and
 * none of them left, while others come and go" */
static void add_staying(struct buf *buf, const struct site_growth *site)
{
    if (!site->staying.decides) {
        buf_add(buf, STR("; ever more of them stay, from "));
        staying_words_ends(buf, site->staying.before, site->staying.after);
        buf_add(buf, STR(": there "));
    } else {
        buf_add(buf, STR("; they were there "));
    }
    if (site->has_rate) {
        age_add_short(buf, count_near(site->staying.hours * HOUR));
        buf_add(buf, STR(" later"));
    } else {
        buf_add(buf, STR("at a later snapshot"));
    }
    buf_add(buf, STR(" by their ids, and "));
    if (site->staying.kept >= 1)
        buf_add(buf, STR("none of them left"));
    else
        buf_addf(buf, "%.0f %% of them did not leave",
                 floor(site->staying.kept * 100));
    buf_add(buf, STR(", while others come and go"));
}

void staying_words_add(struct buf *buf, const struct site_growth *site)
{
    if (growth_gathers(site)) {
        add_staying(buf, site);
        return;
    }
    if (!site->has_survivors)
        return;
    if (growth_stays(site))
        buf_addf(buf, "; those %s are still there, by their ids",
                 site->asked.is_later ? "that were there halfway"
                                      : "of the start");
    else if (growth_passes(site))
        buf_add(buf, STR("; goroutines come and go, by their ids: traffic"));
    else
        buf_addf(buf, "; %s%.0f %% of %s are still there, by their ids",
                 site->asked.is_sample ? "about " : "", site->survivors * 100,
                 site->asked.is_later ? "those halfway" : "the first");
}
