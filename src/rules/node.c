#include "rules/node.h"

#include "rules/yaml_error.h"

struct parse {
    yaml_parser_t yaml;
    const struct source *source;
    struct arena *arena;
    struct cprof_error *err;
    size_t at_char; /* where the last mark stood, in characters and bytes */
    uint32_t at_byte;
    uint32_t line; /* ends before the last node, and where that began */
    uint32_t line_at;
};

static int out_of_memory(const struct parse *parse)
{
    return error_memory(parse->err, (struct place){parse->source->name, 0, 0},
                        "reading rules");
}

/* The byte offset of a mark. Marks come in order, so each byte is passed over
 * once. */
static uint32_t offset_of(struct parse *parse, yaml_mark_t mark)
{
    struct str text = parse->source->text;

    if (parse->source->is_ascii)
        return (uint32_t)(mark.index < text.len ? mark.index : text.len);
    if (mark.index < parse->at_char)
        return source_char_offset(parse->source, mark.index);
    while (parse->at_char < mark.index && parse->at_byte < text.len) {
        parse->at_byte++;
        while (parse->at_byte < text.len &&
               ((unsigned char)text.ptr[parse->at_byte] & 0xc0) == 0x80)
            parse->at_byte++;
        parse->at_char++;
    }
    return parse->at_byte;
}

static struct span span_of(struct parse *parse, const yaml_event_t *event)
{
    uint32_t begin = offset_of(parse, event->start_mark);
    uint32_t end = offset_of(parse, event->end_mark);

    return (struct span){begin, end > begin ? end - begin : 0};
}

/* The line of an offset. Nodes come in order, so each line end is passed over
 * once. */
static uint32_t line_of(struct parse *parse, uint32_t offset)
{
    struct str text = str_head(parse->source->text, offset);
    struct str rest;
    size_t end;

    if (offset < parse->line_at) {
        parse->line_at = 0;
        parse->line = 0;
    }
    rest = str_skip(text, parse->line_at);
    while ((end = str_find(rest, '\n')) < rest.len) {
        rest = str_skip(rest, end + 1);
        parse->line++;
    }
    parse->line_at = offset;
    return parse->line + 1;
}

/* Takes the next event; the caller deletes it. */
static int next_event(struct parse *parse, yaml_event_t *event)
{
    if (yaml_parser_parse(&parse->yaml, event))
        return 0;
    return yaml_error(parse->source, &parse->yaml, parse->err);
}

static int refuse(struct parse *parse, const yaml_event_t *event,
                  const char *what)
{
    return source_error(parse->source, span_of(parse, event), parse->err,
                        "%s; quote the text if it begins with this character",
                        what);
}

static enum node_style style_of(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return STYLE_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return STYLE_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE:
        return STYLE_BLOCK;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE:
        break;
    }
    return STYLE_PLAIN;
}

/* Refuses what rule files do not need: anchors, aliases, tags. */
static int check_event(struct parse *parse, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;

    if (event->type == YAML_ALIAS_EVENT)
        return refuse(parse, event, "YAML aliases ('*name') are not read here");
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor)
        return refuse(parse, event, "YAML anchors ('&name') are not read here");
    if (tag)
        return refuse(parse, event, "YAML tags ('!name') are not read here");
    return 0;
}

/* A node for the event that begins it; NULL when memory ran out. */
static struct node *new_node(struct parse *parse, const yaml_event_t *event)
{
    struct node *node = arena_take_zero(parse->arena, sizeof(*node));

    if (!node)
        return NULL;
    node->span = span_of(parse, event);
    node->line = line_of(parse, node->span.offset);
    if (event->type != YAML_SCALAR_EVENT) {
        node->kind =
            event->type == YAML_SEQUENCE_START_EVENT ? NODE_LIST : NODE_MAP;
        return node;
    }
    node->kind = NODE_TEXT;
    node->style = style_of(event->data.scalar.style);
    node->text = arena_copy(parse->arena,
                            (struct str){(const char *)event->data.scalar.value,
                                         event->data.scalar.length});
    return node->text.ptr ? node : NULL;
}

static int read_children(struct parse *parse, struct node *parent,
                         unsigned depth);

/* Reads the node that the next event begins. *ret is NULL when the event ends
 * the list or map around it instead. */
static int read_node(struct parse *parse, unsigned depth, struct node **ret)
{
    yaml_event_t event;
    int failed = next_event(parse, &event);

    if (failed)
        return failed;
    *ret = NULL;
    failed = check_event(parse, &event);
    if (failed || event.type == YAML_SEQUENCE_END_EVENT ||
        event.type == YAML_MAPPING_END_EVENT)
        goto done;
    if (depth > NODE_DEPTH) {
        failed = source_error(parse->source, span_of(parse, &event), parse->err,
                              "nested deeper than %d levels", NODE_DEPTH);
        goto done;
    }
    *ret = new_node(parse, &event);
    if (!*ret)
        failed = out_of_memory(parse);
    else if ((*ret)->kind != NODE_TEXT)
        failed = read_children(parse, *ret, depth + 1);
done:
    yaml_event_delete(&event);
    return failed;
}

