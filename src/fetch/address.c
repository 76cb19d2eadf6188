#include "fetch/address.h"

#include <stdlib.h>
#include <sys/un.h>

/* What the system has room for, without the zero at its end. */
enum { SOCKET_MOST = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1 };

/* A shorter value of a query guards nothing, and stands in too many words. */
enum { VALUE_LEAST = 4 };

/* An address, taken apart; slices of the text. */
struct parts {
    struct str scheme;    /* "http" or "https" */
    struct str authority; /* "host:port" */
    struct str socket;    /* path; empty = none */
    struct str path;      /* "" or "/..." */
    struct str query;     /* "" or "?..." */
};

static const struct str profiles_at = STR_INIT("/debug/pprof");
static const struct str goroutines_at = STR_INIT("/goroutine");

static bool is_host_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' ||
           (unsigned char)c >= 0x80; /* names of other scripts */
}

/* An address of IPv6, with a zone perhaps: "fe80::1%25eth0". */
static bool is_numeric_char(char c)
{
    return is_host_char(c) || c == ':' || c == '%';
}

/* Cuts "[...]" or a name, which may be empty, off *text. */
static bool cut_host(struct str *text)
{
    size_t n = 0;

    if (str_cut_prefix(text, STR("["))) {
        while (n < text->len && is_numeric_char(text->ptr[n]))
            n++;
        *text = str_skip(*text, n);
        return n > 0 && str_cut_prefix(text, STR("]"));
    }
    while (n < text->len && is_host_char(text->ptr[n]))
        n++;
    *text = str_skip(*text, n);
    return true;
}

static bool cut_port(struct str *text)
{
    uint64_t port;

    return str_cut_prefix(text, STR(":")) && str_cut_decimal(text, &port) &&
           port >= 1 && port <= 65535;
}

/* "HOST:PORT" or ":PORT", and perhaps a path behind it. */
static bool is_bare(struct str text)
{
    return cut_host(&text) && cut_port(&text) &&
           (!text.len || text.ptr[0] == '/' || text.ptr[0] == '?');
}

/* Cuts "http://" or "https://" in either case off *text; *ret_scheme is the
 * word in lower case. */
static bool cut_scheme(struct str *text, struct str *ret_scheme)
{
    static const struct str schemes[] = {STR_INIT("https"), STR_INIT("http")};

    for (size_t i = 0; i < 2; i++) {
        size_t n = 0;

        while (n < schemes[i].len && n < text->len &&
               (text->ptr[n] | 0x20) == schemes[i].ptr[n])
            n++;
        if (n == schemes[i].len && str_starts(str_skip(*text, n), STR("://"))) {
            *text = str_skip(*text, n + 3);
            *ret_scheme = schemes[i];
            return true;
        }
    }
    return false;
}

bool address_looks(struct str text, bool *ret_is_sure)
{
    struct str scheme;
    struct str rest = text;

    *ret_is_sure = cut_scheme(&rest, &scheme) || str_starts(text, STR("unix:"));
    return *ret_is_sure || is_bare(text);
}

/* The first of the two bytes in text, or its length. */
static size_t find_either(struct str text, char a, char b)
{
    size_t at_a = str_find(text, a);
    size_t at_b = str_find(text, b);

    return at_a < at_b ? at_a : at_b;
}

/* What stands behind the host. A fragment is not for the server. */
static void split_path(struct parts *parts, struct str text)
{
    size_t n;

    text = str_head(text, str_find(text, '#'));
    n = str_find(text, '?');
    parts->path = str_head(text, n);
    parts->query = str_skip(text, n);
}

/* "/path/to/socket" or "/path/to/socket:/debug/pprof/". */
static void split_socket(struct parts *parts, struct str text)
{
    size_t n = str_search(text, STR(":/"));

    parts->scheme = STR("http");
    parts->authority = STR("localhost");
    parts->socket = str_head(text, n);
    split_path(parts, str_skip(text, n + 1));
}

static struct parts split(struct str text)
{
    struct parts parts = {.scheme = STR("http")};
    size_t n;

