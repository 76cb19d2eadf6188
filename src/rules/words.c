#include "rules/words.h"

#include <inttypes.h>

#include "base/count.h"
#include "model/evidence.h"
#include "model/name.h"

const char *const class_words[N_CLASSES] = {"normal", "neutral", "suspect",
                                            "bad"};
const char *const confidence_words[N_CONFIDENCES] = {"low", "medium", "high",
                                                     "proven"};

const char *rule_class_text(enum rule_class class)
{
    return class_words[class];
}

const char *confidence_text(enum confidence confidence)
{
    return confidence_words[confidence];
}

void words_count(struct buf *out, uint64_t count)
{
    buf_add(out, str_from(count_text(count).text));
}

void words_share(struct buf *out, double share)
{
    enum { DECIMALS_LEAST = 2, DECIMALS_MOST = 9 };
    uint64_t unit = 100; /* 10 to the power of decimals */
    unsigned decimals = DECIMALS_LEAST;
    uint64_t scaled;

    if (!(share > 0))
        share = 0;
    if (share > 1)
        share = 1;
    for (;; decimals++, unit *= 10) {
        scaled = (uint64_t)(share * 100 * (double)unit + 0.5);
        if ((scaled || share <= 0) && (scaled < 100 * unit || share >= 1))
            break;
        if (decimals == DECIMALS_MOST)
            break;
    }
    for (; decimals && scaled % 10 == 0; decimals--, unit /= 10)
        scaled /= 10;
    buf_addf(out, "%llu", (unsigned long long)(scaled / unit));
    if (decimals)
        buf_addf(out, ".%0*llu", (int)decimals,
                 (unsigned long long)(scaled % unit));
    buf_add(out, STR(" %"));
}

void words_age(struct buf *out, uint32_t minutes)
{
    enum { HOUR = 60, DAY = 24 * HOUR };
    uint32_t least = wait_at_least(minutes);
    uint32_t unit = least < 2 * HOUR ? 1 : least < 2 * DAY ? HOUR : DAY;
    const char *word = unit == 1 ? "minute" : unit == HOUR ? "hour" : "day";
    uint32_t n = least ? least / unit : minutes;

    buf_addf(out, "%s %" PRIu32 " %s%s", least ? "at least" : "perhaps", n,
             word, n == 1 ? "" : "s");
}

/* Where the last element of an import path begins; the version of a module
 * ("/v2") belongs to the element before it. */
static size_t last_element(struct str package)
{
    size_t slash = str_rfind(package, '/');
    struct str last = str_skip(package, slash + 1);
    uint64_t version;

    if (slash == package.len)
        return 0;
    if (str_cut_prefix(&last, STR("v")) && str_to_u64(last, &version))
        return last_element(str_head(package, slash));
    return slash + 1;
}

/* "main.run" of "example.com/cmd/main.run", "(*T).Do" of a method. */
static struct str short_function(struct str name)
{
    struct str symbol = name_symbol(name);

    if (str_starts(symbol, STR("(")))
        return symbol;
    return str_skip(name, last_element(name_package(name)));
}

void words_function(struct buf *out, struct str function)
{
    buf_add(out, short_function(function));
}

void words_site(struct buf *out, const struct symbols *symbols, frame_id site)
{
    struct frame frame;
    struct str file;
    size_t slash;

    if (site == FRAME_NONE)
        return;
    frame = symbols_frame(symbols, site);
    file = symbols_text(symbols, frame.file);
    slash = str_rfind(file, '/');
    if (slash < file.len)
        file = str_skip(file, slash + 1);
    buf_add(out, short_function(symbols_text(symbols, frame.function)));
    if (!file.len)
        return;
    buf_addf(out, " (" STR_FORMAT, STR_ARG(file));
    if (frame.line)
        buf_addf(out, ":%u", (unsigned)frame.line);
    buf_add_char(out, ')');
}
