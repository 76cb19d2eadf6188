#include "fetch/answer.h"

#include "fetch/address.h"

enum { LOOK_MOST = 1024, QUOTE_MOST = 100, ADDRESS_MOST = 160 };

struct cause {
    long from; /* the lowest and the highest status that fit */
    long to;
    struct str text; /* what stands in the body; "" = anything */
    const char *message;
};

/* The first line that fits holds. */
static const struct cause causes[] = {
    {400, 400, STR_INIT("HTTP request to an HTTPS server"),
     "the server speaks TLS: ask by https://"},
    {400, 400, STR_INIT("HTTP request was sent to HTTPS port"),
     "the server speaks TLS: ask by https://"},
    {400, 400, STR_INIT(""), "the server does not understand the request"},
    {401, 401, STR_INIT(""),
     "the server wants to know who asks: --user-file or --bearer-file"},
    {403, 403, STR_INIT(""),
     "who asks may not see profiles: check the rights, or ask the program "
     "itself"},
    {404, 404, STR_INIT("Unknown profile"),
     "the program has no profile of that name (goroutineleak needs Go 1.27, or "
     "1.26 with GOEXPERIMENT=goroutineleakprofile)"},
    {404, 404, STR_INIT(""),
     "the server has no profiles there: import net/http/pprof in the program, "
     "or check the path and the port"},
    {405, 405, STR_INIT(""), "this path takes no GET: check it"},
    {407, 407, STR_INIT(""),
     "the proxy wants to know who asks: check http_proxy and no_proxy"},
    {429, 429, STR_INIT(""), "the server is asked too often"},
    {300, 399, STR_INIT(""), "the server redirects and does not say where"},
    {500, 501, STR_INIT(""), "the server failed: its log says why"},
    {502, 504, STR_INIT(""),
     "a proxy in front of the program answers for it: check that the program "
     "runs, or ask the program itself"},
    {520, 599, STR_INIT(""),
     "a proxy in front of the program answers for it: check that the program "
     "runs, or ask the program itself"},
};

enum { N_CAUSES = sizeof(causes) / sizeof(causes[0]) };

static const char not_sent[] =
    "credentials go along to the same host only: where this is another one "
    "that may have them, ask it by its own address";
static const char refused[] =
    "the server does not take these credentials: check the file or variable "
    "that they come from";

/* The head of a body. */
struct head {
    char bytes[LOOK_MOST];
    struct str text;
};

static void read_head(struct head *head, const struct http_answer *answer)
{
    head->text = (struct str){head->bytes, spool_peek(answer->body, head->bytes,
                                                      sizeof(head->bytes))};
}

bool answer_is_unknown_profile(const struct http_answer *answer)
{
    struct head head;

    read_head(&head, answer);
    return answer->status == 404 &&
           str_contains(head.text, STR("Unknown profile"));
}

/* The first line that is not blank. */
static struct str first_line(struct str text)
{
    struct str line = {0};

    while (text.len && !line.len) {
        size_t n = str_find(text, '\n');

        line = str_trim(str_head(text, n));
        text = str_skip(text, n + 1);
    }
    return line;
}

static const char *find_cause(const struct http_answer *answer, struct str body,
                              bool has_credentials)
{
    long status = answer->status;

    if ((status == 401 || status == 403) && has_credentials)
        return answer->is_redirected ? not_sent : refused;
    for (size_t i = 0; i < N_CAUSES; i++) {
        if (status >= causes[i].from && status <= causes[i].to &&
            str_contains(body, causes[i].text))
            return causes[i].message;
    }
    return "this is no profile: check the path and the port";
}

/* Appends where redirects led to, if they did. */
static void add_way(struct buf *buf, const struct http_answer *answer)
{
    struct buf shown = {0};

    if (!answer->is_redirected)
        return;
    address_add_shown(&shown, str_from(answer->url));
    buf_addf(buf, "redirected to " STR_FORMAT ": ",
             STR_ARG(str_head(buf_str(&shown), ADDRESS_MOST)));
    buf->failed |= shown.failed;
    buf_done(&shown);
}

static void add_refusal(struct buf *buf, const struct http_answer *answer,
                        const struct redaction *secrets, bool has_credentials)
{
    struct head head;
    struct buf line = {0};

    read_head(&head, answer);
    redaction_hide(&line, secrets, first_line(head.text));
    add_way(buf, answer);
    buf_addf(buf, "the server answered with status %ld", answer->status);
    if (line.len)
        buf_addf(buf, ", '" STR_FORMAT "'",
                 STR_ARG(str_head(buf_str(&line), QUOTE_MOST)));
    buf_addf(buf, ": %s", find_cause(answer, head.text, has_credentials));
    buf->failed |= line.failed;
    buf_done(&line);
}

int answer_check(const struct http_answer *answer, const char *name,
                 const struct redaction *secrets, bool has_credentials,
                 struct cprof_error *err)
{
    struct place place = {name, 0, 0};
    struct buf buf = {0};
    int rc;

    if (answer->status >= 200 && answer->status <= 299 && answer->body->size)
        return 0;
    if (answer->status >= 200 && answer->status <= 299) {
        add_way(&buf, answer);
        buf_addf(&buf,
                 "the server answered with status %ld and no body: check that "
                 "this path serves a profile",
                 answer->status);
    } else {
        add_refusal(&buf, answer, secrets, has_credentials);
    }
    rc = buf.failed ? error_memory(err, place, "reading an answer")
                    : error_set(err, CPROF_EIO, place, "%s", buf.ptr);
    buf_done(&buf);
    return rc;
}
