/* What wrapping a line has: each that fits must prove itself on the lines that
 * follow. */
#include "base/hash.h"
#include "unwrap/glued_crash.h"
#include "unwrap/unwrap.h"

enum {
    BEGINS_MOST = 4,       /* looked at on one line */
    CALLS_MOST = 8,        /* lines within which a frame follows a header */
    PRELUDE_BYTES = 32768, /* and bytes */
    PRELUDE_MOST = 64,     /* lines within which a header follows a crash */
    NEIGHBOURS_MOST = 256, /* lines looked at, those of others included */
    NAMED_LEAST = 32,      /* lines that tell a log of many streams */
    FAR_MOST = 256         /* goroutines looked at behind those lines */
};

/* Takes a line off the front of text, without its end. */
static bool cut_line(struct str *text, struct str *ret)
{
    if (!text->len)
        return false;
    *ret = str_cut_line(text);
    return true;
}

/* Whether a crash stands behind other text of its line. */
static bool is_behind_text(struct str text, struct begin begin)
{
    return begin.kind == BEGIN_CRASH && str_trim(str_head(text, begin.at)).len;
}

/* Whether a text that was unwrapped explains the begin that its line had: it
 * begins one of its lines, or is wrapped again. *ret_glued is the text from a
 * crash on that stands behind other text, or empty. */
static bool is_explained(struct str text, unsigned depth, struct str *ret_glued)
{
    struct begin begin;

    if (!begin_find(text, 0, &begin))
        return false;
    if (begin.at == 0 || text.ptr[begin.at - 1] == '\n')
        return true;
    for (size_t i = 0; i < n_wrappings && depth < UNWRAP_DEPTH; i++) {
        struct shape shape = {.wrapping = wrappings[i]};
        struct piece piece = {0};
        struct buf scratch = {0};
        bool is_glued = wrappings[i]->is_loose && is_behind_text(text, begin);
        bool fits = (!is_glued || depth == 1) &&
                    wrappings[i]->learn(&shape, text, begin) &&
                    wrappings[i]->strip(&shape, text, &scratch, &piece) &&
                    is_explained(piece.text, depth + 1, ret_glued);

        if (fits && is_glued)
            *ret_glued = str_skip(text, begin.at);
        buf_done(&scratch);
        if (fits)
            return true;
    }
    return false;
}

/* Whether lines look as a call and its place do. */
static bool are_frame(struct str call, struct str place)
{
    return str_ends(call, STR(")")) && str_find(call, '(') > 0 &&
           (str_contains(place, STR(".go:")) ||
            str_contains(place, STR(".s:")));
}

static bool is_followed_by_frame(struct str window)
{
    struct str call;
    struct str place;

    return cut_line(&window, &call) && cut_line(&window, &place) &&
           are_frame(call, place);
}

/* What the lines of window say of a shape. */
struct proof {
    unsigned n_looked; /* lines that were looked at */
    unsigned n_fit;    /* those that fit */
    unsigned n_same;   /* and are of the same stream */
    bool is_followed;  /* one of them is what follows such a begin */
};

static struct proof look_at_neighbours(const struct shape *shape,
                                       enum begin_kind kind, struct str stream,
                                       struct str window)
{
    unsigned most = kind == BEGIN_CRASH ? PRELUDE_MOST : CALLS_MOST;
    struct buf scratch = {0};
    struct buf joined = {0}; /* a line in parts, as CRI has it */
    struct proof proof = {0};
    struct str line;

    for (; proof.n_looked < NEIGHBOURS_MOST && proof.n_same < most &&
           !proof.is_followed && cut_line(&window, &line);
         proof.n_looked++) {
        struct piece piece = {0};

        buf_clear(&scratch);
        if (!shape->wrapping->strip(shape, line, &scratch, &piece))
            continue;
        proof.n_fit++;
        if (piece.is_around ||
            (!piece.continues && !str_equal(piece.stream, stream)))
            continue;
        buf_add(&joined, piece.text);
        if (piece.goes_on)
            continue;
        proof.n_same++;
        proof.is_followed = begin_is_followed_by(kind, buf_str(&joined));
        buf_clear(&joined);
    }
    /* A line in many parts does not end within the window. */
    if (joined.len && !proof.is_followed)
        proof.is_followed = begin_is_followed_by(kind, buf_str(&joined));
    buf_done(&joined);
    buf_done(&scratch);
    return proof;
}

