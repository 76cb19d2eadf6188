#include "cli/addresses.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/history_spec.h"
#include "fetch/fetch.h"
#include "fetch/targets.h"
#include "http/libcurl.h"
#include "model/collection.h"
#include "model/options.h"

/* One address of the run. */
struct item {
    const char *text; /* as it was written */
    struct address address;
    size_t request;                   /* the number that fetch gave it */
    bool was_read;                    /* its dump is among the snapshots */
    const struct target_group *group; /* with its labels; NULL = no target */
};

struct addresses {
    struct curl_api api;
    struct secrets secrets;
    struct progress progress;
    struct fetch *fetch;
    struct targets targets;
    const struct cprof_options *options;
    const char *unix_socket; /* of all addresses; NULL = none */
    struct item *items;
    size_t count;
};

bool address_is(const char *input)
{
    bool is_sure;

    if (history_is(input))
        return false;
    if (!address_looks(str_from(input), &is_sure))
        return false;
    return is_sure || access(input, F_OK) != 0;
}

/* Ages, and who started whom, are in debug=2 only. */
static int debug_of(const struct arguments *arguments)
{
    const struct cprof_options *options = arguments->options;

    if (arguments->address.debug == ADDRESS_DEBUG_UNSET &&
        (options->min_age_s || options->tree))
        return 2;
    return arguments->address.debug;
}

static struct address_options options_of(const struct arguments *arguments)
{
    return (struct address_options){.debug = debug_of(arguments),
                                    .socket = arguments->address.unix_socket};
}

int addresses_check_path(const char *input, struct cprof_error *err)
{
    if (address_is(input) || history_is(input) || access(input, F_OK) == 0)
        return 0;
    return address_refuse(input, err);
}

int addresses_check(const struct arguments *arguments, struct cprof_error *err)
{
    struct address_options options = options_of(arguments);
    struct address address;
    int rc = 0;

    for (size_t i = 0; i < arguments->n_inputs && rc == 0; i++) {
        if (!address_is(arguments->inputs[i])) {
            rc = addresses_check_path(arguments->inputs[i], err);
            continue;
        }
        rc = address_parse(&address, arguments->inputs[i], &options, err);
        if (rc == 0)
            address_done(&address);
    }
    return rc;
}

/* The name that a list of targets gives an instance, or NULL. */
static const char *label_of(const struct item *item)
{
    return item->group ? target_label(item->group, "instance") : NULL;
}

/* Adds an address; group is NULL for one that is no target. */
static int add(struct addresses *addresses, const struct arguments *arguments,
               const char *text, const struct target_group *group,
               struct cprof_error *err)
{
    struct address_options options = options_of(arguments);
    struct item *items =
        realloc(addresses->items, (addresses->count + 1) * sizeof(*items));
    struct item *item;
    int rc;

    if (!items)
        return error_memory(err, (struct place){0}, "reading addresses");
    addresses->items = items;
    item = &items[addresses->count];
    *item = (struct item){.text = text, .group = group};
    rc = address_parse(&item->address, text, &options, err);
    if (rc == 0)
        addresses->count++;
    return rc;
}

/* Says in which file the address stands that an error is about. */
static void blame(struct cprof_error *err, const char *path)
{
    struct cprof_error said = *err;

    error_set(err, said.code, (struct place){path, 0, 0}, "%s", said.message);
}

static int add_targets(struct addresses *addresses,
                       const struct arguments *arguments,
                       struct cprof_error *err)
{
    struct targets *targets = &addresses->targets;
    const char *path = arguments->address.targets;
    int rc = targets_read(targets, path, err);

    for (size_t i = 0; i < targets->count && rc == 0; i++) {
        const struct target *target = &targets->items[i];

        rc = add(addresses, arguments, target->address,
                 &targets->groups[target->group], err);
        if (rc < 0)
            blame(err, path);
    }
    return rc;
}

static int add_all(struct addresses *addresses,
                   const struct arguments *arguments, struct cprof_error *err)
{
    int rc = 0;

    for (size_t i = 0; i < arguments->n_inputs && rc == 0; i++) {
        if (address_is(arguments->inputs[i]))
            rc = add(addresses, arguments, arguments->inputs[i], NULL, err);
    }
    if (rc == 0 && arguments->address.targets)
        rc = add_targets(addresses, arguments, err);
    return rc;
}

const char *addresses_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && folder[0] ? folder : "/tmp";
}

