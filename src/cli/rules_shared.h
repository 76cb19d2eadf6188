/* rules_shared.h - what the commands that begin with "rules" have in common. */
#ifndef CLI_RULES_SHARED_H
#define CLI_RULES_SHARED_H

#include "base/json.h"
#include "cli/cli.h"
#include "report/page.h"
#include "rules/rule_test.h"

/* Rules as a command sees them, and the page it writes. */
struct rules_view {
    const struct arguments *arguments;
    struct budget budget;
    struct rules *rules; /* with their tests */
    struct buf out;
    struct page page; /* lays out what goes to out */
};

/* Prepares a view without rules: settles the terminal, checks the format that
 * -o names against a list that ends with NULL. What a failure leaves is freed
 * with rules_view_done, as what success does. */
int rules_view_init(struct rules_view *ret, const struct arguments *arguments,
                    const char *const *formats, struct cprof_error *err);
void rules_view_done(struct rules_view *view);

/* Loads the rules that analyze would use with these options, and resolves what
 * they say of each other. */
int rules_view_load(struct rules_view *view, struct cprof_error *err);

/* Writes what stands in view->out where the arguments say. */
int rules_view_write(struct rules_view *view, struct cprof_error *err);

/* Ends a command: prints the error, if there is one, and frees the view.
 * Returns the exit status, which is EXIT_TROUBLE after an error. */
int rules_view_end(struct rules_view *view, int status,
                   const struct cprof_error *err);

/* " (did you mean 'near'?)", by value for use as an argument of printf; empty
 * for an empty word. */
struct hint {
    char text[96];
};

/* The hint at a word. */
struct hint hint_near(struct str near);

/* The index of a word of an option's value among n words. -1 with CPROF_EUSAGE
 * names the option, the words and the nearest of them. */
int option_word(const char *option, const char *value, const char *const *words,
                size_t n, struct cprof_error *err);

/* Begins a JSON document of rules, and adds one rule to its array; the caller
 * closes both. total is how many rules there are to choose from. */
void rules_json_begin(struct json *json, size_t total);
void rules_json_add(struct json *json, const struct rule *rule);

#endif
