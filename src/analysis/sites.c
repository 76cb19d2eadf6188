#include "analysis/sites.h"

#include "model/name.h"

int32_t site_leaf(const struct symbols *symbols, struct stack stack)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (!name_is_runtime(symbols_function(symbols, stack.frames[i])))
            return (int32_t)i;
    }
    return stack.n_frames ? 0 : -1;
}

/* golang.org/x/sync waits on behalf of its caller, as package sync does; what
 * cgo and go test generate has no line that anybody wrote. */
static bool is_plumbing(const struct symbols *symbols, frame_id frame)
{
    struct str function = symbols_function(symbols, frame);

    return name_is_std(function) ||
           str_starts(function, STR("golang.org/x/sync/")) ||
           str_starts(name_symbol(function), STR("_Cfunc_")) ||
           str_ends(symbols_file(symbols, frame), STR("_testmain.go"));
}

/* Packages in which others wait: a stack of the standard library alone is
 * told apart by the first frame outside them. */
static bool is_carrier(struct str package)
{
    static const struct str packages[] = {
        STR_INIT("bufio"),   STR_INIT("bytes"),      STR_INIT("context"),
        STR_INIT("errors"),  STR_INIT("io"),         STR_INIT("net"),
        STR_INIT("os"),      STR_INIT("reflect"),    STR_INIT("runtime"),
        STR_INIT("strings"), STR_INIT("sync"),       STR_INIT("syscall"),
        STR_INIT("time"),    STR_INIT("crypto/tls"),
    };
    static const struct str folders[] = {
        STR_INIT("runtime/"), STR_INIT("internal/"),          STR_INIT("sync/"),
        STR_INIT("io/"),      STR_INIT("golang.org/x/sync/"),
    };

    if (!package.len)
        return true;
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        if (str_equal(package, packages[i]))
            return true;
    }
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (str_starts(package, folders[i]))
            return true;
    }
    return false;
}

/* The last frame that is not the runtime's: the call that the others serve, as
 * (*WaitGroup).Wait in a goroutine that is nothing else. */
static int32_t outermost(const struct symbols *symbols, struct stack stack)
{
    for (uint32_t i = stack.n_frames; i-- > 0;) {
        if (!name_is_runtime(symbols_function(symbols, stack.frames[i])))
            return (int32_t)i;
    }
    return site_leaf(symbols, stack);
}

/* Whether a function calls that of a test, a benchmark or a fuzz target: the
 * tests of the standard library are in packages that carry others. */
static bool calls_test(struct str function)
{
    return str_equal(function, STR("testing.tRunner")) ||
           str_equal(function, STR("testing.(*B).runN"));
}

int32_t site_find(const struct symbols *symbols, struct stack stack)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (!is_plumbing(symbols, stack.frames[i]))
            return (int32_t)i;
    }
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (!is_carrier(name_package(function)))
            return (int32_t)(i && calls_test(function) ? i - 1 : i);
    }
    return outermost(symbols, stack);
}
