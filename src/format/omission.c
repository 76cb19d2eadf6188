#include "format/omission.h"

enum { LINE_MOST = 160, WORD_MOST = 16 };

/* Words that say it. */
static const struct str verbs[] = {
    STR_INIT("clipped"),    STR_INIT("cut"),         STR_INIT("dropped"),
    STR_INIT("elided"),     STR_INIT("exceeded"),    STR_INIT("hidden"),
    STR_INIT("more"),       STR_INIT("omitted"),     STR_INIT("omitting"),
    STR_INIT("removed"),    STR_INIT("shortened"),   STR_INIT("skipped"),
    STR_INIT("skipping"),   STR_INIT("snip"),        STR_INIT("snipped"),
    STR_INIT("suppressed"), STR_INIT("suppressing"), STR_INIT("trimmed"),
    STR_INIT("truncated"),  STR_INIT("truncating"),
};

/* Words that may stand beside: what is missing, and how much. */
static const struct str others[] = {
    STR_INIT("additional"), STR_INIT("and"),       STR_INIT("are"),
    STR_INIT("at"),         STR_INIT("be"),        STR_INIT("been"),
    STR_INIT("brevity"),    STR_INIT("but"),       STR_INIT("bytes"),
    STR_INIT("characters"), STR_INIT("chars"),     STR_INIT("collected"),
    STR_INIT("content"),    STR_INIT("continue"),  STR_INIT("due"),
    STR_INIT("dump"),       STR_INIT("entries"),   STR_INIT("events"),
    STR_INIT("execution"),  STR_INIT("file"),      STR_INIT("for"),
    STR_INIT("frames"),     STR_INIT("full"),      STR_INIT("goroutine"),
    STR_INIT("goroutines"), STR_INIT("has"),       STR_INIT("have"),
    STR_INIT("here"),       STR_INIT("identical"), STR_INIT("in"),
    STR_INIT("is"),         STR_INIT("it"),        STR_INIT("its"),
    STR_INIT("job"),        STR_INIT("kb"),        STR_INIT("kib"),
    STR_INIT("large"),      STR_INIT("length"),    STR_INIT("limit"),
    STR_INIT("line"),       STR_INIT("lines"),     STR_INIT("log"),
    STR_INIT("logs"),       STR_INIT("long"),      STR_INIT("many"),
    STR_INIT("max"),        STR_INIT("maximum"),   STR_INIT("mb"),
    STR_INIT("message"),    STR_INIT("messages"),  STR_INIT("mib"),
    STR_INIT("middle"),     STR_INIT("no"),        STR_INIT("of"),
    STR_INIT("other"),      STR_INIT("others"),    STR_INIT("output"),
    STR_INIT("raw"),        STR_INIT("records"),   STR_INIT("remaining"),
    STR_INIT("rest"),       STR_INIT("rows"),      STR_INIT("s"),
    STR_INIT("see"),        STR_INIT("similar"),   STR_INIT("size"),
    STR_INIT("stack"),      STR_INIT("stacks"),    STR_INIT("step"),
    STR_INIT("terminated"), STR_INIT("text"),      STR_INIT("the"),
    STR_INIT("this"),       STR_INIT("to"),        STR_INIT("too"),
    STR_INIT("total"),      STR_INIT("trace"),     STR_INIT("traces"),
    STR_INIT("view"),       STR_INIT("warning"),   STR_INIT("was"),
    STR_INIT("were"),       STR_INIT("will"),
};

static bool is_one_of(struct str word, const struct str *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_equal(word, words[i]))
            return true;
    }
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Cuts the next word off a text, in small letters; false when there is none, or
 * it is longer than any that is known. */
static bool cut_word(struct str *text, char into[static WORD_MOST],
                     struct str *ret)
{
    size_t n = 0;

    while (text->len && !is_letter(text->ptr[0]))
        *text = str_skip(*text, 1);
    while (text->len && is_letter(text->ptr[0]) && n < WORD_MOST) {
        into[n++] = (char)(text->ptr[0] | 0x20);
        *text = str_skip(*text, 1);
    }
    *ret = (struct str){into, n};
    return n > 0 && n < WORD_MOST;
}

bool omission_is_ellipsis(struct str text)
{
    struct str dots = STR("\xe2\x80\xa6");
    size_t n = 0;

    while (text.len) {
        if (str_cut_prefix(&text, dots)) {
            n += 3;
            continue;
        }
        n += text.ptr[0] == '.';
        if (!chars_have(".[](){}<>*- \t", text.ptr[0]))
            return false;
        text = str_skip(text, 1);
    }
    return n >= 3 && n <= 6;
}

bool omission_looks_like(struct str line)
{
    char letters[WORD_MOST];
    struct str rest = str_trim(line);
    struct str word;
    bool says = false;

    if (!rest.len || rest.len > LINE_MOST)
        return false;
    /* grep puts "--" between what it shows with its surroundings. */
    if (omission_is_ellipsis(rest) || str_equal(rest, STR("--")))
        return true;
    while (cut_word(&rest, letters, &word)) {
        if (is_one_of(word, verbs, sizeof(verbs) / sizeof(verbs[0])))
            says = true;
        else if (!is_one_of(word, others, sizeof(others) / sizeof(others[0])))
            return false;
    }
    return says && !rest.len;
}
