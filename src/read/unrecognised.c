#include "read/unrecognised.h"

/* How an input begins, and what that means. */
struct cause {
    struct str begin;
    const char *message;
};

static const struct cause causes[] = {
    {STR_INIT("404 page not found"),
     "the server has no profiles there: import net/http/pprof in the program, "
     "or check the path and the port"},
    {STR_INIT("Unknown profile"),
     "the program has no profile of that name: goroutineleak needs Go 1.27 "
     "(or 1.26 with GOEXPERIMENT=goroutineleakprofile)"},
    {STR_INIT("<"),
     "this is a web page, not a profile: perhaps a login page or a proxy's "
     "error; fetch /debug/pprof/goroutine?debug=1 from the program itself"},
    {STR_INIT("{"),
     "this is JSON, not a profile: perhaps an error message of a gateway"},
    {STR_INIT("HTTP/"), "these are HTTP headers without a dump behind them"},
    {STR_INIT("heap profile:"),
     "this is a heap profile: it holds no goroutines; fetch "
     "/debug/pprof/goroutine?debug=1"},
    {STR_INIT("--- "),
     "this is a block or mutex profile: it holds no goroutines; fetch "
     "/debug/pprof/goroutine?debug=1"},
    {STR_INIT("\x89PNG"), "this is a PNG image"},
    {STR_INIT("%PDF"), "this is a PDF document"},
    {STR_INIT("\x7f"
              "ELF"),
     "this is a program or a core file, not a goroutine dump"},
    {STR_INIT("PK\x03\x04"), "this is a zip archive: unpack it first"},
    {STR_INIT("curl: "),
     "this is an error message of curl, not what it fetched"},
    {STR_INIT("panic: "),
     "this is the reason of a crash without its goroutines: "
     "run the program with GOTRACEBACK=all"},
    {STR_INIT("fatal error: "),
     "this is the reason of a crash without its goroutines: run the program "
     "with GOTRACEBACK=all"},
    {STR_INIT("SIGQUIT: "),
     "this is the answer to a SIGQUIT without its goroutines: run the program "
     "with GOTRACEBACK=all"},
};

void first_line_see(struct first_line *first, struct str line)
{
    line = str_trim(line);
    if (!first->mentions_goroutine && str_contains(line, STR("goroutine")))
        first->mentions_goroutine = true;
    if (str_equal(line, STR("WARNING: DATA RACE")))
        first->has_race = true;
    if (first->is_set || !line.len)
        return;
    first->is_set = true;
    buf_add(&first->text, str_head(line, FIRST_LINE_MOST));
}

void first_line_done(struct first_line *first)
{
    buf_done(&first->text);
}

static const char *find_cause(const struct first_line *first)
{
    struct str text = buf_str(&first->text);

    for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
        if (str_starts(text, causes[i].begin))
            return causes[i].message;
    }
    if (str_contains(text, STR("connection refused")) ||
        str_contains(text, STR("Connection refused")))
        return "the server could not be reached";
    if (first->has_race)
        return "this is a report of the race detector: it holds no goroutine "
               "dump";
    if (first->mentions_goroutine)
        return "some lines mention goroutines, but none begins one "
               "(\"goroutine 1 [running]:\") or a profile (\"goroutine "
               "profile: total 1\")";
    return "expected the text of /debug/pprof/goroutine (debug=1 or debug=2) "
           "or a stack dump";
}

int unrecognised_error(const struct first_line *first, const char *name,
                       uint64_t n_bytes, struct cprof_error *err)
{
    struct place place = {name, 0, 0};
    struct str text = buf_str(&first->text);

    if (n_bytes == 0)
        return error_set(err, CPROF_EFORMAT, place,
                         "the input is empty: perhaps the command before the "
                         "pipe failed (curl -fsS says why)");
    if (!first->is_set)
        return error_set(err, CPROF_EFORMAT, place,
                         "the input holds nothing but blank lines");
    return error_set(err, CPROF_EFORMAT, (struct place){name, 1, 0},
                     "no goroutine dump recognised; it begins '" STR_FORMAT
                     "': %s",
                     STR_ARG(text), find_cause(first));
}
