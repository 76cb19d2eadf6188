/* The options of a command, as its help lists them. */
#include <stdio.h>

#include "cli/cli.h"

enum {
    HEAD = 26,       /* columns of an option and its argument */
    NAMES_MOST = 20, /* of one section */
    FEW = 15,        /* options that need no sections */
};

/* Options that belong together, by their names. What no section names comes
 * last, so that a new option is never left out. */
struct section {
    const char *head;
    const char *names[NAMES_MOST];
};

static const struct section sections[] = {
    {"What is shown",
     {"to", "output", "output-file", "top", "all", "group-by", "tree", "sort",
      "sample-type", "source-root", "source-link", "verbose", "quiet"}},
    {"Which goroutines",
     {"focus", "ignore", "hide", "state", "label", "min-count", "min-age"}},
    {"What is compared",
     {"times", "interval", "skip", "limit", "history", "for"}},
    {"What is judged, and how",
     {"leak-profile", "rules", "no-builtin-rules", "no-user-rules", "disable",
      "baseline", "write-baseline", "fail-on", "warning-at", "critical-at",
      "strict"}},
};

enum { N_SECTIONS = sizeof(sections) / sizeof(sections[0]) };

/* Those that a short help shows. */
static const char *const usual[] = {
    "to",       "output",   "output-file", "top",        "all",
    "tree",     "group-by", "focus",       "rules",      "fail-on",
    "baseline", "interval", "history",     "warning-at", "critical-at",
};

enum { N_USUAL = sizeof(usual) / sizeof(usual[0]) };

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n && names[i]; i++) {
        if (str_equal(str_from(name), str_from(names[i])))
            return true;
    }
    return false;
}

/* The section of an option; N_SECTIONS = none. */
static size_t section_of(const struct option_view *option)
{
    size_t i = 0;

    while (i < N_SECTIONS &&
           !is_among(option->name, sections[i].names, NAMES_MOST))
        i++;
    return i;
}

static void put_option(const struct option_view *option)
{
    const char *argument = option->argument ? option->argument : "";
    char head[64];

    if (option->letter)
        snprintf(head, sizeof(head), "-%c, --%s %s", option->letter,
                 option->name, argument);
    else
        snprintf(head, sizeof(head), "    --%s %s", option->name, argument);
    printf("  %-*s %s\n", HEAD, head, option->help);
}

static size_t count(const struct command *command)
{
    struct option_view option;
    size_t n = 0;

    for (size_t at = 0; option_next(command, &at, &option);)
        n++;
    return n;
}

/* Prints one section, if the command has an option of it. */
static void put_section(const struct command *command, const char *head,
                        enum option_group group, size_t section)
{
    struct option_view option;
    bool is_first = true;

    for (size_t at = 0; option_next(command, &at, &option);) {
        if (option.group != group ||
            (group == OPTIONS_OWN && section_of(&option) != section))
            continue;
        if (is_first)
            printf("\n%s:\n", head);
        is_first = false;
        put_option(&option);
    }
}

bool options_are_few(const struct command *command)
{
    return count(command) <= FEW;
}

void options_print(const struct command *command)
{
    struct option_view option;

    if (options_are_few(command)) {
        puts("\nOptions:");
        for (size_t at = 0; option_next(command, &at, &option);)
            put_option(&option);
        return;
    }
    for (size_t i = 0; i < N_SECTIONS; i++)
        put_section(command, sections[i].head, OPTIONS_OWN, i);
    put_section(command, "Addresses", OPTIONS_OF_ADDRESSES, 0);
    put_section(command, "Alerts", OPTIONS_OF_ALERTS, 0);
    put_section(command, "Other options", OPTIONS_OWN, N_SECTIONS);
}

void options_print_usual(const struct command *command)
{
    struct option_view option;

    puts("\nOptions that are used most:");
    for (size_t at = 0; option_next(command, &at, &option);) {
        if (is_among(option.name, usual, N_USUAL))
            put_option(&option);
    }
}
