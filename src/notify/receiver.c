#include "notify/receiver.h"

#include <stdlib.h>

#include "base/redact.h"

/* Words of a secret that are shorter guard nothing, and stand in too many
 * innocent texts. */
enum { WORD_LEAST = 6 };

const char receiver_pagerduty_url[] = "https://events.pagerduty.com/v2/enqueue";

static int wrong(struct cprof_error *err, const char *where,
                 const char *expected)
{
    return error_set(err, CPROF_EUSAGE, (struct place){where, 0, 0},
                     "expected %s", expected);
}

/* An address, taken apart. */
struct parts {
    struct str host; /* with its port, without credentials */
    struct str rest; /* path and query */
};

static bool split(struct str url, struct parts *ret)
{
    struct str authority;
    size_t end = 0;

    if (!str_cut_prefix(&url, STR("https://")) &&
        !str_cut_prefix(&url, STR("http://")))
        return false;
    while (end < url.len && url.ptr[end] != '/' && url.ptr[end] != '?' &&
           url.ptr[end] != '#')
        end++;
    authority = str_head(url, end);
    ret->rest = str_skip(url, end);
    ret->host = authority;
    if (str_rfind(authority, '@') < authority.len)
        ret->host = str_skip(authority, str_rfind(authority, '@') + 1);
    return ret->host.len && ret->host.ptr[0] != ':';
}

/* Printable ASCII, and what is none but no control character either. */
static bool is_printable(struct str text, bool with_blanks)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c < ' ' || c == 0x7f || (c == ' ' && !with_blanks))
            return false;
    }
    return true;
}

static char *copy(struct str text, const char *more)
{
    struct buf buf = {0};

    buf_add(&buf, text);
    buf_add(&buf, str_from(more));
    if (!buf.failed)
        return buf.ptr;
    buf_done(&buf);
    return NULL;
}

/* The address of a form that has a path of its own: "http://am:9093" is as good
 * as what it leads to. */
static char *complete(struct str url, const struct parts *parts,
                      const struct notifier *notifier)
{
    if (!notifier->path || str_find(parts->rest, '?') < parts->rest.len ||
        str_ends(parts->rest, str_from(notifier->path)))
        return copy(url, "");
    while (url.len && url.ptr[url.len - 1] == '/')
        url.len--;
    return copy(url, notifier->path);
}

static int set_address(struct receiver *receiver, struct str url,
                       const char *where, struct cprof_error *err)
{
    const struct notifier *notifier = &notifiers[receiver->kind];
    struct parts parts;
    struct buf name = {0};

    if (!is_printable(url, false) || !split(url, &parts))
        return wrong(err, where,
                     "an address that begins with https:// or http://");
    buf_addf(&name, "%s (" STR_FORMAT ")", notifier->name, STR_ARG(parts.host));
    receiver->name = name.ptr;
    receiver->url = complete(url, &parts, notifier);
    if (name.failed || !receiver->url)
        return error_memory(err, (struct place){where, 0, 0},
                            "reading a receiver");
    return 0;
}

/* PagerDuty has the key in the message, and one address for everybody. */
static int set_key(struct receiver *receiver, struct str key, const char *where,
                   const char *url, struct cprof_error *err)
{
    if (!is_printable(key, false) || str_find(key, ':') < key.len)
        return wrong(err, where,
                     "an integration key of Events API v2, without blanks");
    receiver->key = copy(key, "");
    if (!receiver->key)
        return error_memory(err, (struct place){where, 0, 0},
                            "reading a receiver");
    return set_address(receiver, str_from(url ? url : receiver_pagerduty_url),
                       url ? "--pagerduty-url" : where, err);
}

static int add_field(struct receiver *receiver, struct str field,
                     const char *where, struct cprof_error *err)
{
    size_t n = 0;

    while (receiver->fields[n])
        n++;
    if (n > RECEIVER_FIELDS)
        return wrong(err, where, "at most 8 fields of the header");
    if (!is_printable(field, true) || str_find(field, ':') == 0 ||
        str_find(field, ':') == field.len ||
        !is_printable(str_head(field, str_find(field, ':')), false))
        return wrong(err, where,
                     "fields of the header, 'Name: value', in the lines behind "
                     "the first");
    receiver->fields[n] = copy(field, "");
    if (!receiver->fields[n])
        return error_memory(err, (struct place){where, 0, 0},
                            "reading a receiver");
    return 0;
}

