/* pack_rules.c - `pack_rules FILE` writes the tree of what is loaded of a rule
 * file as bytes to standard output, `pack_rules --prose FILE` that of what its
 * rules say. The build runs it, on the machine that builds; rules/packed.h
 * says what the bytes mean, and scripts/embed_rules.sh puts them into the
 * program. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "rules/packed.h"

/* Values of a rule stand below the root, the list and the rule. */
enum { DEPTH_ROOT = 1, DEPTH_OF_LISTS = 2, DEPTH_OF_KEYS = 4 };

/* What was written last, from which the next node is counted. */
struct pack {
    struct buf bytes;
    uint32_t n_nodes;
    uint32_t offset;
    uint32_t line;
    bool is_prose; /* which of the two trees */
};

static void add_number(struct buf *out, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
        buf_add_char(out, (char)(number | 0x80));
    buf_add_char(out, (char)number);
}

static bool is_left_out(const struct pack *pack, const struct node *value,
                        unsigned depth)
{
    struct str key = value->key ? value->key->text : (struct str){0};

    if (pack->is_prose && depth == DEPTH_OF_LISTS)
        return !str_equal(key, STR("rules"));
    if (depth != DEPTH_OF_KEYS || !value->key)
        return false;
    return pack->is_prose ? !packed_is_prose(key) : !packed_is_loaded(key);
}

/* How many children of a node, which is at some depth, are written. */
static uint32_t count_children(const struct pack *pack, const struct node *node,
                               unsigned depth)
{
    uint32_t n = 0;

    for (const struct node *at = node->first; at; at = at->next)
        n += !is_left_out(pack, at, depth + 1);
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
    add_number(&pack->bytes, count_children(pack, node, depth));
    for (const struct node *at = node->first; at; at = at->next) {
        if (is_left_out(pack, at, depth + 1))
            continue;
        if (at->key)
            add_node(pack, at->key, depth + 1);
        add_node(pack, at, depth + 1);
    }
}

static bool print_tree(const struct node *root, bool is_prose)
{
    struct pack pack = {.is_prose = is_prose};
    struct buf count = {0};
    bool is_done;

    if (root)
        add_node(&pack, root, DEPTH_ROOT);
    add_number(&count, pack.n_nodes);
    is_done =
        !pack.bytes.failed && !count.failed &&
        fwrite(count.ptr, 1, count.len, stdout) == count.len &&
        fwrite(pack.bytes.ptr, 1, pack.bytes.len, stdout) == pack.bytes.len &&
        fflush(stdout) == 0;
    buf_done(&pack.bytes);
    buf_done(&count);
    return is_done;
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

/* Packs a text; says what is wrong with it. */
static bool pack_text(const char *name, struct str text, bool is_prose)
{
    struct cprof_error err = {0};
    struct source source = {.name = name, .text = text};
    const struct node *root = NULL;
    struct budget budget;
    struct arena arena;
    bool is_done = false;

    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    str_cut_prefix(&source.text, STR("\xef\xbb\xbf"));
    if (node_parse(&root, &source, &arena, &err))
        fprintf(stderr, "%s:%llu:%llu: %s\n%s\n", name,
                (unsigned long long)err.line, (unsigned long long)err.column,
                err.message, err.detail);
    else
        is_done = print_tree(root, is_prose);
    arena_done(&arena);
    return is_done;
}

int main(int argc, char **argv)
{
    bool is_prose = argc > 1 && strcmp(argv[1], "--prose") == 0;
    const char *name = argv[argc - 1];
    struct buf text = {0};
    bool is_done;

    if (argc != 2 + is_prose) {
        fprintf(stderr, "usage: pack_rules [--prose] FILE\n");
        return 2;
    }
    is_done = read_whole(name, &text);
    if (!is_done)
        perror(name);
    is_done = is_done && pack_text(name, buf_str(&text), is_prose);
    buf_done(&text);
    return is_done ? 0 : 1;
}
