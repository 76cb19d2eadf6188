#include "read/clues.h"

enum { LOOK_MOST = 512 }; /* bytes of a line that are looked at */

enum where {
    FIRST,     /* the first line begins with it */
    FIRST_HAS, /* it stands in the first line */
    BEGINS,    /* some line begins with it */
    HAS,       /* it stands in some line */
    CORE,      /* the first line is a header of ELF that says "core" */
    FLAT,      /* it stands in some line with more of a goroutine behind it */
};

struct clue {
    enum where where;
    struct str text;
    const char *message;
};

#define ASK_GOROUTINES "fetch /debug/pprof/goroutine?debug=1"
#define ASK_PROGRAM                                                            \
 "for a Go program, " ASK_GOROUTINES " or send the process SIGQUIT"

static const char no_pprof[] =
    "the server has no profiles there: import net/http/pprof in the program, "
    "or check the path and the port";
static const char from_proxy[] =
    "this is an error of a proxy in front of the program: fetch the profile "
    "from the program itself";
static const char no_access[] =
    "the server wants to know who asks: give credentials, or fetch the "
    "profile from the program itself";
static const char packed[] = "this is a compressed file of a kind that is not "
                             "read here: unpack it first";
static const char from_java[] =
    "this shows threads of Java, not goroutines: " ASK_PROGRAM;
static const char from_python[] =
    "this shows threads of Python, not goroutines: " ASK_PROGRAM;
static const char from_dotnet[] =
    "this shows threads of .NET, not goroutines: " ASK_PROGRAM;
static const char from_node[] =
    "this is a stack of JavaScript, not of goroutines: " ASK_PROGRAM;
static const char from_rust[] =
    "this is a panic of Rust, not of Go: " ASK_PROGRAM;
static const char from_debugger[] =
    "this shows the threads of a process as a debugger sees them, not its "
    "goroutines: " ASK_PROGRAM;
static const char from_delve[] =
    "this is a list by Delve, which has no whole stacks: " ASK_GOROUTINES
    " or send the process SIGQUIT";
static const char from_pprof[] =
    "this is what go tool pprof printed: give the profile itself";
static const char cpu_profile[] =
    "this is a CPU profile in the form of gperftools, which go tool pprof "
    "reads: it holds no goroutines; " ASK_GOROUTINES;
static const char other_threads[] =
    "this is a profile of gperftools or Java in a form that is not read "
    "here: it holds no goroutines; " ASK_GOROUTINES;
static const char no_records[] =
    "this is a block or mutex profile without what it counts: it holds no "
    "goroutines; " ASK_GOROUTINES;
static const char from_go_test[] =
    "this is what go test printed, and it holds no stack: a test that panics "
    "or times out prints them, and so does one that goleak watches";
static const char from_export[] =
    "this is a dump in the form of another tool, which cannot be read back: "
    "give the dump itself, or export it --to pprof, which can";
static const char from_report[] =
    "this is an answer of cprof-leaks, not a dump: give the dump itself";
static const char unreachable[] = "the server could not be reached";
static const char bare_crash[] =
    "this is the reason of a crash without its goroutines: give what stands "
    "below it as well; if nothing does, run the program with GOTRACEBACK=all";
static const char lost_crash[] =
    "some lines tell of a crash, but no goroutine follows: give what stands "
    "below them as well; if nothing does, run the program with "
    "GOTRACEBACK=all";

static const char lone_returns[] =
    "its lines end in a carriage return alone: give them line feeds first "
    "(tr '\\r' '\\n')";

static const char lost_ends[] =
    "its line ends were lost, so that one line holds what should be many: copy "
    "it from where it still has them";

static const char lost_title[] =
    "some lines are records of a profile (\"N @ 0x...\"), but none before them "
    "is its title as Go writes it (\"goroutine profile: total N\", \"heap "
    "profile: ...\", \"--- contention:\"): fetch it again, or copy it from its "
    "title on";