/* NULL for an empty text. */
static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static struct http_options http_options_of(struct addresses *addresses,
                                           const struct arguments *arguments)
{
    const struct address_arguments *from = &arguments->address;
    size_t most = arguments->options->max_memory;

    return (struct http_options){
        .connect_ms = from->connect_timeout_s * 1000,
        .total_ms = from->timeout_s * 1000,
        .until_ms = from->until_ms,
        .least_ms = from->least_ms,
        .retries = from->retries,
        .max_bytes = from->max_download,
        .max_memory = (most ? most : BUDGET_DEFAULT) / HTTP_AHEAD,
        .folder = addresses_temporary_folder(),
        .cacert = from->cacert,
        .cert = from->cert,
        .key = from->key,
        .insecure = from->insecure,
        .user = or_null(addresses->secrets.user),
        .bearer = or_null(addresses->secrets.bearer),
        .now_ms = progress_now_ms,
        .progress = progress_show,
        .user_data = &addresses->progress,
    };
}

/* Loads libcurl and hands the requests over. */
static int prepare(struct addresses *addresses,
                   const struct arguments *arguments, struct cprof_error *err)
{
    struct http_options options;
    int rc = secrets_read(&addresses->secrets, &arguments->address, err);

    if (rc == 0)
        rc = libcurl_load(&addresses->api, libcurl_files, "an address",
                          ", or fetch the dump by other means and give the "
                          "file",
                          err);
    if (rc < 0)
        return rc;
    addresses->progress = progress_begin(arguments);
    options = http_options_of(addresses, arguments);
    rc = fetch_new(&addresses->fetch, &addresses->api, &options, err);
    for (size_t i = 0; i < addresses->count && rc == 0; i++)
        rc = fetch_add(addresses->fetch, &addresses->items[i].address,
                       FETCH_PROFILE, &addresses->items[i].request, err);
    return rc;
}

int addresses_new(struct addresses **ret, const struct arguments *arguments,
                  struct cprof_error *err)
{
    struct addresses *addresses = calloc(1, sizeof(*addresses));
    int rc;

    if (!addresses)
        return error_memory(err, (struct place){0}, "reading addresses");
    addresses->options = arguments->options;
    addresses->unix_socket = arguments->address.unix_socket;
    rc = add_all(addresses, arguments, err);
    if (rc == 0 && addresses->count)
        rc = prepare(addresses, arguments, err);
    if (rc < 0) {
        addresses_free(addresses);
        return rc;
    }
    if (!addresses->count) {
        addresses_free(addresses);
        addresses = NULL;
    }
    *ret = addresses;
    return 0;
}

void addresses_free(struct addresses *addresses)
{
    if (!addresses)
        return;
    fetch_free(addresses->fetch);
    for (size_t i = 0; i < addresses->count; i++)
        address_done(&addresses->items[i].address);
    free(addresses->items);
    targets_done(&addresses->targets);
    free(addresses);
}

size_t addresses_count(const struct addresses *addresses)
{
    return addresses ? addresses->count : 0;
}