/* Whether a text has a letter that is not one of a time. */
static bool has_letters(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = (char)(text.ptr[i] | 0x20);

        if (c >= 'a' && c <= 'z' && c != 't' && c != 'z')
            return true;
    }
    return false;
}

/* Whether what parts the lines is no name but a time or counts them: it has no
 * letters, or the next two lines are the frame of this one and no two have the
 * same. */
static bool is_counter(const struct shape *shape, struct str stream,
                       struct str window)
{
    struct buf scratch[2] = {{0}, {0}};
    struct piece pieces[2] = {0};
    bool fit = true;
    struct str line;

    if (!has_letters(stream))
        return true;
    for (size_t i = 0; i < 2; i++)
        fit = fit && cut_line(&window, &line) &&
              shape->wrapping->strip(shape, line, &scratch[i], &pieces[i]);
    fit = fit && are_frame(pieces[0].text, pieces[1].text) &&
          !str_equal(pieces[0].stream, stream) &&
          !str_equal(pieces[1].stream, stream) &&
          !str_equal(pieces[0].stream, pieces[1].stream);
    buf_done(&scratch[0]);
    buf_done(&scratch[1]);
    return fit;
}

/* Whether a goroutine of the stream follows in window, however many lines of
 * others stand before it. */
static bool has_goroutine_of(const struct shape *shape, struct str stream,
                             struct str window)
{
    struct buf scratch = {0};
    bool found = false;

    for (unsigned i = 0; i < FAR_MOST && !found; i++) {
        size_t at = str_search(window, STR("goroutine "));
        struct piece piece = {0};
        size_t begin = str_rfind(str_head(window, at), '\n');
        struct str line;

        window = str_skip(window, begin < at ? begin + 1 : 0);
        if (at == window.len || !cut_line(&window, &line))
            break;
        buf_clear(&scratch);
        found = shape->wrapping->strip(shape, line, &scratch, &piece) &&
                str_equal(piece.stream, stream) &&
                begin_is_followed_by(BEGIN_CRASH, piece.text);
    }
    buf_done(&scratch);
    return found;
}

/* Whether the lines behind a begin show that the shape is right although none
 * of its own stream was among them: nearly all have the shape, which has names
 * in it. So many others may write between two lines of one that the next of its
 * own is never seen from here. A panic alone may be a word of a log: of its
 * stream a goroutine must follow. */
static bool is_named_log(const struct shape *shape, enum begin_kind kind,
                         struct str stream, struct str window,
                         const struct proof *proof)
{
    if (!stream.len || proof->n_same || proof->n_looked < NAMED_LEAST ||
        proof->n_fit < proof->n_looked - proof->n_looked / 4)
        return false;
    if (kind == BEGIN_CRASH)
        return has_goroutine_of(shape, stream, window);
    return (kind == BEGIN_GOROUTINE || kind == BEGIN_PROFILE) &&
           !is_counter(shape, stream, window);
}

/* Looks at the lines of text until it is known. */
static enum glued_answer see_lines(struct glued_crash *crash, struct str text)
{
    enum glued_answer answer = GLUED_MAY_BE;
    struct str line;

    while (answer == GLUED_MAY_BE && cut_line(&text, &line))
        answer = glued_crash_see(crash, line);
    return answer;
}

/* Whether the text, which stands behind other text of its line, is a crash by
 * what follows it, there and on the lines of window. */
static bool is_glued_crash(const struct shape *shape, struct str text,
                           struct str stream, struct str window)
{
    struct glued_crash crash;
    struct buf scratch = {0};
    enum glued_answer answer = GLUED_IS_NOT;
    struct str line;

    if (cut_line(&text, &line) && glued_crash_init(&crash, line))
        answer = see_lines(&crash, text);
    for (unsigned i = 0; answer == GLUED_MAY_BE && i < NEIGHBOURS_MOST &&
                         cut_line(&window, &line);
         i++) {
        struct piece piece = {0};

        buf_clear(&scratch);
        if (!shape->wrapping->strip(shape, line, &scratch, &piece) ||
            piece.is_around ||
            (!piece.continues && !str_equal(piece.stream, stream)))
            continue;
        answer = piece.text.len ? see_lines(&crash, piece.text)
                                : glued_crash_see(&crash, piece.text);
    }
    buf_done(&scratch);
    return answer == GLUED_IS ||
           (answer == GLUED_MAY_BE && crash.part == GLUED_STACK);
}