/* The first of them that holds is what the input is. */
static const struct clue clues[] = {
    /* Made by this program. */
    {BEGINS, STR_INIT("\"$schema\": \"https://www.speedscope.app"),
     from_export},
    {FIRST, STR_INIT("{\"source\": "), from_export},
    {FIRST_HAS, STR_INIT(";["), from_export},
    {BEGINS, STR_INIT("\"schema\": \"cprof-leaks/"), from_report},

    /* Said by the server that was asked. */
    {FIRST, STR_INIT("404 page not found"), no_pprof},
    {FIRST, STR_INIT("Unknown profile"),
     "the program has no profile of that name: goroutineleak needs Go 1.27 "
     "(or 1.26 with GOEXPERIMENT=goroutineleakprofile)"},
    {FIRST, STR_INIT("Client sent an HTTP request to an HTTPS server"),
     "the server speaks TLS: fetch the profile by https://"},
    {FIRST, STR_INIT("Could not enable CPU profiling"),
     "this is what net/http/pprof says of a CPU profile; " ASK_GOROUTINES},
    {FIRST, STR_INIT("Could not enable tracing"),
     "this is what net/http/pprof says of a trace; " ASK_GOROUTINES},
    {FIRST, STR_INIT("profile duration exceeds"),
     "the server cuts answers off before the profile is done: ask without "
     "seconds="},
    {FIRST, STR_INIT("curl: "),
     "this is an error message of curl, not what it fetched"},
    {FIRST, STR_INIT("upstream connect error"), from_proxy},
    {FIRST, STR_INIT("no healthy upstream"), from_proxy},
    {FIRST, STR_INIT("default backend - 404"), from_proxy},
    {FIRST, STR_INIT("Bad Gateway"), from_proxy},
    {FIRST, STR_INIT("502 "), from_proxy},
    {FIRST, STR_INIT("503 "), from_proxy},
    {FIRST, STR_INIT("504 "), from_proxy},
    {FIRST, STR_INIT("Unauthorized"), no_access},
    {FIRST, STR_INIT("401 "), no_access},
    {FIRST, STR_INIT("Forbidden"), no_access},
    {FIRST, STR_INIT("403 "), no_access},
    {HAS, STR_INIT("<title>/debug/pprof/</title>"),
     "this is the index of the program's profiles: " ASK_GOROUTINES},

    /* Files of other kinds. */
    {CORE,
     STR_INIT("\x7f"
              "ELF"),
     "this is a core file: Delve reads it (dlv core PROGRAM CORE); to have a "
     "dump here, send the process SIGQUIT before it dies"},
    {FIRST,
     STR_INIT("\x7f"
              "ELF"),
     "this is a program, not a dump of one that runs: " ASK_PROGRAM},
    {FIRST, STR_INIT("MZ\x90"),
     "this is a program of Windows, not a dump of one that runs: " ASK_PROGRAM},
    {FIRST, STR_INIT("MDMP"),
     "this is a minidump of Windows, not a goroutine dump: " ASK_PROGRAM},
    {FIRST_HAS, STR_INIT(" trace\0"),
     "this is an execution trace, which go tool trace reads: it holds no "
     "goroutine dump; " ASK_GOROUTINES},
    {FIRST, STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), cpu_profile},
    {FIRST, STR_INIT("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"), cpu_profile},
    {FIRST, STR_INIT("\0\0\0\0\3\0\0\0\0\0\0\0"), cpu_profile},
    {FIRST, STR_INIT("\0\0\0\0\0\0\0\3\0\0\0\0"), cpu_profile},
    {FIRST, STR_INIT("PERFILE2"),
     "this is a recording of perf, not a goroutine dump: " ASK_PROGRAM},
    {FIRST, STR_INIT("\x89PNG"), "this is a PNG image"},
    {FIRST, STR_INIT("%PDF"), "this is a PDF document"},
    {FIRST, STR_INIT("PK\x03\x04"), "this is a zip archive: unpack it first"},
    {FIRST, STR_INIT("\x1f\xef\xbf\xbd\x08"),
     "this was gzip'd data until something took it for text and replaced what "
     "is no UTF-8: fetch it again and keep its bytes (curl -o FILE)"},
    {FIRST, STR_INIT("\x1f\x8b"),
     "this was compressed more than once: unpack it first"},
    {BEGINS, STR_INIT("\x1f\x8b\x08"),
     "gzip'd data follows behind text, and is not read there: give it as an "
     "input of its own"},
    {FIRST,
     STR_INIT("\xfd"
              "7zXZ"),
     packed},
    {FIRST, STR_INIT("7z\xbc\xaf"), packed},
    {FIRST, STR_INIT("\x28\xb5\x2f\xfd"), packed},
    {FIRST, STR_INIT("BZh"), packed},
    {FIRST, STR_INIT("\x04\x22\x4d\x18"), packed},
    {FIRST, STR_INIT("H4sI"),
     "this is a compressed file in base64: decode it first (base64 -d)"},
    {FIRST, STR_INIT("Z29yb3V0aW5lI"),
     "this is a dump in base64: decode it first (base64 -d)"},
    {FIRST, STR_INIT("00000000: "),
     "this is a hex dump by xxd: turn it back first (xxd -r)"},
    {FIRST, STR_INIT("00000000  "),
     "this is a hex dump by hexdump -C: xxd makes one that xxd -r turns back"},
    {FIRST_HAS, STR_INIT("goroutine%20"),
     "this is percent-encoded, as in an address: decode it first"},
    {FIRST_HAS, STR_INIT("\0ustar"),
     "this is a tar archive: unpack it first (tar -xf)"},
    {FIRST_HAS, STR_INIT("g\0\0\0o\0\0\0r\0\0\0"),
     "this is text in UTF-32: turn it into UTF-8 first (iconv -f UTF-32)"},
    {FIRST_HAS, STR_INIT("]:\r"), lone_returns},
    {FIRST, STR_INIT("SQLite format 3"), "this is a database of SQLite"},

    /* Profiles and lists by other hands. */
    {FIRST, STR_INIT("PeriodType: "), from_pprof},
    {HAS, STR_INIT("Showing nodes accounting for "), from_pprof},
    {FIRST, STR_INIT("heap profile:"),
     "this begins as a heap profile does, but its first line is damaged"},
    {FIRST, STR_INIT("--- heapz"), other_threads},
    {FIRST, STR_INIT("--- contentionz"), other_threads},
    {FIRST, STR_INIT("--- threadz"), other_threads},
    {FIRST, STR_INIT("--- mutex"), no_records},
    {FIRST, STR_INIT("--- contention"), no_records},
    {HAS, STR_INIT(" - User: "), from_delve},

    /* Stacks of other languages. */
    {BEGINS, STR_INIT("Full thread dump "), from_java},
    {BEGINS, STR_INIT("java.lang.Thread.State:"), from_java},
    {BEGINS, STR_INIT("at java."), from_java},
    {HAS, STR_INIT(".java:"), from_java},
    {HAS, STR_INIT("(most recent call "), from_python},
    {BEGINS, STR_INIT("File \""), from_python},
    {BEGINS, STR_INIT("Python v"), from_python},
    {BEGINS, STR_INIT("at System."), from_dotnet},
    {BEGINS, STR_INIT("Unhandled exception. System."), from_dotnet},
    {BEGINS, STR_INIT("System.Private.CoreLib"), from_dotnet},
    {HAS, STR_INIT(".cs:line "), from_dotnet},
    {HAS, STR_INIT("(node:internal/"), from_node},
    {HAS, STR_INIT(".js:"), from_node},
    {HAS, STR_INIT("' panicked at "), from_rust},
    {HAS, STR_INIT(" (LWP "), from_debugger},
    {BEGINS, STR_INIT("#0  0x"), from_debugger},

    /* Half of what is wanted. */
    {FLAT, STR_INIT("goroutine "), lost_ends},
    {FIRST, STR_INIT("goroutine profile: total "), lost_ends},
    {FIRST, STR_INIT("fatal error: no goroutines (main called "),
     "the program ended because its main goroutine called runtime.Goexit and "
     "the last of the others has ended: Go prints no goroutine then"},
    {FIRST, STR_INIT("panic: "), bare_crash},
    {FIRST, STR_INIT("fatal error: "), bare_crash},
    {FIRST, STR_INIT("SIGQUIT: "),
     "this is the answer to a SIGQUIT without its goroutines: give what stands "
     "below it as well; if nothing does, run the program with "
     "GOTRACEBACK=all"},
    {FIRST, STR_INIT("HTTP/"),
     "these are HTTP headers, and nothing behind them is a dump"},
    {HAS, STR_INIT("WARNING: DATA RACE"),
     "this is a report of the race detector: it holds no goroutine dump"},
    {HAS, STR_INIT("panic: "), lost_crash},
    {HAS, STR_INIT("fatal error: "), lost_crash},
    {HAS, STR_INIT("SIGQUIT: quit"), lost_crash},
    {HAS, STR_INIT(" @ 0x"), lost_title},
    {FIRST, STR_INIT("cycles/second="), lost_title},
    {BEGINS, STR_INIT("textPayload: "),
     "these are entries of a log in YAML, which is not read here: ask for JSON "
     "(gcloud logging read --format=json)"},
    {HAS, STR_INIT("goroutine"),
     "some lines mention goroutines, but none begins one (\"goroutine 1 "
     "[running]:\") or a profile (\"goroutine profile: total 1\")"},
    {HAS, STR_INIT("onnection refused"), unreachable},
    {HAS, STR_INIT("no such host"), unreachable},
    {HAS, STR_INIT("Could not resolve host"), unreachable},

    {BEGINS, STR_INIT("--- FAIL: "), from_go_test},
    {BEGINS, STR_INIT("--- PASS: "), from_go_test},
    {BEGINS, STR_INIT("=== RUN "), from_go_test},

    /* What it looks like from afar. */
    {FIRST, STR_INIT("<"),
     "this is a web page, not a profile: perhaps a login page or a proxy's "
     "error; " ASK_GOROUTINES " from the program itself"},
    {FIRST, STR_INIT("{"),
     "this is JSON: perhaps an error message of a gateway, or a log without a "
     "goroutine dump in it"},
};

