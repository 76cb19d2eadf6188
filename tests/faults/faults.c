/* faults.c - a command goes wrong at every place where the system can refuse,
 * and leaves nothing that is broken.
 *
 *     faults memory|lasting|disk|signal [OPTION] CASES NAME
 *
 * Runs the command line that has the name in the list of cases, unhindered at
 * first and then once for each fault:
 *
 *     memory   the first allocation fails, the second, and so on to the last
 *     lasting  it and all behind it
 *     disk     files grow to 0 bytes, to some, and so on to all that is written
 *     signal   SIGINT, SIGTERM and SIGHUP come at once, later, and at the end
 *
 *     --most N    N faults only, spread evenly
 *     --often N   an allocation is refused N times for the same callers, and
 *                 then each time its calls have doubled (failing_malloc.c)
 *     --part I/N  the faults of one of N parts
 *
 * A run passes when it answers as the unhindered one, or says what is wrong by
 * its status and in words, and when each file is as it was before or as the
 * unhindered run leaves it, with no other beside it.
 *
 * Each run begins with the files that FAULT_FOLDER has at the start; links in
 * it stay, and FAULT_ASIDE is a folder for what is not of the command.
 * FAULT_ALLOCATOR is failing_malloc.so, CPROF_LEAKS the program. The last line
 * counts; each fault that was not borne is told above it, at most 20. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/process.h"

enum {
    WORDS_MOST = 32,
    TOLD_MOST = 20,
    OFTEN = 16, /* the same callers are refused, before they count as known */
    DISK_STEPS = 64,
    SIGNAL_STEPS = 24,
    EXIT_SANITIZER = 99, /* of ASan and valgrind, see Makefile */
    TROUBLE = 2,
    UNKNOWN = 3, /* the same of check */
    NO_LOADER = 127,
};

static const char *const kinds[N_FAULTS] = {
    [FAULT_MEMORY] = "memory",
    [FAULT_LASTING] = "lasting",
    [FAULT_DISK] = "disk",
    [FAULT_SIGNAL] = "signal",
};

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

/* One case while it is tried. */
struct trial {
    struct stage stage;
    enum fault fault;
    char line[1024];
    char *words[WORDS_MOST];
    int status;    /* that has to come, unhindered */
    uint64_t part; /* of the faults only every parts-th is tried */
    uint64_t parts;
    struct folder before;
    struct run whole; /* unhindered */
    size_t n_runs;
    size_t n_refused; /* ended otherwise than the unhindered run */
    size_t n_wrong;
};

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "faults: %s '%s'\n", what, which);
    exit(2);
}

/* "STATUS", with ",chains", and with ",waits", which run.sh knows. */
static void read_outcome(struct trial *trial, const char *word)
{
    trial->status = (int)strtol(word, NULL, 10);
    if (!trial->stage.often && strstr(word, ",chains"))
        trial->stage.often = OFTEN;
}

/* Finds the case; its first word becomes the name of the program. */
static void find_case(struct trial *trial, const char *path, const char *name)
{
    static char program[] = "cprof-leaks";
    FILE *list = fopen(path, "r");
    size_t n = 0;

    if (!list)
        fail("cannot read", path);
    while (fgets(trial->line, sizeof(trial->line), list)) {
        char *first = strtok(trial->line, " \n");

        if (first && strcmp(first, name) == 0)
            break;
        trial->line[0] = '\0';
    }
    fclose(list);
    if (!trial->line[0])
        fail("no case is named", name);
    trial->words[n++] = program;
    read_outcome(trial, strtok(NULL, " \n"));
    for (char *word; n < WORDS_MOST - 1 && (word = strtok(NULL, " \n"));)
        trial->words[n++] = word;
}

static bool is_check(const struct trial *trial)
{
    return trial->words[1] && strcmp(trial->words[1], "check") == 0;
}

static bool holds(const struct buf *text, const char *words)
{
    return text->len && memmem(text->ptr, text->len, words, strlen(words));
}

/* Copies text without what a clock says. */
static void add_timeless(struct buf *into, const struct buf *text)
{
    static const char *const clocks[] = {"time=", "_duration_seconds{",
                                         "_timestamp_seconds{"};
    struct str rest = buf_str(text);

    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        rest = str_skip(rest, line.len + 1);
        for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
            const char *at =
                memmem(line.ptr, line.len, clocks[i], strlen(clocks[i]));

            if (at)
                line.len = (size_t)(at - line.ptr);
        }
        buf_add(into, line);
        buf_add_char(into, '\n');
    }
}

