#include "cli/notifications.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/addresses.h"
#include "cli/secret_file.h"
#include "http/libcurl.h"
#include "notify/delivery.h"
#include "notify/textfile.h"

enum {
    RECEIVERS_MOST = NOTIFY_MOST + N_NOTIFIERS,
    CONNECT_MS = 5000,
    RETRIES = 3,
    ANSWER_MOST = 65536,
};

struct notifications {
    const struct notify_arguments *arguments;
    bool is_folder; /* --textfile names one */
    struct receiver receivers[RECEIVERS_MOST];
    size_t n_receivers;
    uint32_t kinds; /* bits of the kinds of receivers */
};

/* --- Options -------------------------------------------------------------- */

static int add_receiver(struct notify_arguments *arguments, unsigned kind,
                        const char *value, struct cprof_error *err)
{
    if (arguments->n_given == NOTIFY_MOST)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "there are more than %d receivers of alerts",
                         NOTIFY_MOST);
    arguments->given[arguments->n_given].kind = kind;
    arguments->given[arguments->n_given++].value = value;
    return 0;
}

int notify_option_set(struct notify_arguments *arguments, const char *name,
                      const char *value, struct cprof_error *err)
{
    const struct {
        const char *name;
        const char **field;
    } texts[] = {{"textfile", &arguments->textfile},
                 {"pagerduty-url", &arguments->pagerduty_url},
                 {"notify-cacert", &arguments->cacert},
                 {"notify-cert", &arguments->cert},
                 {"notify-key", &arguments->key}};
    struct str wanted = str_from(name);

    for (unsigned kind = 0; kind < N_NOTIFIERS; kind++) {
        if (str_equal(wanted, str_from(notifiers[kind].option)))
            return add_receiver(arguments, kind, value, err);
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (str_equal(wanted, str_from(texts[i].name))) {
            *texts[i].field = value;
            return 0;
        }
    }
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no option --%.100s", name);
}

/* --- Taking in ------------------------------------------------------------ */

/* Counts in a receiver that was made, unless that failed. */
static int count(struct notifications *notifications, unsigned kind, int rc)
{
    if (rc == 0) {
        notifications->n_receivers++;
        notifications->kinds |= 1u << kind;
    }
    return rc;
}

static int take(struct notifications *notifications, unsigned kind,
                struct str text, const char *where, struct cprof_error *err)
{
    return count(
        notifications, kind,
        receiver_parse(&notifications->receivers[notifications->n_receivers],
                       (enum notifier_kind)kind, text, where,
                       notifications->arguments->pagerduty_url, err));
}

/* A file that is gone, or empty for a moment, is no reason not to look. */
static int take_absent(struct notifications *notifications, unsigned kind,
                       const struct cprof_error *why, struct cprof_error *err)
{
    error_print(why);
    return count(
        notifications, kind,
        receiver_absent(&notifications->receivers[notifications->n_receivers],
                        (enum notifier_kind)kind, err));
}

static bool is_blank(struct str text)
{
    while (text.len && strchr(" \t\r\n", text.ptr[0]))
        text = str_skip(text, 1);
    return !text.len;
}

static int take_file(struct notifications *notifications, unsigned kind,
                     const char *path, struct cprof_error *err)
{
    struct secret_file file;
    struct cprof_error why = {0};
    struct str text;
    int rc = secret_file_read(&file, path, &why);

    text = (struct str){file.bytes, rc == 0 ? file.len : 0};
    if (rc == 0 && is_blank(text))
        rc = error_set(&why, CPROF_EIO, (struct place){path, 0, 0},
                       "expected an address or a key, and there is nothing");
    rc = rc < 0 ? take_absent(notifications, kind, &why, err)
                : take(notifications, kind, text, path, err);
    explicit_bzero(&file, sizeof(file));
    return rc;
}

/* An address in the arguments, which everybody can read. */
static int take_open(struct notifications *notifications, unsigned kind,
                     const char *value, struct cprof_error *err)
{
    struct str text = str_from(value);

    if (str_find(text, '@') < text.len || str_find(text, '?') < text.len)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "--%s: an address with credentials or a query belongs "
                         "into a file, --%s @FILE, because arguments are for "
                         "everybody to read",
                         notifiers[kind].option, notifiers[kind].option);
    return take(notifications, kind, text, "--alertmanager", err);
}