enum { N_CLUES = sizeof(clues) / sizeof(clues[0]) };

/* Whether a header of ELF has the type 4, in either order of bytes
 * (elf.h: ET_CORE). */
static bool is_core(struct str line, struct str magic)
{
    return str_starts(line, magic) && line.len > 17 &&
           line.ptr[16] + line.ptr[17] == 4 && (!line.ptr[16] || !line.ptr[17]);
}

static bool holds(const struct clue *clue, struct str line, bool is_first)
{
    switch (clue->where) {
    case FIRST:
        return is_first && str_starts(line, clue->text);
    case FIRST_HAS:
        return is_first && str_contains(line, clue->text);
    case BEGINS:
        return str_starts(line, clue->text);
    case HAS:
        return str_contains(line, clue->text);
    case CORE:
        return is_first && is_core(line, clue->text);
    case FLAT:
        line = str_skip(line, str_search(line, clue->text));
        line = str_skip(line, str_search(line, STR("]: ")));
        return str_contains(line, STR(" +0x"));
    }
    return false;
}

size_t clue_look(struct str line, bool is_first, size_t best)
{
    size_t end = best ? best - 1 : N_CLUES;

    line = str_head(line, LOOK_MOST);
    for (size_t i = 0; i < end; i++) {
        if (holds(&clues[i], line, is_first))
            return i + 1;
    }
    return best;
}

const char *clue_message(size_t best)
{
    return clues[best - 1].message;
}