/* What begins in a text that was unwrapped: what its line shows, unless that
 * is a list of bytes. */
static enum begin_kind inner_kind(enum begin_kind kind, struct str text)
{
    struct begin begin;

    if (kind != BEGIN_BYTES)
        return kind;
    return begin_find(text, 0, &begin) ? begin.kind : BEGIN_NONE;
}

/* Whether the shape is right, for a begin of that kind at the line; window is
 * what follows the line. */
static bool is_proven(const struct shape *shape, enum begin_kind kind,
                      struct str line, struct str window)
{
    struct buf scratch = {0};
    struct piece piece = {0};
    struct str glued = {0};
    struct proof proof;
    bool holds = shape->wrapping->strip(shape, line, &scratch, &piece) &&
                 (kind == BEGIN_MARKUP || is_explained(piece.text, 1, &glued));

    kind = inner_kind(kind, piece.text);
    if (holds && shape->wrapping->is_loose && kind == BEGIN_CRASH &&
        str_trim(str_head(line, line.len - piece.text.len)).len)
        glued = piece.text;
    if (holds && glued.len) {
        holds = is_glued_crash(shape, glued, piece.stream, window);
    } else if (holds && shape->wrapping->is_loose && kind == BEGIN_GOROUTINE) {
        holds = is_followed_by_frame(window);
    } else if (holds && str_find(piece.text, '\n') < piece.text.len) {
        holds = begin_is_followed_by(kind, piece.text);
    } else if (holds) {
        proof = look_at_neighbours(shape, kind, piece.stream, window);
        /* The input may end behind a header. */
        holds = proof.is_followed ||
                (!proof.n_same && !window.len &&
                 (kind == BEGIN_GOROUTINE || kind == BEGIN_PROFILE)) ||
                is_named_log(shape, kind, piece.stream, window, &proof);
    }
    buf_done(&scratch);
    return holds;
}

/* Whether what parts the lines is another on each of the next ones: then it
 * tells nothing of a process. */
static bool changes_always(const struct shape *shape, struct str window)
{
    uint64_t seen[NAMED_LEAST]; /* hashes of the streams */
    struct buf scratch = {0};
    bool has_repeated = false;
    unsigned n = 0;
    struct str line;

    while (n < NAMED_LEAST && !has_repeated && cut_line(&window, &line)) {
        struct piece piece = {0};

        buf_clear(&scratch);
        if (!shape->wrapping->strip(shape, line, &scratch, &piece))
            break;
        seen[n] = hash_bytes(piece.stream.ptr, piece.stream.len);
        for (unsigned i = 0; i < n; i++)
            has_repeated = has_repeated || seen[i] == seen[n];
        n++;
    }
    buf_done(&scratch);
    return n > 1 && !has_repeated;
}

/* Whether the shape is right, maybe without its names. */
static bool prove(struct shape *shape, enum begin_kind kind, struct str line,
                  struct str window)
{
    if (is_proven(shape, kind, line, window))
        return true;
    if ((!shape->names && !shape->columns.names) ||
        !changes_always(shape, window))
        return false;
    shape->names = 0;
    shape->columns = (struct columns){0};
    return is_proven(shape, kind, line, window);
}

static bool try_begin(struct begin begin, struct str line, struct str window,
                      struct columns columns, struct shape *ret)
{
    for (size_t i = 0; i < n_wrappings; i++) {
        *ret = (struct shape){.wrapping = wrappings[i], .columns = columns};
        if (!wrappings[i]->learn(ret, line, begin) ||
            !prove(ret, begin.kind, line, window))
            continue;
        if (wrappings[i]->look_on)
            wrappings[i]->look_on(ret, window);
        return true;
    }
    return false;
}

/* Moves *window behind the header of the first goroutine after a crash. */
static void skip_to_goroutine(struct str *window)
{
    enum { REASON_LINES = 32 };
    struct str line;

    for (unsigned i = 0; i < REASON_LINES && cut_line(window, &line); i++) {
        if (str_starts(line, STR("goroutine ")))
            return;
    }
}

/* Whether an empty line stands behind each line: behind a header, its call and
 * its place, or a title, a record and its frame. */
