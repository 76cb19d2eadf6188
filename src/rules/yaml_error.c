#include "rules/yaml_error.h"

/* A problem of the parser, at byte offsets. */
struct problem {
    const struct source *source;
    const char *text;    /* libyaml's words */
    const char *context; /* the same, "" when it has none */
    uint32_t at;
    uint32_t context_at;
    struct cprof_error *err;
};

typedef int explain_fn(const struct problem *problem);

uint32_t source_char_offset(const struct source *source, size_t index)
{
    struct str text = source->text;
    size_t i = 0;

    for (; i < text.len; i++) {
        bool begins = ((unsigned char)text.ptr[i] & 0xc0) != 0x80;

        if (begins && index-- == 0)
            break;
    }
    return (uint32_t)i;
}

/* The byte at an offset; 0 at the end. */
static char byte_at(const struct problem *problem, uint32_t at)
{
    struct str text = problem->source->text;

    return at < text.len ? text.ptr[at] : '\0';
}

/* The line up to an offset. */
static struct str line_before(const struct problem *problem, uint32_t at)
{
    struct str before = str_head(problem->source->text, at);
    size_t newline = str_rfind(before, '\n');

    return newline < before.len ? str_skip(before, newline + 1) : before;
}

static struct span span_of(uint32_t offset, uint32_t len)
{
    return (struct span){offset, len};
}

/* One function for each kind of problem: see the table below. */
static int explain_tab(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "a tab cannot indent YAML; use blanks");
}

/* A character that means something to YAML where a text was meant. */
static int explain_start(const struct problem *problem)
{
    uint32_t at = problem->context_at;
    char c = byte_at(problem, at);

    if (c == '\t')
        return explain_tab(problem);
    if (c == '>' || c == '|')
        return source_error(problem->source, span_of(at, 1), problem->err,
                            "a text that begins with '%c' needs quotes, such "
                            "as \">=10\"",
                            c);
    return source_error(problem->source, span_of(at, 1), problem->err,
                        "a text that begins with '%c' needs quotes", c);
}

/* "mapping values are not allowed": a ':' in the middle of a text, or a line
 * that is indented more than the one it continues. */
static int explain_colon(const struct problem *problem)
{
    struct str line = line_before(problem, problem->at);
    struct str key = str_trim(line);
    uint32_t len = (uint32_t)key.len;

    if (str_contains(line, STR(": ")))
        return source_error(problem->source, span_of(problem->at, 1),
                            problem->err,
                            "a text that holds ': ' needs quotes");
    return source_error(problem->source, span_of(problem->at - len, len),
                        problem->err,
                        "a key cannot stand here; check the indentation, and "
                        "the ':' of the line above");
}

/* How many quotes stand in a line, none of which are escaped in '...'. */
static size_t count_quotes(struct str line)
{
    size_t n = 0;

    for (size_t i = 0; i < line.len; i++)
        n += line.ptr[i] == '\'';
    return n;
}

/* The line on which the text began whose quote closes at the end of `before`,
 * the beginning of a later line; 0 when it began on the same one. */
static uint64_t quoted_since(const struct problem *problem, struct str before)
{
    uint32_t at = problem->at;

    if (count_quotes(before) % 2 == 0)
        return 0;
    do {
        at -= (uint32_t)line_before(problem, at).len;
        if (at == 0)
            return 0;
        at--; /* the line end before it */
    } while (count_quotes(line_before(problem, at)) % 2 == 0);
    return source_place(problem->source, at).line;
}

/* "did not find expected key": something behind a closed text or list, or a
 * line whose indentation fits nothing. */
static int explain_key(const struct problem *problem)
{
    struct str before = str_trim(line_before(problem, problem->at));
    char last = before.len ? before.ptr[before.len - 1] : '\0';
    uint64_t since = quoted_since(problem, before);

    if (last == '\'' && since)
        return source_error(problem->source, span_of(problem->at, 1),
                            problem->err,
                            "the text that line %llu begins with a ' ends "
                            "before this; its closing ' is missing there",
                            (unsigned long long)since);
    if (last == '\'')
        return source_error(problem->source, span_of(problem->at, 1),
                            problem->err,
                            "the quoted text ended before this; a ' inside "
                            "'...' is written ''");
    if (last == '"' || last == ']' || last == '}')
        return source_error(problem->source, span_of(problem->at, 1),
                            problem->err,
                            "nothing can follow the '%c' before this; put the "
                            "whole text into quotes",
                            last);
    if (last)
        return source_error(problem->source, span_of(problem->at, 1),
                            problem->err, "expected a key here");
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "this line is indented like no key above it");
}