static int take_given(struct notifications *notifications, unsigned kind,
                      const char *value, struct cprof_error *err)
{
    if (kind != NOTIFY_ALERTMANAGER)
        return take_file(notifications, kind, value, err);
    return value[0] == '@' ? take_file(notifications, kind, value + 1, err)
                           : take_open(notifications, kind, value, err);
}

static int take_all(struct notifications *notifications,
                    struct cprof_error *err)
{
    const struct notify_arguments *arguments = notifications->arguments;
    uint32_t given;
    int rc = 0;

    for (size_t i = 0; i < arguments->n_given && rc == 0; i++)
        rc = take_given(notifications, arguments->given[i].kind,
                        arguments->given[i].value, err);
    given = notifications->kinds;
    for (unsigned kind = 0; kind < N_NOTIFIERS && rc == 0; kind++) {
        const char *value = getenv(notifiers[kind].variable);

        if (value && value[0] && !(given & 1u << kind))
            rc = take(notifications, kind, str_from(value),
                      notifiers[kind].variable, err);
    }
    return rc;
}

/* A folder, or a file that node_exporter would read. What is not there is taken
 * for a folder that is gone: writing says so. */
static int check_textfile(struct notifications *notifications,
                          struct cprof_error *err)
{
    const char *path = notifications->arguments->textfile;
    struct stat about;

    if (!path)
        return 0;
    if (stat(path, &about) < 0)
        notifications->is_folder = !str_ends(str_from(path), STR(".prom"));
    else
        notifications->is_folder = S_ISDIR(about.st_mode);
    if (notifications->is_folder || str_ends(str_from(path), STR(".prom")))
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){path, 0, 0},
                     "--textfile takes a folder, or a file whose name ends in "
                     ".prom");
}

int notifications_new(struct notifications **ret,
                      const struct arguments *arguments,
                      struct cprof_error *err)
{
    struct notifications *notifications = calloc(1, sizeof(*notifications));
    int rc;

    if (!notifications)
        return error_memory(err, (struct place){0}, "reading receivers");
    notifications->arguments = &arguments->notify;
    rc = check_textfile(notifications, err);
    if (rc == 0)
        rc = take_all(notifications, err);
    if (rc < 0) {
        notifications_free(notifications);
        return rc;
    }
    if (!notifications->n_receivers && !notifications->arguments->textfile) {
        notifications_free(notifications);
        notifications = NULL;
    }
    *ret = notifications;
    return 0;
}

void notifications_free(struct notifications *notifications)
{
    if (!notifications)
        return;
    for (size_t i = 0; i < notifications->n_receivers; i++)
        receiver_done(&notifications->receivers[i]);
    free(notifications);
}

/* --- The textfile --------------------------------------------------------- */

/* Hands on a text that is there (a produce_fn). */
static int produce_text(const void *product, cprof_write_fn *write, void *user,
                        struct cprof_error *err)
{
    const struct buf *text = product;

    if (text->len && write(user, text->ptr, text->len) != 0)
        return error_set(err, CPROF_EIO, (struct place){0}, "cannot write");
    return 0;
}

static void add_path(struct buf *path,
                     const struct notifications *notifications,
                     const struct outcome *outcome)
{
    buf_add(path, str_from(notifications->arguments->textfile));
    if (!notifications->is_folder)
        return;
    buf_add_char(path, '/');
    textfile_add_name(path, outcome);
}

/* A target stands in one file: that of a run over it alone, which may have been
 * before, goes. */
static void remove_others(const struct notifications *notifications,
                          const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->n_targets; i++) {
        struct buf path = {0};

        buf_addf(&path, "%s/", notifications->arguments->textfile);
        textfile_add_name_of(&path, outcome, &outcome->targets[i]);
        if (!path.failed)
            unlink(path.ptr);
        buf_done(&path);
    }
}