static bool is_spread(enum begin_kind kind, struct str window)
{
    struct str lines[4] = {{0}};

    if (kind == BEGIN_CRASH)
        skip_to_goroutine(&window);
    for (size_t i = 0; i < 4; i++)
        cut_line(&window, &lines[i]);
    if (str_trim(lines[0]).len || str_trim(lines[2]).len)
        return false;
    if (kind == BEGIN_PROFILE)
        return str_contains(lines[1], STR(" @ 0x")) &&
               str_starts(lines[3], STR("#\t0x"));
    return are_frame(str_trim(lines[1]), lines[3]);
}

/* Whether one of the next lines begins with no-break spaces, or is a frame of
 * debug=1 with such. */
static bool has_no_break_spaces(struct str window)
{
    enum { LINES = 3 };
    struct str line;

    for (unsigned i = 0; i < LINES && cut_line(&window, &line); i++) {
        str_cut_prefix(&line, STR("#"));
        str_cut_prefix(&line, STR(" "));
        if (str_starts(line, STR("\xc2\xa0")))
            return true;
    }
    return false;
}

/* Whether blanks that are not Go's spoil what follows: see blanks.c. Records of
 * a profile may end in blanks. */
static bool has_blanks(enum begin_kind kind, struct str line, struct str window)
{
    struct str rest = window;
    struct str next = {0};

    cut_line(&rest, &next);
    return (kind != BEGIN_PROFILE &&
            (str_ends(line, STR(" ")) ||
             (str_ends(next, STR(" ")) && str_trim(next).len))) ||
           str_ends(line, STR("\r")) || has_no_break_spaces(window);
}

static uint64_t offset_of_cursor(const struct lines *lines)
{
    return lines->n_bytes - (uint64_t)(lines->end - lines->at);
}

/* Whether a goroutine, there or soon, shows that the input begins in the middle
 * of a cell of a table. No line of what follows is looked at twice. */
static bool is_in_cell(uint64_t at, struct str line, struct str window,
                       struct unwrap_outlook *outlook, struct shape *ret)
{
    struct begin begin = {BEGIN_GOROUTINE, 0};
    uint64_t behind = at + (uint64_t)(window.ptr - line.ptr);
    uint64_t looked_at = behind;

    if (csv_cell_wrapping.learn(ret, line, begin))
        return true;
    /* Its last line may be cut. */
    if (str_find(window, '\n') < window.len)
        looked_at += str_rfind(window, '\n') + 1;
    if (outlook->no_cell > behind)
        window = str_skip(window, (size_t)(outlook->no_cell - behind));
    for (;;) {
        window = str_skip(window, str_search(window, STR("] {")));
        if (!cut_line(&window, &line))
            break;
        if (csv_cell_wrapping.learn(ret, line, begin))
            return true;
    }
    outlook->no_cell = looked_at;
    return false;
}

/* Whether the title of a profile follows the markup on its line. */
static bool is_title_in_markup(struct str line, struct begin begin)
{
    return begin.kind == BEGIN_MARKUP &&
           begin_find(line, begin.at + 1, &begin) &&
           begin.kind == BEGIN_PROFILE;
}

/* Whether a line is one of a stack, or of a record of debug=1. */
static bool is_of_dump(struct str line)
{
    if (str_starts(line, STR("\t")))
        return str_contains(line, STR(".go:")) ||
               str_contains(line, STR(".s:"));
    return str_starts(line, STR("created by ")) ||
           str_starts(line, STR("#\t0x")) || str_contains(line, STR(" @ 0x")) ||
           (str_ends(line, STR(")")) && str_find(line, '(') > 0 &&
            str_find(line, ' ') > str_find(line, '('));
}

/* Whether a line of a dump has colours in it, as grep puts them around what it
 * found, and ends each. */
static bool is_coloured(struct str line)
{
    struct shape shape = {.wrapping = &ansi_wrapping};
    struct buf scratch = {0};
    struct piece piece = {0};
    bool holds;

    if (!str_contains(line, STR("\x1b[m")) &&
        !str_contains(line, STR("\x1b[0m")))
        return false;
    holds = ansi_wrapping.strip(&shape, line, &scratch, &piece) &&
            is_of_dump(piece.text);
    buf_done(&scratch);
    return holds;
}

