/* verdict.c - says in a line for each finding what a dump is about, and what its
 * largest group of goroutines does.
 *
 *     cc -o verdict verdict.c $(pkg-config --cflags --libs libcprof)
 *     ./verdict dump.txt */
#include <cprof/cprof.h>
#include <inttypes.h>
#include <stdio.h>

static const char *const severities[] = {"ok",     "info", "low",
                                         "medium", "high", "critical"};

static void print_finding(const struct cprof_report *report, size_t finding)
{
    struct cprof_text title =
        cprof_finding_text(report, finding, CPROF_FINDING_TITLE, 0);
    struct cprof_place site = cprof_finding_site(report, finding);

    printf("%s: %.*s: %" PRIu64 " goroutines (%.1f %%)",
           severities[cprof_finding_severity(report, finding)], (int)title.size,
           title.bytes, cprof_finding_count(report, finding),
           100 * cprof_finding_share(report, finding));
    if (site.function.size)
        printf(" in %.*s, line %" PRIu32, (int)site.function.size,
               site.function.bytes, site.line);
    putchar('\n');
}

/* The largest group, with its stack: a line for each frame, leaf first. */
static void print_largest(const struct cprof_report *report)
{
    size_t group = cprof_report_group(report, 0);
    struct cprof_text state;

    if (group == CPROF_NO_GROUP)
        return;
    state = cprof_group_state(report, group);
    printf("largest group: %" PRIu64 " in %.*s\n",
           cprof_group_count(report, group), (int)state.size, state.bytes);
    for (size_t i = 0; i < cprof_group_frames(report, group); i++) {
        struct cprof_place frame = cprof_group_frame(report, group, i);

        printf("%s %.*s:%" PRIu32 "\n",
               (ptrdiff_t)i == cprof_group_site(report, group) ? "->" : "  ",
               (int)frame.function.size, frame.function.bytes, frame.line);
    }
}

int main(int argc, char **argv)
{
    struct cprof_options *options = NULL;
    struct cprof_snapshots *snapshots = NULL;
    struct cprof_report *report = NULL;
    struct cprof_error err = {0};
    int status = 2;

    if (argc != 2) {
        fprintf(stderr, "usage: verdict DUMP\n");
        return 2;
    }
    if (cprof_options_new(&options, &err) < 0 ||
        cprof_snapshots_new(&snapshots, options, &err) < 0 ||
        cprof_snapshots_read_file(snapshots, argv[1], &err) < 0 ||
        cprof_report_new(&report, snapshots, options, &err) < 0) {
        fprintf(stderr, "%s: %s\n", err.source, err.message);
        goto done;
    }
    for (size_t i = 0; i < cprof_report_findings(report); i++)
        print_finding(report, i);
    print_largest(report);
    printf("%" PRIu64 " goroutines, verdict: %s\n",
           cprof_report_goroutines(report),
           severities[cprof_report_verdict(report)]);
    status = cprof_report_verdict(report) >= CPROF_SEVERITY_HIGH;

done:
    cprof_report_free(report);
    cprof_snapshots_free(snapshots);
    cprof_options_free(options);
    return status;
}