static bool is_same(const struct buf *a, const struct buf *b)
{
    struct buf texts[2] = {{0}, {0}};
    bool same;

    if (a->len == b->len && (!a->len || memcmp(a->ptr, b->ptr, a->len) == 0))
        return true;
    add_timeless(&texts[0], a);
    add_timeless(&texts[1], b);
    same = str_equal(buf_str(&texts[0]), buf_str(&texts[1]));
    buf_done(&texts[0]);
    buf_done(&texts[1]);
    return same;
}

/* A history is no text: whether it is whole is asked of the program. */
static bool is_history(const char *name)
{
    return str_ends(str_from(name), STR(".db"));
}

/* SQLite's companions of a history stay where the process was killed, and are
 * used and removed by the next; the lock of check stays always. */
static bool is_companion(const char *name)
{
    struct str text = str_from(name);

    return str_ends(text, STR(".db-journal")) ||
           str_ends(text, STR(".db-wal")) || str_ends(text, STR(".db-shm")) ||
           str_ends(text, STR(".db.lock"));
}

/* The words that belong to a fault, one of which has to be said. */
static bool is_told(const struct trial *trial, const struct run *run)
{
    static const char *const disk[] = {"File too large", "takes no more bytes",
                                       "disk is full"};
    bool told = false;

    if (trial->fault == FAULT_SIGNAL)
        return true; /* the status says it, and of check its first line */
    if (trial->fault != FAULT_DISK)
        return holds(&run->out, "memory") || holds(&run->err, "memory");
    for (size_t i = 0; i < sizeof(disk) / sizeof(disk[0]); i++)
        told |= holds(&run->out, disk[i]) || holds(&run->err, disk[i]);
    return told;
}

/* Whether a file is an answer that says what it lost. */
static bool is_confessed(const struct trial *trial,
                         const struct folder_file *file)
{
    return (trial->fault == FAULT_MEMORY || trial->fault == FAULT_LASTING) &&
           holds(&file->bytes, "memory");
}

static const char *judge_file(const struct trial *trial,
                              const struct folder_file *file,
                              const struct run *run)
{
    const struct folder_file *old = folder_find(&trial->before, file->name);
    const struct folder_file *new =
        folder_find(&trial->whole.after, file->name);

    if (is_companion(file->name) || (is_history(file->name) && (old || new)))
        return NULL;
    if (!old && !new)
        return "a file that does not belong there";
    if ((old && is_same(&old->bytes, &file->bytes)) ||
        (new &&is_same(&new->bytes, &file->bytes)) ||
        (new && (is_confessed(trial, file) || is_told(trial, run))))
        return NULL;
    return "a file that is neither old nor new";
}

/* What is wrong with the files, or NULL. */
static const char *judge_files(const struct trial *trial, const struct run *run)
{
    for (size_t i = 0; i < run->after.n; i++) {
        const char *wrong = judge_file(trial, &run->after.files[i], run);

        if (wrong)
            return wrong;
    }
    for (size_t i = 0; i < trial->before.n; i++) {
        const char *name = trial->before.files[i].name;

        if (!folder_find(&run->after, name) &&
            folder_find(&trial->whole.after, name))
            return "a file is missing";
    }
    return NULL;
}

/* Whether a file is the very one that lay there before. */
static bool is_untouched(const struct trial *trial,
                         const struct folder_file *file)
{
    const struct folder_file *old = folder_find(&trial->before, file->name);

    return old && str_equal(buf_str(&old->bytes), buf_str(&file->bytes));
}

/* Asks the program, unhindered, whether the histories that it touched are
 * whole. */
static const char *judge_histories(const struct trial *trial,
                                   const struct run *run)
{
    struct stage stage = trial->stage;

    stage.allocator = NULL;
    for (size_t i = 0; i < run->after.n; i++) {
        char name[128];
        char command[] = "history";
        char list[] = "list";
        char all[] = "--verify";
        char *words[] = {trial->words[0], command, list, all, name, NULL};
        struct run verify;
        bool is_whole;

        strcpy(name, run->after.files[i].name);
        if (!is_history(name) || is_untouched(trial, &run->after.files[i]))
            continue;
        run_program(&verify, &stage, words, FAULT_NONE, 0, 0);
        is_whole = verify.status == 0 ||
                   holds(&verify.err, "nothing was stored in it yet");
        run_done(&verify);
        if (!is_whole)
            return "a history that is not whole";
    }
    return NULL;
}

static bool is_answer(const struct trial *trial, const struct run *run)
{
    return run->status == trial->whole.status &&
           is_same(&run->out, &trial->whole.out);
}