static int explain_quote(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->context_at, 1),
                        problem->err, "this quote is never closed");
}

static int explain_escape(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 2), problem->err,
                        "'\\%c' is no escape of a \"...\" text; write patterns "
                        "in '...'",
                        byte_at(problem, problem->at + 1));
}

/* A flow list or mapping without its end. */
static int explain_flow(const struct problem *problem)
{
    char open = byte_at(problem, problem->context_at);
    struct place begin = source_place(problem->source, problem->context_at);

    if (problem->at >= problem->source->text.len)
        return source_error(problem->source, span_of(problem->context_at, 1),
                            problem->err, "this '%c' is never closed", open);
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "expected ',' or '%c' before this (the '%c' stands on "
                        "line %llu)",
                        open == '[' ? ']' : '}', open,
                        (unsigned long long)begin.line);
}

static int explain_item(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "expected '- ' here, as in the list above, or less "
                        "indentation");
}

static int explain_new_line(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "a '%c' can only begin a line of its own; quote it "
                        "when it belongs to a text",
                        byte_at(problem, problem->at));
}

static int explain_content(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "a text cannot begin with '%c'; put it into quotes",
                        byte_at(problem, problem->at));
}

/* A line that is neither a key with its value nor goes on with one. */
static int explain_no_colon(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->context_at, 1),
                        problem->err,
                        "expected 'key: value' here; the file begins with "
                        "'version: 1'");
}

static int explain_outdent(const struct problem *problem)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "this line is outside of the document; is it indented "
                        "less than the first key?");
}

static const struct {
    const char *text;
    explain_fn *explain;
} explanations[] = {
    {"found character that cannot start any token", explain_start},
    {"did not find expected alphabetic or numeric character", explain_start},
    {"did not find expected comment or line break", explain_start},
    {"found a tab character that violates indentation", explain_tab},
    {"mapping values are not allowed in this context", explain_colon},
    {"did not find expected key", explain_key},
    {"could not find expected ':'", explain_no_colon},
    {"found unexpected end of stream", explain_quote},
    {"found unexpected document indicator", explain_quote},
    {"found unknown escape character", explain_escape},
    {"did not find expected ',' or ']'", explain_flow},
    {"did not find expected ',' or '}'", explain_flow},
    {"did not find expected '-' indicator", explain_item},
    {"block sequence entries are not allowed in this context",
     explain_new_line},
    {"mapping keys are not allowed in this context", explain_new_line},
    {"did not find expected node content", explain_content},
    {"did not find expected <document start>", explain_outdent},
};

/* Bytes that no YAML text may hold; UTF-8 was checked before. */
static int explain_byte(const struct problem *problem, int value)
{
    return source_error(problem->source, span_of(problem->at, 1), problem->err,
                        "a control character (0x%02x) cannot stand in YAML",
                        (unsigned)value);
}

int yaml_error(const struct source *source, const yaml_parser_t *parser,
               struct cprof_error *err)
{
    struct problem problem = {
        .source = source,
        .text = parser->problem ? parser->problem : "no reason known",
        .context = parser->context ? parser->context : "",
        .at = source_char_offset(source, parser->problem_mark.index),
        .context_at = source_char_offset(source, parser->context_mark.index),
        .err = err};
    const struct str text = str_from(problem.text);

    if (parser->error == YAML_MEMORY_ERROR)
        return error_memory(err, (struct place){source->name, 0, 0},
                            "reading rules");
    if (parser->error == YAML_READER_ERROR) {
        problem.at = (uint32_t)parser->problem_offset;
        return explain_byte(&problem, parser->problem_value);
    }
    for (size_t i = 0; i < sizeof(explanations) / sizeof(*explanations); i++) {
        if (str_equal(text, str_from(explanations[i].text)))
            return explanations[i].explain(&problem);
    }
    return source_error(source, span_of(problem.at, 1), err,
                        "not valid YAML: %s%s%s", problem.context,
                        problem.context[0] ? ": " : "", problem.text);
}