    if (str_cut_prefix(&text, STR("unix:"))) {
        split_socket(&parts, text);
        return parts;
    }
    cut_scheme(&text, &parts.scheme);
    n = find_either(text, '/', '?');
    parts.authority = str_head(text, n);
    split_path(&parts, str_skip(text, n));
    return parts;
}

/* Whether a text can stand in a request: no blank, no control byte. */
static bool is_printable(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f)
            return false;
    }
    return true;
}

/* Cuts off what stands before the last "@" of a text, or, where there is none,
 * before the last that is percent-encoded. False when there is neither. */
static bool cut_user(struct str *text, struct str *ret_user)
{
    size_t n = str_rfind(*text, '@');
    struct str rest = str_skip(*text, n + 1);
    bool is_there = n < text->len;

    for (size_t i = 0; !is_there && i + 3 <= text->len; i++) {
        if (str_starts(str_skip(*text, i), STR("%40"))) {
            n = i;
            rest = str_skip(*text, i + 3);
        }
    }
    if (n == text->len)
        return false;
    *ret_user = str_head(*text, n);
    *text = rest;
    return true;
}

/* "HOST" or "HOST:PORT". */
static bool is_authority(struct str text)
{
    return text.len && cut_host(&text) &&
           (!text.len || (cut_port(&text) && !text.len));
}

/* "the address of HOST", without the host where what stands behind the user is
 * none: that may be a part of the password. */
static void add_subject(struct buf *buf, struct str text)
{
    struct str user;

    cut_user(&text, &user);
    text = str_head(text, find_either(text, '/', '?'));
    buf_add(buf, STR("the address"));
    if (is_authority(text))
        buf_addf(buf, " of " STR_FORMAT, STR_ARG(text));
}

static int refuse(struct buf *why, struct cprof_error *err)
{
    int rc =
        why->failed
            ? error_memory(err, (struct place){0}, "reading an address")
            : error_set(err, CPROF_EUSAGE, (struct place){0}, "%s", why->ptr);

    buf_done(why);
    return rc;
}

/* Shows only what stands behind the user. */
static int refuse_user(struct str text, struct cprof_error *err)
{
    struct buf why = {0};

    add_subject(&why, text);
    buf_add(&why,
            STR(" holds a user or password, which others can read in the list "
                "of processes: use --user-file or CPROF_LEAKS_USER"));
    return refuse(&why, err);
}

/* The length of "word://" that a text begins with, or 0. */
static size_t scheme_length(struct str text)
{
    size_t n = 0;

    while (n < text.len && (is_host_char(text.ptr[n]) || text.ptr[n] == '+'))
        n++;
    return n && str_starts(str_skip(text, n), STR("://")) ? n + 3 : 0;
}

/* The first colon, as it is or percent-encoded, or the length. */
static size_t find_colon(struct str text)
{
    size_t n = str_find(text, ':');
    size_t lower = str_search(text, STR("%3a"));
    size_t upper = str_search(text, STR("%3A"));

    n = lower < n ? lower : n;
    return upper < n ? upper : n;
}

/* Whether "USER:PASSWORD@HOST" or "TOKEN@HOST:PORT" is what a text holds, be it
 * behind "//": a path has its slash before, and a file of that form is one that
 * is there. */
static bool has_user(struct str text)
{
    size_t slashes = str_search(text, STR("//"));
    struct str host;
    struct str user;

    if (slashes < find_colon(text))
        text = str_skip(text, slashes + 2);
    while (str_cut_prefix(&text, STR("/")))
        continue;
    host = text;
    if (!cut_user(&host, &user) || str_find(text, '/') < find_colon(text))
        return false;
    host = str_head(host, find_either(host, '/', '?'));
    return find_colon(user) < user.len ||
           (str_find(host, ':') < host.len && is_authority(host));
}

int address_refuse(const char *text, struct cprof_error *err)
{
    struct str all = str_from(text);
    size_t n = scheme_length(all);
    struct buf why = {0};

    if (!n)
        return has_user(all) ? refuse_user(all, err) : 0;
    add_subject(&why, str_skip(all, n));
    buf_addf(&why,
             " begins with " STR_FORMAT
             ", and only http://, https:// and unix: are asked",
             STR_ARG(str_head(all, n)));
    return refuse(&why, err);
}