/* Says so where the folder itself is not there. */
static int check_folder(const struct notifications *notifications,
                        struct cprof_error *err)
{
    const char *path = notifications->arguments->textfile;
    struct stat about;

    if (!notifications->is_folder || stat(path, &about) == 0)
        return 0;
    return error_system(err, (struct place){path, 0, 0},
                        "cannot write metrics into this folder");
}

static int write_textfile(const struct notifications *notifications,
                          const struct outcome *outcome, const uint32_t *unsent,
                          struct cprof_error *err)
{
    enum { READABLE = 0644 };
    struct undelivered undelivered = {unsent, notifications->kinds};
    struct buf path = {0};
    struct buf text = {0};
    int rc = check_folder(notifications, err);

    add_path(&path, notifications, outcome);
    textfile_write(&text, outcome, &undelivered);
    if (path.failed || text.failed)
        rc = error_memory(err, (struct place){0}, "writing metrics");
    else if (rc == 0)
        rc = file_write(path.ptr, READABLE, produce_text, &text, err);
    if (rc == 0 && notifications->is_folder && outcome->n_targets > 1)
        remove_others(notifications, outcome);
    buf_done(&path);
    buf_done(&text);
    return rc;
}

/* --- Receivers ------------------------------------------------------------ */

static void print_failure(void *user, const struct cprof_error *err)
{
    (void)user;
    error_print(err);
}

static struct http_options http_options_of(const struct notify_arguments *from)
{
    return (struct http_options){.connect_ms = CONNECT_MS,
                                 .retries = RETRIES,
                                 .max_bytes = ANSWER_MOST,
                                 .max_memory = ANSWER_MOST,
                                 .folder = "/tmp",
                                 .cacert = from->cacert,
                                 .cert = from->cert,
                                 .key = from->key,
                                 .now_ms = progress_now_ms};
}

static size_t post_all(struct notifications *notifications,
                       const struct outcome *outcome, uint32_t *unsent,
                       uint64_t most_ms)
{
    struct http_options options = http_options_of(notifications->arguments);
    struct curl_api api;
    struct delivery delivery = {.api = &api,
                                .options = &options,
                                .most_ms = most_ms,
                                .receivers = notifications->receivers,
                                .n_receivers = notifications->n_receivers,
                                .failed = print_failure};
    struct cprof_error err = {0};

    /* Also when there is nothing to tell: it has to be known before. */
    if (libcurl_load(&api, libcurl_files, "telling a receiver of alerts", "",
                     &err) < 0) {
        delivery_refuse(&delivery, outcome, unsent);
        error_print(&err);
        return 1;
    }
    return delivery_run(&delivery, outcome, unsent);
}

/* Sends with a mask for each alert. */
static size_t send(struct notifications *notifications,
                   const struct outcome *outcome, uint32_t *unsent,
                   uint64_t most_ms)
{
    struct cprof_error err = {0};
    size_t n_failed = 0;
    int rc = 0;

    /* The metrics are written before a receiver can let wait for it, and again
     * with what it could not be told. */
    if (notifications->arguments->textfile)
        rc = write_textfile(notifications, outcome, unsent, &err);
    if (notifications->n_receivers) {
        n_failed = post_all(notifications, outcome, unsent, most_ms);
        if (notifications->arguments->textfile && rc == 0)
            rc = write_textfile(notifications, outcome, unsent, &err);
    }
    if (rc < 0) {
        error_print(&err);
        n_failed++;
    }
    return n_failed;
}

size_t notifications_send(struct notifications *notifications,
                          const struct outcome *outcome, uint32_t *unsent,
                          uint64_t most_ms)
{
    uint32_t *own = NULL;
    struct cprof_error err = {0};
    size_t n_failed;

    if (!notifications)
        return 0;
    if (!unsent)
        own = calloc(outcome->n_alerts + 1, sizeof(*own));
    if (!unsent && !own) {
        error_memory(&err, (struct place){0}, "telling receivers");
        error_print(&err);
        return 1;
    }
    n_failed = send(notifications, outcome, unsent ? unsent : own, most_ms);
    free(own);
    return n_failed;
}
