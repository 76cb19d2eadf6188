/* cprof.h - reads goroutine dumps and says what is wrong.
 *
 *     struct cprof_options *options = NULL;
 *     struct cprof_snapshots *snapshots = NULL;
 *     struct cprof_report *report = NULL;
 *     struct cprof_error err = {0};
 *
 *     if (cprof_options_new(&options, &err) < 0 ||
 *         cprof_snapshots_new(&snapshots, options, &err) < 0 ||
 *         cprof_snapshots_read_file(snapshots, "dump.txt", &err) < 0 ||
 *         cprof_report_new(&report, snapshots, options, &err) < 0)
 *         fprintf(stderr, "%s\n", err.message);
 *     else
 *         cprof_report_write(report, "text", to_file, stdout, &err);
 *     cprof_report_free(report);
 *     cprof_snapshots_free(snapshots);
 *     cprof_options_free(options);
 *
 * Ownership: what a *_new call stores through its first argument belongs to
 * the caller, who frees it with the matching *_free; *_free(NULL) does
 * nothing. Options must outlive the snapshots, and snapshots the report, that
 * were made with them. Texts that a call returns live as long as the object
 * they came from.
 *
 * Errors: see error.h. Dirt in an input is not an error: it becomes a
 * diagnostic in the report.
 *
 * Threads: an object may move between threads, but only one thread may use
 * it, or another made from it, at a time. */
#ifndef CPROF_CPROF_H
#define CPROF_CPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cprof/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
# define CPROF_API __attribute__((visibility("default")))
#else
# define CPROF_API
#endif

/* How bad something is. The order is part of the interface. */
enum cprof_severity {
    CPROF_SEVERITY_OK,
    CPROF_SEVERITY_INFO,
    CPROF_SEVERITY_LOW,
    CPROF_SEVERITY_MEDIUM,
    CPROF_SEVERITY_HIGH,
    CPROF_SEVERITY_CRITICAL,
};

struct cprof_options;
struct cprof_snapshots;
struct cprof_report;

/* The version of the library, "0.1.0". */
CPROF_API const char *cprof_version(void);

/* New options with every default. */
CPROF_API int cprof_options_new(struct cprof_options **ret,
                                struct cprof_error *err);
CPROF_API void cprof_options_free(struct cprof_options *options);

/* Sets an option by the long name that the command line uses, without the
 * dashes: cprof_options_set(options, "min-count", "10", &err). Options that
 * may be given several times add up. A flag takes NULL. CPROF_EUSAGE names
 * the option and what it takes. */
CPROF_API int cprof_options_set(struct cprof_options *options, const char *name,
                                const char *value, struct cprof_error *err);

/* An empty set of snapshots. */
CPROF_API int cprof_snapshots_new(struct cprof_snapshots **ret,
                                  const struct cprof_options *options,
                                  struct cprof_error *err);
CPROF_API void cprof_snapshots_free(struct cprof_snapshots *snapshots);

/* Makes the inputs moments of one process in order of time, which a report then
 * compares: what grew, what is new, what went away. Called before the first is
 * read. */
CPROF_API void cprof_snapshots_compare(struct cprof_snapshots *snapshots);

/* Has a function called while inputs are read, with the name of the input and
 * how many bytes of it, as they are stored, were read so far: as often as there
 * is something new to read, so it should be quick. NULL ends that. */
typedef void cprof_progress_fn(void *user, const char *name,
                               unsigned long long bytes);
CPROF_API void cprof_snapshots_watch(struct cprof_snapshots *snapshots,
                                     cprof_progress_fn *tell, void *user);

/* Reads one input, a file, and adds every dump in it as a snapshot. The name
 * "-" is standard input. CPROF_EFORMAT: no dump was recognised in it, the
 * message says what it looks like instead. */
CPROF_API int cprof_snapshots_read_file(struct cprof_snapshots *snapshots,
                                        const char *path,
                                        struct cprof_error *err);

/* The same from a function that stores up to size bytes and returns how many,
 * 0 at the end, or -1 to fail with errno set. Name is for messages. */
typedef ptrdiff_t cprof_read_fn(void *user, void *into, size_t size);
CPROF_API int cprof_snapshots_read(struct cprof_snapshots *snapshots,
                                   const char *name, cprof_read_fn *read,
                                   void *user, struct cprof_error *err);

/* Reads one input as the Go runtime's proof of leaks in the inputs that were
 * read before: a goroutineleak profile of the same process, or a stack dump in
 * which goroutines are marked "(leaked)". It is not judged itself. Given once
 * for each input they belong together in order; otherwise it belongs to the
 * input with which it has most in common. CPROF_EFORMAT: the input is
 * something else. */
CPROF_API int cprof_snapshots_read_leaks(struct cprof_snapshots *snapshots,
                                         const char *path,
                                         struct cprof_error *err);

/* The same from a function, as cprof_snapshots_read has it. */
CPROF_API int cprof_snapshots_read_leaks_from(struct cprof_snapshots *snapshots,
                                              const char *name,
                                              cprof_read_fn *read, void *user,
                                              struct cprof_error *err);

/* How many snapshots were read so far. */
CPROF_API size_t cprof_snapshots_count(const struct cprof_snapshots *snapshots);

/* Judges the snapshots by the rules of the options. The report looks at both
 * while it lives: they are freed behind it, and until then nothing more is read
 * into the snapshots. */
CPROF_API int cprof_report_new(struct cprof_report **ret,
                               struct cprof_snapshots *snapshots,
                               const struct cprof_options *options,
                               struct cprof_error *err);
CPROF_API void cprof_report_free(struct cprof_report *report);

/* The severity of the worst finding that the baseline does not accept,
 * CPROF_SEVERITY_OK without any. */