static int64_t now_ns(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Labels that begin with "__" are instructions, not descriptions. */
static void describe(struct snapshot *snapshot,
                     const struct target_group *group)
{
    struct label *labels = calloc(group->n_labels + 1, sizeof(*labels));
    size_t n = 0;

    for (size_t i = 0; labels && i < group->n_labels; i++) {
        const struct target_label *label = &group->labels[i];

        if (!str_starts(str_from(label->key), STR("__")))
            labels[n++] =
                (struct label){str_from(label->key), str_from(label->value)};
    }
    if (n)
        snapshot_set_labels(snapshot, labels, n);
    free(labels);
}

/* Of several addresses each is an instance, unless its answer is a log that
 * names instances of its own. A single one is not named, so that it can be
 * compared with files that were fetched from it before. A goroutine profile
 * that does not tell its moment was made when it was asked for. */
static void claim(const struct addresses *addresses, const struct item *item,
                  struct cprof_snapshots *snapshots, size_t first)
{
    const char *given = addresses->options->instance;
    const char *label = label_of(item);
    int64_t now = now_ns();

    for (size_t i = first; i < snapshots->count; i++) {
        struct snapshot_info *info = snapshot_info(snapshots->items[i]);
        bool is_named =
            info->instance.len && !str_equal(info->instance, str_from(given));

        if (!info->taken_ns && item->address.leak_url)
            info->taken_ns = now;
        if (!is_named && (addresses->count > 1 || label))
            info->instance =
                snapshot_copy(snapshots->items[i],
                              str_from(label ? label : item->address.instance));
        if (item->group)
            describe(snapshots->items[i], item->group);
    }
}

const struct address *addresses_get(const struct addresses *addresses,
                                    size_t index)
{
    return &addresses->items[index].address;
}

const struct target_group *addresses_group(const struct addresses *addresses,
                                           size_t index)
{
    return addresses->items[index].group;
}

int addresses_read(struct addresses *addresses, size_t index,
                   struct cprof_snapshots *snapshots, struct capture *capture,
                   struct cprof_error *err)
{
    struct item *item = &addresses->items[index];
    size_t first = snapshots->count;
    struct source source;
    int rc = fetch_open(addresses->fetch, item->request, &source, NULL, err);

    progress_clear(&addresses->progress);
    if (rc == 0) {
        if (capture)
            source = capture_source(capture, source);
        rc = cprof_snapshots_read(snapshots, item->address.name, source.read,
                                  source.user, err);
        if (rc < 0)
            fetch_hide(addresses->fetch, err);
        if (rc == CPROF_EFORMAT)
            fetch_say_way(addresses->fetch, item->request, err);
    }
    fetch_drop(addresses->fetch, item->request);
    if (rc < 0)
        return rc;
    claim(addresses, item, snapshots, first);
    item->was_read = true;
    return 0;
}

static int read_leaks(struct addresses *addresses, const struct item *item,
                      struct cprof_snapshots *snapshots,
                      struct cprof_error *err)
{
    const char *name = item->address.leak_name;
    bool is_absent = false;
    struct source source;
    int rc =
        fetch_open(addresses->fetch, item->request, &source, &is_absent, err);

    progress_clear(&addresses->progress);
    if (rc == 0) {
        rc = cprof_snapshots_read_leaks_from(snapshots, name, source.read,
                                             source.user, err);
        if (rc < 0)
            fetch_hide(addresses->fetch, err);
    } else if (is_absent) {
        rc = 0;
        diag_add(&snapshots->diags, DIAG_WARNING, "no-leak-profile",
                 (struct place){name, 0, 0},
                 "the program has no goroutineleak profile, so nothing can be "
                 "proven: it needs Go 1.27, or 1.26 with "
                 "GOEXPERIMENT=goroutineleakprofile");
    }
    fetch_drop(addresses->fetch, item->request);
    return rc;
}

int addresses_read_leak(struct addresses *addresses, size_t index,
                        struct cprof_snapshots *snapshots,
                        struct cprof_error *err)
{
    struct item *item = &addresses->items[index];
    int rc = fetch_add(addresses->fetch, &item->address, FETCH_LEAKS,
                       &item->request, err);

    return rc == 0 ? read_leaks(addresses, item, snapshots, err) : rc;
}

/* Reads a source into a spool, as far as it may. */
static int spool_source(struct spool *into, struct source *source,
                        uint64_t most, const char *name,
                        struct cprof_error *err)
{
    char bytes[16384];
    ptrdiff_t n = 0;

    while (into->size < most &&
           (n = source->read(source->user, bytes, sizeof(bytes))) > 0) {
        uint64_t rest = most - into->size;

        if (!spool_add(into, bytes, (uint64_t)n < rest ? (size_t)n : rest))
            n = -1;
    }
    return n < 0 ? error_system(err, (struct place){name, 0, 0}, "cannot keep")
                 : 0;
}

int addresses_fetch_stacks(struct addresses *addresses, size_t index,
                           struct spool *into, uint64_t most,
                           struct cprof_error *err)
{
    const struct item *item = &addresses->items[index];
    struct address_options options = {2, addresses->unix_socket};
    struct address address;
    struct source source;
    size_t number = 0;
    int rc = address_parse(&address, item->text, &options, err);

    if (rc < 0)
        return rc;
    if (str_equal(str_from(address.url), str_from(item->address.url)))
        rc = error_set(err, CPROF_EUSAGE, (struct place){address.name, 0, 0},
                       "the address says what is asked for");
    if (rc == 0)
        rc = fetch_add(addresses->fetch, &address, FETCH_PROFILE, &number, err);
    if (rc == 0) {
        rc = fetch_open(addresses->fetch, number, &source, NULL, err);
        progress_clear(&addresses->progress);
        if (rc == 0)
            rc = spool_source(into, &source, most, address.name, err);
        fetch_drop(addresses->fetch, number);
    }
    address_done(&address);
    return rc;
}

size_t addresses_read_leaks(struct addresses *addresses,
                            struct cprof_snapshots *snapshots)
{
    size_t failed = 0;

    for (size_t i = 0; i < addresses_count(addresses); i++) {
        struct item *item = &addresses->items[i];
        struct cprof_error err = {0};

        if (item->was_read &&
            fetch_add(addresses->fetch, &item->address, FETCH_LEAKS,
                      &item->request, &err) < 0) {
            error_print(&err);
            item->was_read = false;
            failed++;
        }
    }
    for (size_t i = 0; i < addresses_count(addresses); i++) {
        struct cprof_error err = {0};

        if (addresses->items[i].was_read &&
            read_leaks(addresses, &addresses->items[i], snapshots, &err) < 0) {
            error_print(&err);
            failed++;
        }
    }
    return failed;
}