/* The loader of libcurl ends the process itself where it has no memory for the
 * variables of a thread (glibc elf/dl-tls.c: oom). */
static bool is_loader_starved(const struct run *run)
{
    return holds(&run->err, "cannot allocate memory for thread-local data");
}

/* OpenSSL 3 loses what its start has made so far where memory fails in it; it
 * is begun once a process. */
static bool is_openssl_leak(const struct run *run)
{
    return holds(&run->err, "ERROR: LeakSanitizer") &&
           !holds(&run->err, "ERROR: AddressSanitizer") &&
           holds(&run->trace, "OPENSSL_init_crypto");
}

/* AddressSanitizer asks for memory where a thread begins, to find its stack,
 * and checks that it got some (asan_thread.cpp: ThreadStart). */
static bool is_thread_starved(const struct run *run)
{
    return holds(&run->err, "AddressSanitizer: CHECK failed") &&
           holds(&run->err, "AsanThread::ThreadStart");
}

/* Whether a run that gave no answer ended as it should. */
static const char *judge_end(const struct trial *trial, const struct run *run,
                             int signal_number)
{
    int trouble = is_check(trial) ? UNKNOWN : TROUBLE;

    if (signal_number && run->status == 128 + signal_number)
        return NULL;
    if (run->status == EXIT_SANITIZER)
        return is_openssl_leak(run) || is_thread_starved(run)
                   ? NULL
                   : "a sanitizer has found something";
    if (run->status >= 128)
        return "it was killed";
    if (!is_told(trial, run))
        return "it answers otherwise and does not say why";
    if (run->status == trial->whole.status || is_check(trial))
        return NULL;
    if (run->status == NO_LOADER && is_loader_starved(run))
        return NULL;
    return run->status == trouble ? NULL : "the status is wrong";
}

/* Tells what a fault has done. */
static void tell(const struct trial *trial, const struct run *run, uint64_t at,
                 int signal_number, const char *wrong)
{
    printf("%s at %" PRIu64 ", signal %d: %s; status %d, not %d\n",
           kinds[trial->fault], at, signal_number, wrong, run->status,
           trial->whole.status);
    for (size_t i = 0; i < run->after.n; i++)
        printf("    file %s, %zu bytes\n", run->after.files[i].name,
               run->after.files[i].bytes.len);
    printf("    stdout: %.300s\n    stderr: %.1500s\n    callers: %s\n",
           run->out.ptr ? run->out.ptr : "", run->err.ptr ? run->err.ptr : "",
           run->trace.ptr ? run->trace.ptr : "");
}

/* Judges a run that met a fault, and ends it. */
static void take_run(struct trial *trial, struct run *run, uint64_t at,
                     int signal_number)
{
    const char *wrong = NULL;

    if (run->is_late)
        wrong = "it does not end";
    else if (!is_answer(trial, run))
        wrong = judge_end(trial, run, signal_number);
    if (!wrong)
        wrong = judge_files(trial, run);
    if (!wrong)
        wrong = judge_histories(trial, run);
    trial->n_runs++;
    trial->n_refused += !is_answer(trial, run);
    trial->n_wrong += wrong != NULL;
    if (wrong && trial->n_wrong <= TOLD_MOST)
        tell(trial, run, at, signal_number, wrong);
    run_done(run);
}

static void try_fault(struct trial *trial, uint64_t at, int signal_number)
{
    struct run run;

    folder_write(&trial->before, trial->stage.folder);
    run_program(&run, &trial->stage, trial->words, trial->fault, at,
                signal_number);
    take_run(trial, &run, at, signal_number);
}

/* The largest file that the unhindered run has written. */
static uint64_t largest(const struct trial *trial)
{
    uint64_t most = trial->whole.out.len;

    for (size_t i = 0; i < trial->whole.after.n; i++) {
        uint64_t size = trial->whole.after.files[i].bytes.len;

        most = size > most ? size : most;
    }
    return most;
}

/* Faults at the numbers from first to last, or so many of them. */
struct range {
    uint64_t first;
    uint64_t n;
    uint64_t runs;
};

static struct range range_between(uint64_t first, uint64_t last, uint64_t most)
{
    uint64_t n = last - first + 1;

    return (struct range){first, n, most < n ? most : n};
}

/* The number of the i-th fault; 0 behind the last. */
static uint64_t range_at(const struct range *range, uint64_t i)
{
    return i < range->runs ? range->first + i * range->n / range->runs : 0;
}

