/* rules_form.h - the parts of a rule's explanation, as text and as markdown.
 *
 * Both forms are made of the same parts in the same order, so that what the
 * terminal and the reference say cannot differ. */
#ifndef CLI_RULES_FORM_H
#define CLI_RULES_FORM_H

#include "report/page.h"

struct rule_form {
    /* The id of a rule and its title. */
    void (*begin)(struct page *page, struct str id, struct str title);

    /* Some words within a line. */
    void (*phrase)(struct page *page, struct str text);

    /* The head of a part. */
    void (*head)(struct page *page, const char *head);

    /* A paragraph; one item of a list, one that is an address, and the end of
     * the list. */
    void (*paragraph)(struct page *page, struct str text);
    void (*item)(struct page *page, struct str text);
    void (*address)(struct page *page, struct str text);
    void (*items_end)(struct page *page);

    /* One tier, in a list as well. */
    void (*tier)(struct page *page, enum cprof_severity severity,
                 struct str words);

    /* A line that is shown as it is, with the indent it has; such lines stand
     * between code_begin and code_end. */
    void (*code_begin)(struct page *page);
    void (*code)(struct page *page, struct str line);
    void (*code_end)(struct page *page);
};

extern const struct rule_form form_text;
extern const struct rule_form form_markdown;

#endif
