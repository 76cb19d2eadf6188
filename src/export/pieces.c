#include "export/pieces.h"

/* What stands for the values of a label that were not kept one by one. */
static const char other_values[] = "(other)";

enum { ROWS_MOST = EVIDENCE_KEYS + 4 };

enum row_kind { ROW_LABEL, ROW_CREATOR, ROW_LEAKED, ROW_LOCKED, ROW_AGE };

/* The goroutines of a group laid in a row by one thing that is known of them:
 * so many with the first value, so many with the next, then those that were
 * counted as others, then those without. */
struct row {
    enum row_kind kind;
    struct str key;
    const struct counted_set *set;      /* NULL: all that has it is in n */
    const struct wait_histogram *waits; /* of ROW_AGE, instead of set */
    uint64_t n;
    uint32_t at;   /* the value at hand; behind the last: others, then none */
    uint64_t left; /* goroutines that still have it */
};

struct rows {
    struct row rows[ROWS_MOST];
    size_t count;
};

/* How many have the value at a place of the row. */
static uint64_t row_count(const struct row *row, uint32_t at)
{
    if (row->waits)
        return at < row->waits->count ? row->waits->bars[at].count : UINT64_MAX;
    if (!row->set)
        return at == 0 ? row->n : UINT64_MAX;
    if (at < row->set->count)
        return row->set->items[at].count;
    return at == row->set->count ? row->set->others : UINT64_MAX;
}

/* Whether goroutines at the row's place have no value at all. */
static bool row_is_over(const struct row *row)
{
    if (row->waits)
        return row->at >= row->waits->count;
    return row->at > (row->set ? row->set->count : 0);
}

/* Goes to the first value that somebody has. */
static void row_settle(struct row *row)
{
    while (!row->left) {
        row->at++;
        row->left = row_count(row, row->at);
    }
}

static void rows_add(struct rows *rows, struct row row)
{
    if (rows->count == ROWS_MOST)
        return;
    row.left = row_count(&row, 0);
    row_settle(&row);
    rows->rows[rows->count++] = row;
}

static void rows_of(const struct export_groups *groups,
                    const struct export_group *group, struct rows *rows)
{
    const struct evidence *evidence = &group->evidence;

    rows->count = 0;
    if (group->leaked)
        rows_add(rows, (struct row){.kind = ROW_LEAKED, .n = group->leaked});
    if (group->locked)
        rows_add(rows, (struct row){.kind = ROW_LOCKED, .n = group->locked});
    if (evidence->creators.count)
        rows_add(rows,
                 (struct row){.kind = ROW_CREATOR, .set = &evidence->creators});
    if (evidence->waits.count)
        rows_add(rows,
                 (struct row){.kind = ROW_AGE, .waits = &evidence->waits});
    for (const struct label_counts *label = evidence->labels; label;
         label = label->next)
        rows_add(rows,
                 (struct row){.kind = ROW_LABEL,
                              .key = symbols_text(groups->symbols, label->key),
                              .set = &label->values});
}

/* Sets what a row says of the goroutines at its place. */
static void describe(const struct export_groups *groups, const struct row *row,
                     struct piece *piece)
{
    const struct counted *item = NULL;

    if (row_is_over(row))
        return;
    if (row->set && row->at < row->set->count)
        item = &row->set->items[row->at];
    switch (row->kind) {
    case ROW_LEAKED:
        piece->is_leaked = true;
        break;
    case ROW_LOCKED:
        piece->is_locked = true;
        break;
    case ROW_CREATOR:
        piece->created_by = item ? item->id : FRAME_NONE;
        break;
    case ROW_AGE:
        piece->has_age = true;
        piece->age_min = row->waits->bars[row->at].minutes;
        break;
    case ROW_LABEL:
        if (piece->n_labels < PIECE_LABELS)
            piece->labels[piece->n_labels++] = (struct label){
                row->key, item ? symbols_text(groups->symbols, item->id)
                               : str_from(other_values)};
        break;
    }
}

/* Whether all goroutines of the group are at the row's place. */
static bool is_constant(const struct row *row, uint64_t count)
{
    return row->left >= count;
}

static bool is_made_up(const struct rows *rows, uint64_t count)
{
    size_t differing = 0;

    for (size_t i = 0; i < rows->count; i++)
        differing += !is_constant(&rows->rows[i], count);
    return differing > 1;
}

/* Takes the longest piece in which no row changes off the front. */
static uint64_t cut(struct rows *rows, uint64_t most)
{
    uint64_t n = most;

    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].left < n)
            n = rows->rows[i].left;
    }
    return n;
}

static void advance(struct rows *rows, uint64_t n)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].left != UINT64_MAX)
            rows->rows[i].left -= n;
        row_settle(&rows->rows[i]);
    }
}

/* A profile that measures may count nothing of a value whose other numbers
 * are not 0, so its only value is that of all. */
static struct piece whole_piece(const struct export_groups *groups,
                                const struct export_group *group)
{
    struct piece piece = {.count = group->count};

    for (const struct label_counts *label = group->evidence.labels;
         label && piece.n_labels < PIECE_LABELS; label = label->next) {
        const struct counted_set *set = &label->values;

        if (set->count == 1 && !set->others &&
            set->items[0].count >= group->count)
            piece.labels[piece.n_labels++] =
                (struct label){symbols_text(groups->symbols, label->key),
                               symbols_text(groups->symbols, set->items[0].id)};
    }
    return piece;
}

bool pieces_each(const struct export_groups *groups,
                 const struct export_group *group, piece_fn *visit, void *user)
{
    uint64_t left = group->count;
    struct piece piece;
    struct rows rows;
    bool made_up;

    if (group->values) {
        piece = whole_piece(groups, group);
        visit(user, &piece);
        return false;
    }
    rows_of(groups, group, &rows);
    made_up = is_made_up(&rows, group->count);
    do {
        piece = (struct piece){.count = cut(&rows, left)};
        for (size_t i = 0; i < rows.count; i++)
            describe(groups, &rows.rows[i], &piece);
        visit(user, &piece);
        left -= piece.count;
        advance(&rows, left ? piece.count : 0);
    } while (left);
    return made_up;
}
