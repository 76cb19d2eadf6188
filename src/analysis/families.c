#include "analysis/families.h"

#include "base/count.h"

/* Whether two snapshots count the same, so that sums make sense. */
static bool counts_same(const struct snapshot_info *a,
                        const struct snapshot_info *b)
{
    if (a->kind != b->kind || !str_equal(a->profile, b->profile) ||
        a->n_types != b->n_types)
        return false;
    for (size_t i = 0; i < a->n_types; i++) {
        if (!str_equal(a->types[i].name, b->types[i].name) ||
            !str_equal(a->types[i].unit, b->types[i].unit))
            return false;
    }
    return true;
}

/* The family of a snapshot, made when it is the first of its kind. */
static uint32_t find_family(struct families *families,
                            const struct snapshot_info *info)
{
    uint32_t i = 0;

    while (i < families->count && !counts_same(families->items[i].info, info))
        i++;
    if (i == families->count)
        families->items[families->count++].info = info;
    return i;
}

/* Puts the snapshots of one kind into families; the others are left. */
static bool add_kind(struct families *families,
                     const struct cprof_snapshots *snapshots,
                     enum profile_kind kind)
{
    uint32_t before = families->count;

    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        if (info->kind == kind && !info->is_proof)
            families->of[i] = find_family(families, info);
    }
    return families->count > before;
}

/* The profile before one that measures, of the same family and instance; NULL
 * when that is the first. */
static const struct snapshot_info *find_before(
    const struct families *families, const struct cprof_snapshots *snapshots,
    size_t of)
{
    struct str instance = snapshot_info_get(snapshots->items[of])->instance;

    for (size_t i = of; i-- > 0;) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        if (families->of[i] == families->of[of] && !info->is_proof &&
            str_equal(info->instance, instance))
            return info;
    }
    return NULL;
}

static void say_order(struct cprof_snapshots *snapshots,
                      const struct snapshot_info *before,
                      const struct snapshot_info *info)
{
    if (!before->taken_ns || !info->taken_ns ||
        before->taken_ns <= info->taken_ns)
        return;
    diag_add(&snapshots->diags, DIAG_WARNING, "time-order",
             (struct place){info->source.ptr, info->line, 0},
             "this profile is older than '" STR_FORMAT
             "', which stands before it (by the time in the profile); the "
             "order was kept (--sort time sorts)",
             STR_ARG(before->source));
}

/* Finds what the values of a comparison are compared with, and says where times
 * contradict the order. */
static void find_bases(struct families *families,
                       struct cprof_snapshots *snapshots)
{
    for (size_t i = 0; snapshots->is_series && i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);
        const struct snapshot_info *before;

        if (!profile_is_measured(info->kind) || !info->n_types)
            continue;
        before = find_before(families, snapshots, i);
        families->is_base[i] = !before;
        if (before)
            say_order(snapshots, before, info);
    }
}

bool families_init(struct families *families, struct arena *arena,
                   struct cprof_snapshots *snapshots)
{
    size_t n = snapshots->count;

    families->count = 0;
    families->items = arena_take_zero(arena, n * sizeof(*families->items));
    families->of = arena_take_zero(arena, n * sizeof(*families->of));
    families->is_base = arena_take_zero(arena, n + 1);
    if (!families->items || !families->of || !families->is_base)
        return false;
    if (!add_kind(families, snapshots, PROFILE_GOROUTINE))
        add_kind(families, snapshots, PROFILE_GOROUTINELEAK);
    for (size_t i = 0; i < n; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        if (!info->is_proof)
            families->of[i] = find_family(families, info);
    }
    find_bases(families, snapshots);
    if (n && !families->count) /* proof, and nothing that it is of */
        find_family(families, snapshot_info_get(snapshots->items[0]));
    return true;
}

static bool add_values(struct family *family, struct arena *arena,
                       const struct snapshot_info *info)
{
    size_t size = info->n_types * sizeof(*family->bases);

    if (!family->bases)
        family->bases = arena_take_zero(arena, size);
    if (!family->sums)
        family->sums = arena_take_zero(arena, size);
    if (!family->bases || !family->sums)
        return false;
    values_add(family->sums, info->totals, info->n_types);
    for (size_t i = 0; !family->befores && i < info->n_types; i++)
        values_add(&family->bases[i],
                   info->bases[i] ? &info->bases[i] : &info->magnitudes[i], 1);
    return true;
}

/* What a comparison begins with is also what shares are taken of, as
 * `pprof -diff_base` does it. */
static bool add_befores(struct family *family, struct arena *arena,
                        const struct snapshot_info *info)
{
    size_t size = info->n_types * sizeof(*family->bases);

    if (!family->bases)
        family->bases = arena_take_zero(arena, size);
    if (!family->befores)
        family->befores = arena_take_zero(arena, size);
    if (!family->bases || !family->befores)
        return false;
    values_add(family->befores, info->totals, info->n_types);
    values_add(family->bases, info->magnitudes, info->n_types);
    return true;
}

bool families_sum(struct families *families, struct arena *arena,
                  const struct cprof_snapshots *snapshots, const bool *judged)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        struct family *family = &families->items[families->of[i]];
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        family->n += !info->is_proof;
        if (families->is_base[i] && !add_befores(family, arena, info))
            return false;
        if (!judged[i])
            continue;
        family->last = info;
        family->n_judged++;
        family->goroutines = count_sum(
            family->goroutines,
            info->declared > info->total ? info->declared : info->total);
        if (info->n_types && !add_values(family, arena, info))
            return false;
    }
    return true;
}
