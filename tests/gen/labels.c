#include "labels.h"

#include <ctype.h>

#include "out.h"

enum label_form label_form_of(const struct release *release)
{
    if (release->minor >= GO_LABELS_BEHIND)
        return LABELS_BEHIND;
    if (release->minor >= GO_LABELS_IN_BRACKETS)
        return LABELS_IN_BRACKETS;
    return LABELS_NONE;
}

/* runtime/traceback.go of Go 1.27 prints a value bare when it is made of
 * letters, digits, dots, slashes and underlines only. No value here holds what
 * a quoted one would have to escape. */
static char *put_value(char *to, enum label_form form, const char *value)
{
    bool bare = form == LABELS_BEHIND;

    for (const char *p = value; *p; p++)
        bare = bare && (isalnum((unsigned char)*p) || strchr("./_", *p));
    if (!bare)
        *to++ = '"';
    to = put_text(to, value);
    if (!bare)
        *to++ = '"';
    return to;
}

char *label_put(char *to, enum label_form form, unsigned handler,
                unsigned tenant)
{
    static const char *const parts[][3] = {
        [LABELS_COUNTS] = {"# labels: {\"handler\":", ", \"tenant\":", "}\n"},
        [LABELS_IN_BRACKETS] = {" labels:{\"handler\": ", ", \"tenant\": ",
                                "}"},
        [LABELS_BEHIND] = {" {handler: ", ", tenant: ", "}"},
    };

    if (form == LABELS_NONE)
        return to;
    to = put_text(to, parts[form][0]);
    to = put_value(to, form, handler_names[handler]);
    to = put_text(to, parts[form][1]);
    to = put_value(to, form, tenant_names[tenant]);
    return put_text(to, parts[form][2]);
}