static int parse(struct receiver *receiver, struct str text, const char *where,
                 const char *url, struct cprof_error *err)
{
    bool is_first = true;
    int rc = add_field(receiver,
                       STR("Content-Type: application/json; charset=utf-8"),
                       where, err);

    while (text.len && rc == 0) {
        size_t n = str_find(text, '\n');
        struct str line = str_trim(str_head(text, n));

        text = str_skip(text, n + 1);
        if (!line.len)
            continue;
        if (!is_first)
            rc = add_field(receiver, line, where, err);
        else if (notifiers[receiver->kind].is_key)
            rc = set_key(receiver, line, where, url, err);
        else
            rc = set_address(receiver, line, where, err);
        is_first = false;
    }
    if (rc == 0 && is_first)
        rc = wrong(err, where, "an address or a key, and there is nothing");
    return rc;
}

int receiver_parse(struct receiver *ret, enum notifier_kind kind,
                   struct str text, const char *where, const char *url,
                   struct cprof_error *err)
{
    struct receiver receiver = {.kind = kind};
    int rc = parse(&receiver, text, where, url, err);

    if (rc < 0)
        receiver_done(&receiver);
    else
        *ret = receiver;
    return rc;
}

int receiver_absent(struct receiver *ret, enum notifier_kind kind,
                    struct cprof_error *err)
{
    *ret =
        (struct receiver){.kind = kind, .name = strdup(notifiers[kind].name)};
    return ret->name
               ? 0
               : error_memory(err, (struct place){0}, "reading receivers");
}

static void wipe(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

void receiver_done(struct receiver *receiver)
{
    wipe(receiver->url);
    wipe(receiver->key);
    free(receiver->name);
    for (size_t i = 0; i < RECEIVER_FIELDS + 2; i++)
        wipe(receiver->fields[i]);
    *receiver = (struct receiver){0};
}

/* --- Hiding --------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
}

/* Cuts the next run of word characters off *text; empty at the end. What stands
 * between is not part of a word: a server may decode "%2F" before it quotes
 * an address. */
static struct str next_word(struct str *text)
{
    struct str word;
    size_t n = 0;

    while (text->len && !is_word_char(text->ptr[0]))
        *text = str_skip(*text, text->ptr[0] == '%' ? 3 : 1);
    while (n < text->len && is_word_char(text->ptr[n]))
        n++;
    word = str_head(*text, n);
    *text = str_skip(*text, n);
    return word;
}

/* Adds every word of a secret that guards something. */
static void add_words(struct redaction *redaction, struct str secret)
{
    while (secret.len) {
        struct str word = next_word(&secret);

        if (word.len >= WORD_LEAST)
            redaction_add(redaction, word);
    }
}

/* The same of a part of an address, which stands as it is in the request and
 * decoded in what a server may say of it. */
static void add_part(struct redaction *redaction, struct str part)
{
    struct buf decoded = {0};

    percent_decode(&decoded, part);
    add_words(redaction, part);
    add_words(redaction, buf_str(&decoded));
    redaction->failed |= decoded.failed;
    buf_done(&decoded);
}

/* "NAME:PASSWORD" of an address, as libcurl decodes it for the header. */
static void add_user(struct redaction *redaction, struct str user)
{
    struct buf decoded = {0};

    percent_decode(&decoded, user);
    redaction_add_user(redaction, buf_str(&decoded));
    redaction->failed |= decoded.failed;
    buf_done(&decoded);
}

/* The path and query of an address as far as they may be secret: not what its
 * form always has, nor PagerDuty's, whose secret is a key. */
static struct str secret_path(const struct receiver *receiver,
                              const struct parts *parts)
{
    struct str rest = parts->rest;

    if (notifiers[receiver->kind].is_key)
        return (struct str){0};
    str_cut_suffix(&rest, str_from(notifiers[receiver->kind].path));
    return rest;
}

/* Of an address everything is secret but its scheme and host, of the header all
 * values. */
static struct redaction secrets_of(const struct receiver *receiver)
{
    struct str url = str_from(receiver->url);
    struct redaction secrets = {0};
    struct parts parts = {0};

    add_words(&secrets, str_from(receiver->key));
    if (split(url, &parts)) {
        struct str user = str_head(url, (size_t)(parts.host.ptr - url.ptr));

        user = str_skip(user, str_search(url, STR("://")) + 3);
        str_cut_suffix(&user, STR("@"));
        add_part(&secrets, user);
        add_user(&secrets, user);
        add_part(&secrets, secret_path(receiver, &parts));
    }
    for (size_t i = 1; receiver->fields[0] && receiver->fields[i]; i++) {
        struct str field = str_from(receiver->fields[i]);

        field = str_trim(str_skip(field, str_find(field, ':') + 1));
        add_part(&secrets, field);
    }
    return secrets;
}

void receiver_hide(struct buf *buf, const struct receiver *receiver,
                   struct str text)
{
    struct redaction secrets = secrets_of(receiver);

    redaction_hide(buf, &secrets, text);
    redaction_done(&secrets);
}
