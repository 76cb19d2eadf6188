#include "format/test_code.h"

#include "model/name.h"

/* Whether a function is of a test: "net/http_test.TestServer.func1" is one of
 * the standard library's. */
static bool is_test_code(struct str function)
{
    static const struct str words[] = {STR_INIT("Test"), STR_INIT("Benchmark"),
                                       STR_INIT("Fuzz"), STR_INIT("Example")};
    struct str symbol = name_symbol(function);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (str_starts(symbol, words[i]))
            return true;
    }
    return !name_is_std(function);
}

bool test_is_run(const struct symbols *symbols, const struct record *record)
{
    bool has_code = false;

    for (size_t i = 0; i < record->n_frames; i++) {
        struct str function = symbols_function(symbols, record->frames[i]);

        if (str_starts(function, STR("testing.")))
            return has_code;
        has_code = has_code || is_test_code(function);
    }
    return false;
}