static int check(const struct parts *parts, const char *text,
                 struct cprof_error *err)
{
    struct str all = str_from(text);
    struct str rest = all;
    struct str user;
    bool is_good = is_authority(parts->authority);

    /* A password may hold a slash, which then seems to end the host. */
    if (str_find(parts->authority, '@') < parts->authority.len ||
        (!is_good && cut_user(&rest, &user)))
        return refuse_user(all, err);
    if (!is_printable(parts->path) || !is_printable(parts->query))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "the address of " STR_FORMAT
                         " holds a blank or a control character: write a blank "
                         "as %%20",
                         STR_ARG(parts->authority));
    if (str_starts(all, STR("unix:")) && !parts->socket.len)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "the address '%.200s' names no socket: expected "
                         "unix:/run/api.sock",
                         text);
    if (!is_good)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "'" STR_FORMAT
                         "' is no address: expected http://HOST:PORT/PATH, "
                         "HOST:PORT or unix:SOCKET",
                         STR_ARG(str_head(all, str_find(all, '?'))));
    return 0;
}

/* Whether the key of a "KEY=VALUE" is one of net/http/pprof's. */
static bool is_plain_pair(struct str pair)
{
    static const struct str keys[] = {STR_INIT("debug="), STR_INIT("gc="),
                                      STR_INIT("seconds="),
                                      STR_INIT("sample_index=")};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (str_starts(pair, keys[i]))
            return true;
    }
    return false;
}

/* Whether every key of a query is. */
static bool is_plain_query(struct str query)
{
    query = str_skip(query, 1);
    while (query.len) {
        size_t n = str_find(query, '&');

        if (!is_plain_pair(str_head(query, n)))
            return false;
        query = str_skip(query, n + 1);
    }
    return true;
}

/* As it stands in the request, and as a server may say it that has read it. */
static void add_secret(struct redaction *secrets, struct str text)
{
    struct buf decoded = {0};

    percent_decode(&decoded, text);
    redaction_add(secrets, text);
    if (!str_equal(buf_str(&decoded), text))
        redaction_add(secrets, buf_str(&decoded));
    secrets->failed |= decoded.failed;
    buf_done(&decoded);
}

void address_add_secrets(struct redaction *secrets, struct str url)
{
    struct str query;

    url = str_head(url, str_find(url, '#'));
    query = str_skip(url, str_find(url, '?'));
    if (is_plain_query(query))
        return;
    query = str_skip(query, 1);
    add_secret(secrets, query);
    while (query.len) {
        struct str pair = str_head(query, str_find(query, '&'));
        size_t equals = str_find(pair, '=');
        struct str value =
            equals < pair.len ? str_skip(pair, equals + 1) : pair;

        if (value.len >= VALUE_LEAST && !is_plain_pair(pair))
            add_secret(secrets, value);
        query = str_skip(query, pair.len + 1);
    }
}

void address_add_shown(struct buf *buf, struct str url)
{
    struct str scheme;
    struct str rest = url;
    size_t n;

    if (cut_scheme(&rest, &scheme)) {
        buf_add(buf, scheme);
        buf_add(buf, STR("://"));
    }
    n = find_either(rest, '/', '?');
    if (str_rfind(str_head(rest, n), '@') < n)
        rest = str_skip(rest, str_rfind(str_head(rest, n), '@') + 1);
    rest = str_head(rest, str_find(rest, '#'));
    n = str_find(rest, '?');
    buf_add(buf, str_head(rest, n));
    if (is_plain_query(str_skip(rest, n)))
        buf_add(buf, str_skip(rest, n));
    else
        buf_add(buf, STR("?..."));
}

/* The path that is asked for, completed. */
static void add_path(struct buf *buf, struct str path)
{
    struct str stem = path;

    str_cut_suffix(&stem, STR("/"));
    if (!stem.len) {
        buf_add(buf, profiles_at);
        buf_add(buf, goroutines_at);
    } else if (str_ends(stem, STR("/pprof"))) {
        buf_add(buf, stem);
        buf_add(buf, goroutines_at);
    } else {
        buf_add(buf, path);
    }
}

