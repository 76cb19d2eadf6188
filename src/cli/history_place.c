#include "cli/history_place.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"

enum { SERVICE_LONGEST = 128 };

/* A variable that holds an absolute path, else NULL. */
static const char *folder_in(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] == '/' ? value : NULL;
}

/* Appends the folder of histories; false when nothing tells it. systemd writes
 * several folders with a colon between them: the first is taken. */
static bool add_default_folder(struct buf *path)
{
    const char *state = folder_in("STATE_DIRECTORY");
    const char *xdg = folder_in("XDG_STATE_HOME");
    const char *home = folder_in("HOME");

    if (state)
        buf_add(path,
                str_head(str_from(state), str_find(str_from(state), ':')));
    else if (geteuid() == 0)
        buf_add(path, STR("/var/lib/cprof-leaks"));
    else if (xdg)
        buf_addf(path, "%s/cprof-leaks", xdg);
    else if (home)
        buf_addf(path, "%s/.local/state/cprof-leaks", home);
    return path->len != 0;
}

/* The name becomes that of a file, stands in alerts and in messages, and is
 * followed by '@' and '#' where snapshots are named (history_spec.h). */
static int check_service(const char *service, struct cprof_error *err)
{
    struct str name = str_from(service);
    bool is_good =
        name.len && name.len <= SERVICE_LONGEST && name.ptr[0] != '.';

    for (size_t i = 0; is_good && i < name.len; i++)
        is_good = (unsigned char)name.ptr[i] >= ' ' && name.ptr[i] != 0x7f &&
                  !chars_have("/@#", name.ptr[i]);
    if (is_good)
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "'%.100s' cannot be the name of a service: it takes 1 to "
                     "%d bytes without '/', '@', '#' and control characters, "
                     "and does not begin with '.'",
                     service, SERVICE_LONGEST);
}

/* The name that a file gives its service. */
static struct str service_of(const char *file)
{
    struct str name = str_from(file);
    size_t slash = str_rfind(name, '/');

    if (slash < name.len)
        name = str_skip(name, slash + 1);
    str_cut_suffix(&name, STR(".db"));
    return name;
}

static char *copy(struct str text)
{
    struct buf buf = {0};

    buf_add(&buf, text);
    if (buf.failed)
        buf_done(&buf);
    return buf.ptr;
}

static int find_path(struct history_place *place, const char *file,
                     struct cprof_error *err)
{
    struct buf path = {0};

    place->is_default = !file;
    if (!file && !add_default_folder(&path))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "nothing tells where histories lie: HOME is not set; "
                         "name the file with --history");
    if (file)
        buf_add(&path, str_from(file));
    else
        buf_addf(&path, "/%s.db", place->service);
    if (path.failed)
        buf_done(&path);
    place->path = path.ptr;
    return 0;
}

int history_place_find(struct history_place *ret, const char *file,
                       const char *service, struct cprof_error *err)
{
    int rc;

    *ret = (struct history_place){0};
    ret->service = copy(service ? str_from(service)
                        : file  ? service_of(file)
                                : STR(HISTORY_SERVICE));
    if (!ret->service)
        return error_memory(err, (struct place){0}, "starting");
    rc = check_service(ret->service, err);
    if (rc == 0)
        rc = find_path(ret, file, err);
    if (rc == 0 && !ret->path)
        rc = error_memory(err, (struct place){0}, "starting");
    if (rc < 0)
        history_place_done(ret);
    return rc;
}

/* Makes the folder that the first len bytes of path name, unless it is
 * there. */
static int make_folder(char *path, size_t len, struct cprof_error *err)
{
    char end = path[len];
    int rc = 0;

    path[len] = '\0';
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        rc = error_system(err, (struct place){path, 0, 0},
                          "cannot make the folder of histories");
    path[len] = end;
    return rc;
}

int history_place_make(const struct history_place *place,
                       struct cprof_error *err)
{
    int rc = 0;

    for (size_t i = 1; place->is_default && rc == 0 && place->path[i]; i++) {
        if (place->path[i] == '/')
            rc = make_folder(place->path, i, err);
    }
    return rc;
}

void history_place_done(struct history_place *place)
{
    free(place->service);
    free(place->path);
    *place = (struct history_place){0};
}
