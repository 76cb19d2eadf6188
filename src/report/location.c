#include "report/location.h"

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* If file is below the folder root, cuts root and the slash behind it off.
 * Dumps of Windows have slashes of both kinds. */
static bool cut_root(struct str *file, struct str root)
{
    while (root.len && is_slash(root.ptr[root.len - 1]))
        root.len--;
    if (file->len <= root.len || !is_slash(file->ptr[root.len]))
        return false;
    for (size_t i = 0; i < root.len; i++) {
        if (file->ptr[i] != root.ptr[i] &&
            !(is_slash(file->ptr[i]) && is_slash(root.ptr[i])))
            return false;
    }
    *file = str_skip(*file, root.len + 1);
    return true;
}

/* What stands behind the root of a "ROOT=PATH", or an empty text. */
static struct str mapped_to(struct str *root)
{
    size_t at = str_rfind(*root, '=');
    struct str to = str_skip(*root, at + 1);

    *root = str_head(*root, at);
    while (to.len && is_slash(to.ptr[to.len - 1]))
        to.len--;
    return to;
}

/* "services/api" and "queue.go" with a slash between, and no backslash. A
 * Windows path is known by its drive. */
static struct str join(struct str folder, struct str file, bool is_windows,
                       struct arena *scratch)
{
    size_t n = folder.len ? folder.len + 1 : 0;
    char *path;

    if (!n && !is_windows)
        return file;
    path = arena_take(scratch, n + file.len + 1);
    if (!path)
        return file;
    if (n) {
        memcpy(path, folder.ptr, folder.len);
        path[n - 1] = '/';
    }
    memcpy(path + n, file.ptr, file.len);
    for (size_t i = n; is_windows && i < n + file.len; i++)
        path[i] = path[i] == '\\' ? '/' : path[i];
    return (struct str){path, n + file.len};
}

struct str source_path(const struct cprof_report *report, struct str file,
                       struct arena *scratch, bool *ret_is_own)
{
    const struct option_list *roots = &report_options(report)->source_root;
    bool is_windows = file.len > 2 && file.ptr[1] == ':';
    struct str folder = {0};
    struct str rest = file;

    *ret_is_own = false;
    for (size_t i = 0; i < roots->count; i++) {
        struct str root = str_from(roots->values[i]);
        struct str to = mapped_to(&root);
        struct str below = file;

        if (!cut_root(&below, root) || below.len >= rest.len)
            continue;
        rest = below;
        folder = to;
        *ret_is_own = true;
    }
    return join(folder, rest, is_windows, scratch);
}

struct location location_of(const struct cprof_report *report,
                            const struct code_place *place,
                            struct arena *scratch)
{
    struct location location = {.place = *place};

    location.path = source_path(report, place->file, scratch, &location.is_own);
    return location;
}

/* Whether a path is of code that was copied from elsewhere. */
static bool is_vendored(struct str path)
{
    return str_starts(path, STR("vendor/")) ||
           str_contains(path, STR("/vendor/"));
}

/* The first frame of the user's own code, or one without a function. */
static struct location own_frame(const struct cprof_report *report,
                                 const struct group_view *view,
                                 struct arena *scratch)
{
    struct location vendored = {0};

    for (size_t i = 0; i < view->n_frames; i++) {
        struct location location =
            location_of(report, &view->frames[i], scratch);

        if (location.is_own && !is_vendored(location.path))
            return location;
        if (location.is_own && !vendored.is_own)
            vendored = location;
    }
    return vendored;
}

struct location location_of_finding(const struct cprof_report *report,
                                    const struct finding_view *finding,
                                    const struct group_view *view,
                                    struct arena *scratch)
{
    struct location site = location_of(report, &finding->site, scratch);
    struct location own;

    if (!view || (site.is_own && !is_vendored(site.path)))
        return site;
    own = own_frame(report, view, scratch);
    if (!own.is_own)
        own = location_of(report, &view->created_by, scratch);
    if (own.is_own)
        return own;
    if (!site.place.function.len && view->site >= 0)
        return location_of(report, &view->frames[view->site], scratch);
    return site;
}
