#include "report/sarif_numbers.h"

#include <stdlib.h>

/* What two results must have in common to have the same fingerprint, and what
 * tells them apart. */
struct mark {
    size_t first; /* finding of its rule */
    struct str function;
    uint32_t line;
    uint32_t index; /* of the result */
};

static int compare_places(const struct mark *left, const struct mark *right)
{
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return str_compare(left->function, right->function);
}

static int compare_marks(const void *a, const void *b)
{
    const struct mark *left = a;
    const struct mark *right = b;
    int order = compare_places(left, right);

    if (!order)
        order = (left->line > right->line) - (left->line < right->line);
    if (!order)
        order = (left->index > right->index) - (left->index < right->index);
    return order;
}

/* Counts for each result the findings that come before it at its place; those
 * that a baseline accepts do not count. */
static void count_alike(struct sarif_numbers *numbers, const struct mark *marks,
                        size_t n, size_t n_findings)
{
    uint32_t n_alike = 0;

    for (size_t i = 0; i < n; i++) {
        if (i && compare_places(&marks[i - 1], &marks[i]) != 0)
            n_alike = 0;
        numbers[marks[i].index].n_alike = n_alike;
        n_alike += marks[i].index < n_findings;
    }
}

struct sarif_numbers *sarif_number(const struct cprof_report *report,
                                   struct arena *arena)
{
    size_t n_findings = report_n_findings(report);
    size_t n = n_findings + report_n_accepted(report);
    struct sarif_numbers *numbers =
        arena_take_zero(arena, n * sizeof(*numbers));
    struct mark *marks = arena_take(arena, n * sizeof(*marks));
    uint32_t n_rules = 0;

    if (!numbers || !marks)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        struct finding_view view = report_finding(report, i);
        size_t first = report_first_of(report, view.finding->rule);

        numbers[i].is_first = first == i;
        numbers[i].rule = first == i ? n_rules++ : numbers[first].rule;
        marks[i] = (struct mark){first, view.site.function, view.site.line,
                                 (uint32_t)i};
    }
    qsort(marks, n, sizeof(*marks), compare_marks);
    count_alike(numbers, marks, n, n_findings);
    return numbers;
}