/* Tries those faults that belong to this part of the trial. */
static void try_range(struct trial *trial, struct range range,
                      int signal_number)
{
    for (uint64_t i = trial->part; i < range.runs; i += trial->parts)
        try_fault(trial, range_at(&range, i), signal_number);
}

/* The same for those allocations that the unhindered run has listed. */
static void try_listed(struct trial *trial, uint64_t most)
{
    const struct buf *list = &trial->whole.chains;
    struct range range =
        range_between(0, list->len / sizeof(uint64_t) - 1, most);

    for (uint64_t i = trial->part; i < range.runs; i += trial->parts) {
        uint64_t at;

        memcpy(&at, list->ptr + range_at(&range, i) * sizeof(at), sizeof(at));
        try_fault(trial, at, 0);
    }
}

static void try_memory(struct trial *trial, uint64_t most)
{
    if (!trial->whole.n_calls)
        fail("nothing counts allocations; a static sanitizer?", "");
    if (!trial->stage.often)
        try_range(trial, range_between(1, trial->whole.n_calls, most), 0);
    else if (trial->whole.chains.len)
        try_listed(trial, most);
    else
        fail("nothing lists allocations", "");
}

static void try_all(struct trial *trial, uint64_t most)
{
    uint64_t disk = most < DISK_STEPS ? most : DISK_STEPS;
    uint64_t times = most < SIGNAL_STEPS ? most : SIGNAL_STEPS;
    uint64_t late = trial->whole.took_us * 5 / 4;

    switch (trial->fault) {
    case FAULT_MEMORY:
    case FAULT_LASTING:
        try_memory(trial, most);
        break;
    case FAULT_DISK:
        try_range(trial, range_between(0, largest(trial), disk), 0);
        break;
    case FAULT_SIGNAL:
        for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
            try_range(trial, range_between(0, late, times), ends[i]);
        break;
    case FAULT_NONE:
        break;
    }
}

static enum fault fault_named(const char *kind)
{
    for (size_t i = 0; i < N_FAULTS; i++) {
        if (kinds[i] && strcmp(kinds[i], kind) == 0)
            return (enum fault)i;
    }
    fail("no fault is named", kind);
}

static void set_up(struct trial *trial, const char *kind)
{
    trial->fault = fault_named(kind);
    trial->stage.program = getenv("CPROF_LEAKS");
    trial->stage.folder = getenv("FAULT_FOLDER");
    trial->stage.aside = getenv("FAULT_ASIDE");
    if (trial->fault == FAULT_MEMORY || trial->fault == FAULT_LASTING)
        trial->stage.allocator = getenv("FAULT_ALLOCATOR");
    if (!trial->stage.program || !trial->stage.folder || !trial->stage.aside)
        fail("the environment says not where to run", "");
    folder_read(&trial->before, trial->stage.folder);
    run_program(&trial->whole, &trial->stage, trial->words, FAULT_NONE, 0, 0);
    if (trial->whole.status != trial->status || trial->whole.is_late)
        fail("even unhindered it does not end as it should:",
             trial->whole.err.ptr ? trial->whole.err.ptr : "");
}

/* "--most N", "--often N" and "--part I/N"; the number of the first word behind
 * them. */
static int read_options(struct trial *trial, char **words, uint64_t *ret_most)
{
    int at = 2;

    *ret_most = UINT64_MAX;
    trial->parts = 1;
    for (; words[at] && words[at + 1] && words[at][0] == '-'; at += 2) {
        char *rest = words[at + 1];
        uint64_t number = strtoull(rest, &rest, 10);

        if (strcmp(words[at], "--most") == 0)
            *ret_most = number;
        else if (strcmp(words[at], "--often") == 0)
            trial->stage.often = number;
        else if (*rest == '/' && number) {
            trial->part = number - 1;
            trial->parts = strtoull(rest + 1, NULL, 10);
        }
    }
    return at;
}

int main(int argc, char **argv)
{
    static struct trial trial;
    uint64_t most = 0;
    int at = argc > 2 ? read_options(&trial, argv, &most) : 0;

    if (argc != at + 2 || !most || !trial.parts) {
        fputs("usage: faults KIND [--most N] [--often N] [--part I/N] CASES "
              "NAME\n",
              stderr);
        return 2;
    }
    find_case(&trial, argv[at], argv[at + 1]);
    set_up(&trial, argv[1]);
    try_all(&trial, most);
    printf("%zu runs, %zu refused, %zu wrong\n", trial.n_runs, trial.n_refused,
           trial.n_wrong);
    folder_done(&trial.before);
    run_done(&trial.whole);
    return trial.n_wrong ? 1 : 0;
}
