#include "cli/check_away.h"

#include "base/error.h"
#include "cli/check_memory.h"

static bool is_asked_for(const struct check *check, struct str instance)
{
    for (size_t i = 0; i < check->n_targets; i++) {
        if (str_equal(check->targets[i].outcome.instance, instance))
            return true;
    }
    return false;
}

/* Steps what is remembered of an instance, whose lock the caller has. */
static int step(struct check *check, struct str instance,
                struct check_target *ret, struct cprof_error *err)
{
    struct alerts before;
    int rc =
        check_memory_read(check->store, instance, &before, &check->arena, err);

    *ret = (struct check_target){.outcome = {
                                     .instance = instance,
                                     .address = instance,
                                     .is_away = true,
                                 }};
    if (rc == 0)
        rc = alerts_step_away(&ret->alerts, &before, check->now_ns,
                              &check->arena, err);
    if (rc == 0)
        rc = check_memory_write(check->store, instance, &ret->alerts, err);
    ret->is_remembered = rc == 0;
    return rc;
}

static int step_all(struct check *check, struct check_lock *lock,
                    struct cprof_error *err)
{
    struct str *names = NULL;
    size_t n = 0;
    int rc =
        store_alerts_instances(check->store, &check->arena, &names, &n, err);

    if (rc < 0)
        return rc;
    check->away = arena_take(&check->arena, n * sizeof(*check->away));
    if (!check->away)
        return error_memory(err, (struct place){0}, "judging");
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct cprof_error busy;

        if (is_asked_for(check, names[i]) ||
            check_lock_take(lock, names[i], &busy) < 0)
            continue;
        rc = step(check, names[i], &check->away[check->n_away], err);
        check->n_away += rc == 0;
    }
    return rc;
}

void check_away(struct check *check)
{
    /* One of its own: that of the run keeps its target. */
    struct check_lock lock = {-1, -1};
    struct cprof_error err = {0};
    int rc;

    if (!check->store)
        return;
    rc = check_lock_open(&lock, check->place.path, &err);
    if (rc == 0)
        rc = step_all(check, &lock, &err);
    if (rc < 0)
        error_print(&err);
    check_lock_close(&lock);
}