/* Reads a key and its value; *ret is the value, NULL at the end. */
static int read_pair(struct parse *parse, unsigned depth, struct node **ret)
{
    struct node *key;
    int failed = read_node(parse, depth, &key);

    *ret = NULL;
    if (failed || !key)
        return failed;
    if (key->kind != NODE_TEXT)
        return source_error(parse->source, key->span, parse->err,
                            "expected a key, not %s", node_kind_text(key));
    failed = read_node(parse, depth, ret);
    if (!failed)
        (*ret)->key = key;
    return failed;
}

static int read_children(struct parse *parse, struct node *parent,
                         unsigned depth)
{
    const struct node **link = &parent->first;
    struct node *child;

    for (;;) {
        int failed = parent->kind == NODE_MAP ? read_pair(parse, depth, &child)
                                              : read_node(parse, depth, &child);

        if (failed || !child)
            return failed;
        *link = child;
        link = &child->next;
        parent->count++;
    }
}

/* Takes the next event, which may begin a document only where one is
 * expected. */
static int take_event(struct parse *parse, yaml_event_type_t expected,
                      yaml_event_type_t *ret_type)
{
    yaml_event_t event;
    int failed = next_event(parse, &event);

    if (failed)
        return failed;
    *ret_type = event.type;
    if (event.type == YAML_DOCUMENT_START_EVENT && expected != event.type)
        failed = source_error(parse->source, span_of(parse, &event), parse->err,
                              "the file must hold one YAML document, this "
                              "begins another");
    yaml_event_delete(&event);
    return failed;
}

static int read_document(struct parse *parse, const struct node **ret)
{
    yaml_event_type_t type = YAML_NO_EVENT;
    struct node *root = NULL;
    int failed = take_event(parse, YAML_STREAM_START_EVENT, &type);

    if (!failed)
        failed = take_event(parse, YAML_DOCUMENT_START_EVENT, &type);
    if (!failed && type == YAML_DOCUMENT_START_EVENT) {
        failed = read_node(parse, 1, &root);
        if (!failed)
            failed = take_event(parse, YAML_DOCUMENT_END_EVENT, &type);
        if (!failed)
            failed = take_event(parse, YAML_STREAM_END_EVENT, &type);
    }
    if (!failed)
        *ret = root;
    return failed;
}

int node_parse(const struct node **ret, const struct source *source,
               struct arena *arena, struct cprof_error *err)
{
    struct parse parse = {.source = source, .arena = arena, .err = err};
    const char *text = source->text.ptr ? source->text.ptr : "";
    int failed;

    if (!yaml_parser_initialize(&parse.yaml))
        return out_of_memory(&parse);
    yaml_parser_set_encoding(&parse.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parse.yaml, (const unsigned char *)text,
                                 source->text.len);
    failed = read_document(&parse, ret);
    yaml_parser_delete(&parse.yaml);
    return failed;
}

const char *node_kind_text(const struct node *node)
{
    if (node->kind == NODE_LIST)
        return "a list";
    if (node->kind == NODE_MAP)
        return "a mapping";
    return node->style == STYLE_PLAIN && !node->text.len ? "nothing" : "a text";
}

const struct node *node_value(const struct node *map, const char *key)
{
    struct str name = str_from(key);

    if (map->kind != NODE_MAP)
        return NULL;
    for (const struct node *value = map->first; value; value = value->next) {
        if (str_equal(value->key->text, name))
            return value;
    }
    return NULL;
}

/* How many bytes of the source stand for the next byte of a text's value; 0 =
 * too odd to follow. */
static size_t source_step(struct str rest, enum node_style style)
{
    if (style == STYLE_SINGLE && str_starts(rest, STR("''")))
        return 2;
    if (style == STYLE_DOUBLE && rest.ptr[0] == '\\') {
        bool is_plain =
            rest.len > 1 && chars_have("\\\"/ abefnrtv0", rest.ptr[1]);

        return is_plain ? 2 : 0;
    }
    return rest.ptr[0] == '\n' || rest.ptr[0] == '\r' ? 0 : 1;
}

struct span node_span_at(const struct source *source, const struct node *node,
                         size_t at)
{
    struct str rest = str_skip(source->text, node->span.offset);
    size_t used = node->style == STYLE_PLAIN ? 0 : 1;

    if (node->kind != NODE_TEXT || node->style == STYLE_BLOCK)
        return node->span;
    for (rest = str_skip(rest, used); at; at--) {
        size_t step = rest.len ? source_step(rest, node->style) : 0;

        if (!step)
            return node->span;
        rest = str_skip(rest, step);
        used += step;
    }
    return (struct span){node->span.offset + (uint32_t)used, 1};
}