static void add_host(struct buf *buf, const struct parts *parts)
{
    if (parts->authority.len && parts->authority.ptr[0] == ':')
        buf_add(buf, STR("localhost"));
    buf_add(buf, parts->authority);
}

static void add_url(struct buf *buf, const struct parts *parts, int debug)
{
    buf_add(buf, parts->scheme);
    buf_add(buf, STR("://"));
    add_host(buf, parts);
    add_path(buf, parts->path);
    if (parts->query.len)
        buf_add(buf, parts->query);
    else if (debug > 0)
        buf_addf(buf, "?debug=%d", debug);
}

/* goroutineleak stands beside goroutine (runtime/pprof/pprof.go: profiles); as
 * text it names what it proves. */
static void add_leak_url(struct buf *buf, struct str url)
{
    struct str stem = str_head(url, str_find(url, '?'));

    if (!str_ends(stem, goroutines_at))
        return;
    buf_add(buf, stem);
    buf_add(buf, STR("leak?debug=1"));
}

/* How messages call a URL: by its socket, if it has one. */
static void add_name(struct buf *buf, struct str url, struct str socket)
{
    struct buf shown = {0};
    struct str rest;

    address_add_shown(&shown, url);
    rest = buf_str(&shown);
    if (socket.len) {
        buf_addf(buf, "unix:" STR_FORMAT ":", STR_ARG(socket));
        rest = str_skip(rest, strlen("http://"));
        rest = str_skip(rest, str_find(rest, '/'));
    }
    buf_add(buf, rest);
    buf->failed |= shown.failed;
    buf_done(&shown);
}

/* Hands the text over to a field; an empty one becomes NULL. */
static bool take(char **ret, struct buf *buf)
{
    bool ok = !buf->failed;
    bool is_used = ok && buf->len;

    *ret = is_used ? buf->ptr : NULL;
    if (!is_used)
        buf_done(buf);
    *buf = (struct buf){0};
    return ok;
}

/* The socket that is asked through; empty = none. */
static struct str socket_of(const struct parts *parts,
                            const struct address_options *options)
{
    return parts->socket.len ? parts->socket : str_from(options->socket);
}

/* libcurl would say of a longer path that the host has no address. */
static int check_socket(struct str socket, struct cprof_error *err)
{
    if (socket.len <= SOCKET_MOST)
        return 0;
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "the path of the socket has %zu bytes, and the system "
                     "takes %d: name it by a shorter link, or from a folder "
                     "nearer to it ('" STR_FORMAT "...')",
                     socket.len, SOCKET_MOST, STR_ARG(str_head(socket, 60)));
}

static bool fill(struct address *address, const struct parts *parts,
                 const struct address_options *options)
{
    struct buf buf = {0};
    struct str socket = socket_of(parts, options);
    bool ok;

    add_url(&buf, parts, options->debug);
    ok = take(&address->url, &buf);
    add_leak_url(&buf, str_from(address->url));
    ok = take(&address->leak_url, &buf) && ok;
    add_name(&buf, str_from(address->url), socket);
    ok = take(&address->name, &buf) && ok;
    if (address->leak_url)
        add_name(&buf, str_from(address->leak_url), socket);
    ok = take(&address->leak_name, &buf) && ok;
    buf_add(&buf, socket);
    ok = take(&address->socket, &buf) && ok;
    if (parts->socket.len)
        buf_add(&buf, socket);
    else
        add_host(&buf, parts);
    return take(&address->instance, &buf) && ok;
}

int address_parse(struct address *ret, const char *text,
                  const struct address_options *options,
                  struct cprof_error *err)
{
    struct parts parts = split(str_from(text));
    struct address address = {0};
    int rc = check(&parts, text, err);

    if (rc == 0)
        rc = check_socket(socket_of(&parts, options), err);
    if (rc < 0)
        return rc;
    if (!fill(&address, &parts, options)) {
        address_done(&address);
        return error_memory(err, (struct place){0}, "reading an address");
    }
    *ret = address;
    return 0;
}

void address_done(struct address *address)
{
    free(address->url);
    free(address->leak_url);
    free(address->socket);
    free(address->name);
    free(address->leak_name);
    free(address->instance);
    *address = (struct address){0};
}