/* Whether a line of what follows soon is such. */
static bool has_colours(struct str window)
{
    enum { COLOURS_WITHIN = 16384 };
    struct str rest = str_head(window, COLOURS_WITHIN);
    bool found = false;
    struct str line;
    size_t at;

    while (!found && (at = str_find(rest, '\x1b')) < rest.len) {
        size_t end = str_rfind(str_head(rest, at), '\n');

        rest = str_skip(rest, end < at ? end + 1 : 0);
        found = cut_line(&rest, &line) && is_coloured(line);
    }
    return found;
}

/* Colours, markup, blanks and quotes spoil the frames behind a header that has
 * none. A program's own text may hold any byte. */
static bool is_spoilt(uint64_t at, struct str line, struct str window,
                      struct unwrap_outlook *outlook, struct shape *ret)
{
    struct begin begin;

    if (!begin_find(line, 0, &begin))
        return false;
    if (is_title_in_markup(line, begin))
        *ret = (struct shape){.wrapping = &html_wrapping};
    else if (begin.at > 0)
        return false;
    else if (str_starts(window, STR("\x1b[")) || has_colours(window))
        *ret = (struct shape){.wrapping = &ansi_wrapping};
    else if (begin.kind == BEGIN_GOROUTINE &&
             is_in_cell(at, line, window, outlook, ret))
        *ret = (struct shape){.wrapping = &csv_cell_wrapping};
    else if (is_spread(begin.kind, window))
        *ret = (struct shape){.wrapping = &blanks_wrapping, .is_spread = true};
    else if (has_blanks(begin.kind, line, window))
        *ret = (struct shape){.wrapping = &blanks_wrapping};
    return ret->wrapping != NULL;
}

/* Whether a goroutine can follow soon. Logs say "panic: " and "goroutine " in
 * every other line, so this must cost next to nothing: no byte is looked at
 * twice. */
static bool can_have_goroutine(const struct lines *lines,
                               struct unwrap_outlook *outlook)
{
    struct str rest = {lines->at, (size_t)(lines->end - lines->at)};
    uint64_t at = offset_of_cursor(lines);
    size_t found;
    bool may_be;

    if (outlook->no_goroutine > at)
        rest = str_skip(rest, (size_t)(outlook->no_goroutine - at));
    else
        outlook->no_goroutine = at;
    may_be = begin_find_likely(rest, !lines->at_end, &found);
    outlook->no_goroutine += found;
    return may_be && outlook->no_goroutine - at < PRELUDE_BYTES;
}

bool unwrap_recognise(struct lines *lines, struct str line, bool is_plain,
                      struct unwrap_outlook *outlook, struct shape *shape)
{
    struct str window;
    struct begin begin;
    size_t from = 0;

    lines_fill(lines, LINES_WINDOW);
    if (!lines_peek(lines, &line))
        return false;
    window = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    window = str_head(window, LINES_WINDOW);
    window = str_skip(window, str_find(window, '\n') + 1);
    if (is_plain) {
        *shape = (struct shape){0};
        return is_spoilt(offset_of_cursor(lines), line, window, outlook, shape);
    }
    for (unsigned i = 0; i < BEGINS_MOST && begin_find(line, from, &begin);
         i++) {
        bool can_begin =
            begin.kind != BEGIN_CRASH || can_have_goroutine(lines, outlook);

        if (can_begin &&
            try_begin(begin, line, window, outlook->columns, shape))
            return true;
        from = begin.at + 1;
    }
    return false;
}

void unwrap_outlook_init(struct unwrap_outlook *outlook)
{
    outlook->clear = outlook->no_goroutine = 0;
    outlook->columns = (struct columns){0};
    begin_scanner_init(&outlook->scanner);
}

bool unwrap_is_likely(const struct lines *lines, struct str line,
                      struct unwrap_outlook *outlook)
{
    size_t left = (size_t)(lines->end - lines->at);
    uint64_t at = offset_of_cursor(lines);
    size_t first;

    if (at + line.len <= outlook->clear)
        return false;
    first = begin_scan(&outlook->scanner, (struct str){lines->at, left});
    /* A word may be cut by the end of the buffer. */
    if (first == left)
        first -= left < BEGIN_WORD_MOST ? left : BEGIN_WORD_MOST;
    outlook->clear = at + first;
    return at + line.len > outlook->clear;
}
