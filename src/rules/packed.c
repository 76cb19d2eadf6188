#include "rules/packed.h"

/* What is left of the bytes, and what was last made of them. */
struct unpack {
    const char *at;
    struct node *next; /* the node to be filled next */
    uint32_t offset;
    uint32_t line;
};

bool packed_is_prose(struct str key)
{
    /* The keys that prose.c reads. */
    static const char *const keys[] = {"explain",         "cause",
                                       "decide",          "advice",
                                       "false_positives", "references"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (str_equal(key, str_from(keys[i])))
            return true;
    }
    return false;
}

static uint32_t take_byte(struct unpack *unpack)
{
    return (unsigned char)*unpack->at++;
}

static uint32_t take_number(struct unpack *unpack)
{
    uint32_t byte = take_byte(unpack);
    uint32_t number = byte & 0x7f;

    for (unsigned shift = 7; byte & 0x80; shift += 7) {
        byte = take_byte(unpack);
        number |= (byte & 0x7f) << shift;
    }
    return number;
}

/* Takes what a node of any kind begins with. */
static struct node *take_head(struct unpack *unpack)
{
    struct node *node = unpack->next++;
    uint32_t head = take_byte(unpack);
    uint32_t lines = head / PACKED_LINES;

    *node = (struct node){
        .kind = head % PACKED_STYLE,
        .style = head / PACKED_STYLE % (PACKED_LINES / PACKED_STYLE),
    };
    if (lines == PACKED_LINES_MOST)
        lines += take_number(unpack);
    node->line = unpack->line += lines;
    node->span.offset = unpack->offset += take_number(unpack);
    node->span.len = take_number(unpack);
    return node;
}

/* Takes a node with all below it: NODE_DEPTH bounds how deep that goes. */
static struct node *take_node(struct unpack *unpack)
{
    struct node *node = take_head(unpack);
    const struct node **link = &node->first;
    uint32_t n = take_number(unpack);

    if (node->kind == NODE_TEXT) {
        node->text = (struct str){unpack->at, n};
        unpack->at += n + 1;
        return node;
    }
    node->count = n;
    for (uint32_t i = 0; i < n; i++) {
        struct node *key = node->kind == NODE_MAP ? take_node(unpack) : NULL;
        struct node *child = take_node(unpack);

        child->key = key;
        *link = child;
        link = &child->next;
    }
    return node;
}

bool packed_read(const struct node **ret, struct str packed,
                 struct arena *arena)
{
    struct unpack unpack = {.at = packed.ptr};
    uint32_t n = packed.len ? take_number(&unpack) : 0;

    *ret = NULL;
    if (!n)
        return true;
    unpack.next = arena_take(arena, n * sizeof(*unpack.next));
    if (!unpack.next)
        return false;
    *ret = take_node(&unpack);
    return true;
}
