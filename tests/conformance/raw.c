#include "raw.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOCATIONS_MOST = 4096, LINES_MOST = 8192, FRAMES_MOST = 1024 };

/* A call of a location. */
struct line {
    char *place; /* "FILE:LINE" */
    bool is_runtime;
    bool is_entry; /* runtime.main, which debug=2 does not show */
};

/* The locations of one file: those of number n are lines first[n] up to
 * first[n + 1]. */
struct locations {
    struct line lines[LINES_MOST];
    size_t n_lines;
    size_t first[LOCATIONS_MOST + 1];
    size_t count;
};

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Where the path begins in "NAME FILE:LINE", either of which may hold blanks:
 * at the root of a path, else at the last blank. NULL when there is none. */
static char *find_place(char *text)
{
    char *place = strstr(text, " C:/");

    for (char *at = text; !place && at; at = strstr(at + 1, " /"))
        place = starts(at, " /") ? at : NULL;
    if (!place)
        place = strrchr(text, ' ');
    return place ? place + 1 : NULL;
}

/* "NAME FILE:LINE:COLUMN s=N", of which old releases leave COLUMN out. */
static void add_line(struct locations *locations, char *text)
{
    struct line line = {0};
    char *end = strstr(text, " s=");
    char *place;
    size_t colons = 0;

    assert_true(locations->n_lines < LINES_MOST);
    if (end)
        *end = '\0';
    place = find_place(text);
    if (!place)
        return;
    for (const char *at = place; *at; at++)
        colons += *at == ':';
    colons -= starts(place, "C:/");
    if (colons > 1 && ends_with(place, ":0"))
        place[strlen(place) - 2] = '\0';
    line.place = strdup(place);
    line.is_entry = starts(text, "runtime.main ");
    line.is_runtime =
        starts(text, "runtime.") || starts(text, "internal/runtime/") ||
        starts(text, "runtime/internal/") || starts(text, "crosscall2 ");
    locations->lines[locations->n_lines++] = line;
}

/* "     5: 0x6de809 M=1 NAME FILE:LINE:0 s=32", and below it the lines of calls
 * around the inlined one. */
static void add_location(struct locations *locations, char *text)
{
    char *address = strstr(text, ": 0x");
    char *at;

    if (address) {
        locations->count++;
        assert_true(locations->count < LOCATIONS_MOST);
        assert_int_equal(locations->count, strtoul(text, NULL, 10));
        locations->first[locations->count] = locations->n_lines;
        at = strchr(address + 2, ' ');
        if (at && starts(at, " M="))
            at = strchr(at + 1, ' ');
        text = at ? at : text + strlen(text);
    }
    while (*text == ' ')
        text++;
    if (*text)
        add_line(locations, text);
    locations->first[locations->count + 1] = locations->n_lines;
}

static void append(char **key, const char *place)
{
    size_t old = *key ? strlen(*key) : 0;
    char *longer = realloc(*key, old + strlen(place) + 2);

    assert_non_null(longer);
    sprintf(longer + old, "%s%s", old ? "|" : "", place);
    *key = longer;
}

/* The key of a list of location numbers. */
static char *key_of(const struct locations *locations, const char *numbers,
                    bool is_cut)
{
    const struct line *frames[FRAMES_MOST];
    size_t n = 0;
    size_t first = 0;
    size_t end;
    char *key = strdup("");
    char *next;

    for (;; numbers = next) {
        size_t number = strtoul(numbers, &next, 10);

        if (next == numbers)
            break;
        assert_true(number && number <= locations->count);
        for (size_t i = locations->first[number];
             i < locations->first[number + 1] && n < FRAMES_MOST; i++)
            frames[n++] = &locations->lines[i];
    }
    end = n;
    while (is_cut && end && frames[end - 1]->is_entry)
        end--;
    while (is_cut && first < end && frames[first]->is_runtime)
        first++;
    if (first == end) {
        first = 0;
        end = n;
    }
    for (size_t i = first; i < end; i++)
        append(&key, frames[i]->place);
    return key;
}

struct raw_stack *raw_find(struct raw *raw, const char *key)
{
    for (size_t i = 0; i < raw->n_stacks; i++) {
        if (strcmp(raw->stacks[i].key, key) == 0)
            return &raw->stacks[i];
    }
    return NULL;
}

static struct raw_stack *stack_of(struct raw *raw, char *key)
{
    struct raw_stack *stack = raw_find(raw, key);

    if (stack) {
        free(key);
        return stack;
    }
    raw->stacks =
        realloc(raw->stacks, (raw->n_stacks + 1) * sizeof(*raw->stacks));
    assert_non_null(raw->stacks);
    stack = &raw->stacks[raw->n_stacks++];
    *stack = (struct raw_stack){.key = key};
    return stack;
}

/* "  159  174574869: 1 2 3". Lines of labels have no number in front. */
static void add_sample(struct raw *raw, const struct locations *locations,
                       const char *text, bool is_cut)
{
    long long values[RAW_TYPES_MOST] = {0};
    struct raw_stack *stack;
    char *at;

    for (size_t i = 0; i < raw->n_types; i++, text = at) {
        values[i] = strtoll(text, &at, 10);
        if (at == text)
            return;
    }
    if (*text != ':')
        return;
    stack = stack_of(raw, key_of(locations, text + 1, is_cut));
    for (size_t i = 0; i < raw->n_types; i++)
        stack->values[i] += values[i];
}

/* "alloc_objects/count alloc_space/bytes[dflt]". */
static void add_types(struct raw *raw, char *text)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        assert_true(raw->n_types < RAW_TYPES_MOST);
        *strchr(word, '/') = '\0';
        snprintf(raw->types[raw->n_types++], sizeof(raw->types[0]), "%s", word);
    }
}

/* Cuts the line at *text off and returns it; NULL at the end. */
static char *cut_line(char **text)
{
    char *line = *text;
    char *end = line ? strchr(line, '\n') : NULL;

    if (!end)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line;
}

void raw_load(struct raw *raw, const char *path, bool is_cut)
{
    size_t len;
    char *text = read_file(path, &len);
    struct locations *locations = calloc(1, sizeof(*locations));
    char *samples;
    char *rest;
    char *line;

    *raw = (struct raw){0};
    /* Labels may hold any byte. */
    for (size_t i = 0; i < len; i++)
        text[i] = text[i] ? text[i] : '?';
    samples = strstr(text, "Samples:\n");
    rest = strstr(text, "\nLocations\n");
    assert_non_null(samples);
    assert_non_null(rest);
    assert_non_null(locations);
    rest[1] = '\0';
    rest += strlen("\nLocations\n");
    while ((line = cut_line(&rest)) && !starts(line, "Mappings"))
        add_location(locations, line);
    samples += strlen("Samples:\n");
    add_types(raw, cut_line(&samples));
    while ((line = cut_line(&samples)))
        add_sample(raw, locations, line, is_cut);
    for (size_t i = 0; i < locations->n_lines; i++)
        free(locations->lines[i].place);
    free(locations);
    free(text);
}

void raw_done(struct raw *raw)
{
    for (size_t i = 0; i < raw->n_stacks; i++)
        free(raw->stacks[i].key);
    free(raw->stacks);
}

char *raw_key_of_stack(const json_t *stack)
{
    char *key = strdup("");

    for (size_t i = 0; i < json_array_size(stack); i++) {
        const json_t *frame = json_array_get(stack, i);
        const char *file = json_string_value(json_object_get(frame, "file"));
        char place[1024];

        snprintf(place, sizeof(place), "%s:%lld", file ? file : "",
                 number_or(frame, "line", 0));
        append(&key, place);
    }
    return key;
}