CPROF_API enum cprof_severity cprof_report_verdict(
    const struct cprof_report *report);

/* False where nothing loud was found, but the frames of most goroutines could
 * not be read: then the verdict says nothing, and no finding is no health. */
CPROF_API bool cprof_report_is_judged(const struct cprof_report *report);

/* Whether every input was read whole: nothing cut, skipped or left out. */
CPROF_API bool cprof_report_is_complete(const struct cprof_report *report);

/* Writes the report in a format ("text", "json") piece by piece through a
 * function that returns 0 to go on. */
typedef int cprof_write_fn(void *user, const char *bytes, size_t size);
CPROF_API int cprof_report_write(const struct cprof_report *report,
                                 const char *format, cprof_write_fn *write,
                                 void *user, struct cprof_error *err);

/* Writes the baseline that the report was judged by, as a file that the option
 * "baseline" reads: with the option "write-baseline" one that accepts all that
 * was found. CPROF_EUSAGE: there was neither of these options. */
CPROF_API int cprof_report_write_baseline(const struct cprof_report *report,
                                          cprof_write_fn *write, void *user,
                                          struct cprof_error *err);

/* --- What a report says, for programs -------------------------------------
 *
 * Everything that follows only looks at a report. Indices must be below the
 * number that the report gives; texts live as long as it does. */

/* size bytes of UTF-8 as the dump or the rule has them, without a NUL behind
 * them: printf("%.*s", (int)text.size, text.bytes). Control characters are not
 * escaped. */
struct cprof_text {
    const char *bytes; /* NULL when size is 0 */
    size_t size;
};

/* How sure a finding is. The order is part of the interface. */
enum cprof_confidence {
    CPROF_CONFIDENCE_LOW,
    CPROF_CONFIDENCE_MEDIUM,
    CPROF_CONFIDENCE_HIGH,
    CPROF_CONFIDENCE_PROVEN, /* by the Go runtime itself */
};

/* A line of code. */
struct cprof_place {
    struct cprof_text function; /* without vendor prefix; empty = unknown */
    struct cprof_text file;     /* as the dump prints it; empty = unknown */
    uint32_t line;              /* 0 = unknown */
};

/* What is asked of a finding by cprof_finding_text, and how often it can be
 * asked: CAUSE once, ADVICE as often as cprof_finding_texts says. */
enum cprof_text_kind {
    CPROF_FINDING_RULE,      /* id of the rule, "chan-send-blocked" */
    CPROF_FINDING_TITLE,     /* a few words */
    CPROF_FINDING_STATE,     /* wait reason of all its goroutines, or empty */
    CPROF_FINDING_EXPLAIN,   /* what was seen */
    CPROF_FINDING_CAUSE,     /* what that means */
    CPROF_FINDING_DECIDE,    /* what would settle the doubt; several */
    CPROF_FINDING_ADVICE,    /* what to do; several */
    CPROF_FINDING_REFERENCE, /* where to read more; several */
};

/* Goroutines of the judged snapshots: what the records hold. */
CPROF_API uint64_t cprof_report_goroutines(const struct cprof_report *report);

/* How many findings there are that no baseline accepts, the worst first. */
CPROF_API size_t cprof_report_findings(const struct cprof_report *report);

/* How bad a finding is, and how sure that is. */
CPROF_API enum cprof_severity cprof_finding_severity(
    const struct cprof_report *report, size_t finding);
CPROF_API enum cprof_confidence cprof_finding_confidence(
    const struct cprof_report *report, size_t finding);

/* Its goroutines, and what fraction of all these are, 0 to 1. */
CPROF_API uint64_t cprof_finding_count(const struct cprof_report *report,
                                       size_t finding);
CPROF_API double cprof_finding_share(const struct cprof_report *report,
                                     size_t finding);

/* Where they wait; everything is empty when they stand in several places. */
CPROF_API struct cprof_place cprof_finding_site(
    const struct cprof_report *report, size_t finding);

/* How many texts of a kind a finding has, and one of them. */
CPROF_API size_t cprof_finding_texts(const struct cprof_report *report,
                                     size_t finding, enum cprof_text_kind kind);
CPROF_API struct cprof_text cprof_finding_text(
    const struct cprof_report *report, size_t finding,
    enum cprof_text_kind kind, size_t index);

/* What cprof_report_group gives behind the last group. */
#define CPROF_NO_GROUP SIZE_MAX

/* Groups of goroutines with one stack in one state, the largest first. This
 * gives the first at or behind a number: the user's filters leave some out.
 *
 *     for (size_t group = cprof_report_group(report, 0);
 *          group != CPROF_NO_GROUP;
 *          group = cprof_report_group(report, group + 1)) */
CPROF_API size_t cprof_report_group(const struct cprof_report *report,
                                    size_t from);

/* The goroutines of a group. */
CPROF_API uint64_t cprof_group_count(const struct cprof_report *report,
                                     size_t group);

/* What they wait for, in Go's newest words: "chan send"; empty = unknown. */
CPROF_API struct cprof_text cprof_group_state(const struct cprof_report *report,
                                              size_t group);

/* The stack of a group, leaf first: how many frames, one of them, and which of
 * them is the line of the user's own code that it waits at; -1 = none. The
 * option "hide" leaves out none here. */
CPROF_API size_t cprof_group_frames(const struct cprof_report *report,
                                    size_t group);
CPROF_API struct cprof_place cprof_group_frame(
    const struct cprof_report *report, size_t group, size_t index);
CPROF_API ptrdiff_t cprof_group_site(const struct cprof_report *report,
                                     size_t group);

#ifdef __cplusplus
}
#endif

#endif
