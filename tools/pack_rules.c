/* pack_rules.c - `pack_rules FILE...` writes the image of the rules of all
 * files (rules/image.h) to standard output, `pack_rules --prose FILE` the tree
 * of what the rules of a file say (rules/packed.h). The build runs it, on the
 * machine that builds; scripts/embed_rules.sh puts what it writes into the
 * program. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "rules/builtin.h"
#include "rules/image.h"
#include "rules/packed.h"

/* What this makes is not there yet. */
const struct builtin_rules builtin_rules[] = {{0}};
const size_t builtin_rules_count = 0;
const char *const builtin_image = NULL;
const size_t builtin_image_len = 0;

/* Values of a rule stand below the root, the list and the rule. */
enum { DEPTH_ROOT = 1, DEPTH_OF_LISTS = 2, DEPTH_OF_KEYS = 4 };

/* What was written last, from which the next node is counted. */
struct pack {
    struct buf bytes;
    uint32_t n_nodes;
    uint32_t offset;
    uint32_t line;
};

static void add_number(struct buf *out, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
        buf_add_char(out, (char)(number | 0x80));
    buf_add_char(out, (char)number);
}

static bool is_left_out(const struct node *value, unsigned depth)
{
    struct str key = value->key ? value->key->text : (struct str){0};

    if (depth == DEPTH_OF_LISTS)
        return !str_equal(key, STR("rules"));
    return depth == DEPTH_OF_KEYS && value->key && !packed_is_prose(key);
}

/* How many children of a node, which is at some depth, are written. */
static uint32_t count_children(const struct node *node, unsigned depth)
{
    uint32_t n = 0;

    for (const struct node *at = node->first; at; at = at->next)
        n += !is_left_out(at, depth + 1);
    return n;
}

static void add_head(struct pack *pack, const struct node *node)
{
    uint32_t lines = node->line - pack->line;
    uint32_t most = lines < PACKED_LINES_MOST ? lines : PACKED_LINES_MOST;

    buf_add_char(&pack->bytes, (char)(node->kind + node->style * PACKED_STYLE +
                                      most * PACKED_LINES));
    if (most == PACKED_LINES_MOST)
        add_number(&pack->bytes, lines - most);
    add_number(&pack->bytes, node->span.offset - pack->offset);
    add_number(&pack->bytes, node->span.len);
    pack->line = node->line;
    pack->offset = node->span.offset;
    pack->n_nodes++;
}

/* Writes a node with all below it that is not left out. */
static void add_node(struct pack *pack, const struct node *node, unsigned depth)
{
    add_head(pack, node);
    if (node->kind == NODE_TEXT) {
        add_number(&pack->bytes, (uint32_t)node->text.len);
        buf_add(&pack->bytes, node->text);
        buf_add_char(&pack->bytes, '\0');
        return;
    }
    add_number(&pack->bytes, count_children(node, depth));
    for (const struct node *at = node->first; at; at = at->next) {
        if (is_left_out(at, depth + 1))
            continue;
        if (at->key)
            add_node(pack, at->key, depth + 1);
        add_node(pack, at, depth + 1);
    }
}

static void add_tree(struct buf *out, const struct node *root)
{
    struct pack pack = {0};

    if (root)
        add_node(&pack, root, DEPTH_ROOT);
    add_number(out, pack.n_nodes);
    buf_add(out, buf_str(&pack.bytes));
    buf_done(&pack.bytes);
}

static bool read_whole(const char *path, struct buf *text)
{
    FILE *file = fopen(path, "rb");
    char block[4096];
    size_t n;
    bool is_done;

    if (!file)
        return false;
    while ((n = fread(block, 1, sizeof(block), file)) > 0)
        buf_add(text, (struct str){block, n});
    is_done = !ferror(file) && !text->failed;
    fclose(file);
    return is_done;
}

static void print_error(const char *name, const struct cprof_error *err)
{
    fprintf(stderr, "%s:%llu:%llu: %s\n%s\n", name,
            (unsigned long long)err->line, (unsigned long long)err->column,
            err->message, err->detail);
}

/* Appends the tree of what the rules of a file say. */
static bool pack_prose(const char *name, struct str text, struct buf *out)
{
    struct cprof_error err = {0};
    struct source source = {.name = name, .text = text};
    const struct node *root = NULL;
    struct budget budget;
    struct arena arena;
    bool is_done;

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    str_cut_prefix(&source.text, STR("\xef\xbb\xbf"));
    is_done = node_parse(&root, &source, &arena, &err) == 0;
    if (is_done)
        add_tree(out, root);
    else
        print_error(name, &err);
    arena_done(&arena);
    return is_done;
}

/* Adds the rules of a file to the others. */
static bool load_file(struct rules *rules, const char *name)
{
    struct cprof_error err = {0};
    struct buf text = {0};
    bool is_done = read_whole(name, &text);

    if (!is_done) {
        perror(name);
    } else if (rules_load_text(rules, name, buf_str(&text), &err)) {
        print_error(name, &err);
        is_done = false;
    }
    buf_done(&text);
    return is_done;
}

/* Appends the image of the rules of all files. */
static bool pack_image(const char *const *names, size_t n, struct buf *out)
{
    struct cprof_error err = {0};
    struct rules *rules = NULL;
    struct budget budget;
    bool is_done = true;

    budget_init(&budget, 0);
    if (rules_new(&rules, &budget, &err))
        return false;
    for (size_t i = 0; is_done && i < n; i++)
        is_done = load_file(rules, names[i]);
    if (is_done)
        image_write(rules, names, n, out);
    rules_free(rules);
    return is_done;
}

static bool print(const struct buf *out)
{
    return !out->failed && fwrite(out->ptr, 1, out->len, stdout) == out->len &&
           fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    bool is_prose = argc == 3 && strcmp(argv[1], "--prose") == 0;
    struct buf text = {0};
    struct buf out = {0};
    bool is_done;

    if (!is_prose) {
        is_done =
            pack_image((const char *const *)argv + 1, (size_t)argc - 1, &out);
    } else {
        is_done = read_whole(argv[2], &text);
        if (!is_done)
            perror(argv[2]);
        is_done = is_done && pack_prose(argv[2], buf_str(&text), &out);
    }
    is_done = is_done && print(&out);
    buf_done(&text);
    buf_done(&out);
    return is_done ? 0 : 1;
}
