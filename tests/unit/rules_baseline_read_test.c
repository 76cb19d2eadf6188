/* Baselines: what a file says, and what is wrong with one (baseline.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "rules/baseline.h"
#include "support/reporting.h"

#include <cmocka.h>

struct fixture {
    struct budget budget;
    struct baseline *baseline;
    struct cprof_error err;
    struct buf out;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));

    assert_non_null(fixture);
    budget_init(&fixture->budget, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    baseline_free(fixture->baseline);
    assert_int_equal(fixture->budget.used, 0);
    buf_done(&fixture->out);
    free(fixture);
    return 0;
}

/* Parses a baseline; "" when it is right, else "LINE:COLUMN: message". */
static const char *parse(struct fixture *fixture, const char *text)
{
    int rc;

    baseline_free(fixture->baseline);
    fixture->baseline = NULL;
    fixture->err = (struct cprof_error){0};
    rc = baseline_parse(&fixture->baseline, "b.yaml", str_from(text),
                        &fixture->budget, &fixture->err);
    buf_clear(&fixture->out);
    buf_add(&fixture->out, STR(""));
    if (rc == 0)
        return "";
    assert_int_equal(rc, CPROF_ERULE);
    assert_null(fixture->baseline);
    assert_string_equal(fixture->err.source, "b.yaml");
    buf_addf(&fixture->out, "%d:%d: %s", (int)fixture->err.line,
             (int)fixture->err.column, fixture->err.message);
    return fixture->out.ptr;
}

static void every_key_is_read(void **state)
{
    const struct baseline_entry *entry;

    assert_string_equal(parse(*state, "version: 1\n"
                                      "accept:\n"
                                      "  - rule: sends\n"
                                      "    site: main.(*q).put\n"
                                      "    signature: 0123abcd\n"
                                      "    ceiling: 60\n"
                                      "    reason: 'ticket #7: {known}'\n"
                                      "    expires: 2027-01-31\n"
                                      "  - {site: main.x, ceiling: 1}\n"),
                        "");
    assert_int_equal(baseline_count(((struct fixture *)*state)->baseline), 2);
    entry = baseline_entry(((struct fixture *)*state)->baseline, 0);
    assert_true(str_equal(entry->rule, STR("sends")));
    assert_true(str_equal(entry->site, STR("main.(*q).put")));
    assert_true(str_equal(entry->signature, STR("0123abcd")));
    assert_int_equal(entry->ceiling, 60);
    assert_true(str_equal(entry->reason, STR("ticket #7: {known}")));
    assert_true(str_equal(entry->expires, STR("2027-01-31")));
    assert_int_equal(entry->line, 3);
}

static void a_baseline_may_accept_nothing_and_be_json(void **state)
{
    assert_string_equal(parse(*state, "version: 1\naccept:\n"), "");
    assert_string_equal(parse(*state, "version: 1\naccept: []\n"), "");
    assert_string_equal(parse(*state, "{\"version\": 1, \"accept\": [{\"site\":"
                                      " \"main.x\", \"ceiling\": 3}]}"),
                        "");
}

static void every_mistake_has_its_place(void **state)
{
#define HEAD "version: 1\naccept:\n"
#define NO_SIGNATURE                                                           \
 "3:17: 'signature' must be 8 to 32 digits of 0-9 and a-f, as reports print "  \
 "them"
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"", "1:1: no baseline here, expected 'version: 1' and 'accept:'"},
        {"# only\n", "1:1: no baseline here, expected 'version: 1' and "
                     "'accept:'"},
        {"accept: []\n", "1:1: a baseline needs a key 'version'"},
        {"version: 1\n", "1:1: a baseline needs a key 'accept'"},
        {"version: 2\naccept: []\n",
         "1:10: this program knows 'version: 1' of baselines only"},
        {"version: 1\naccepted: []\n",
         "2:1: unknown key 'accepted' (did you mean 'accept'?)"},
        {"version: 1\naccept: {}\n",
         "2:9: 'accept' must be a list of entries, not a mapping"},
        {HEAD "  - sends\n",
         "3:5: an entry must be a mapping of keys to values, not a text"},
        {HEAD "  - {site: main.x}\n", "3:6: an entry needs a key 'ceiling'"},
        {HEAD "  - {rule: sends, ceiling: 3}\n",
         "3:5: an entry needs a key 'site' or 'signature'"},
        {HEAD "  - {site: main.x, ceiling: 0}\n",
         "3:29: 'ceiling' must be a number of goroutines, at least 1"},
        {HEAD "  - {site: main.x, ceiling: 1.5}\n",
         "3:29: 'ceiling' must be a number of goroutines, at least 1"},
        {HEAD "  - {site: main.x, ceiling: 3, owner: T}\n",
         "3:32: unknown key 'owner' in an entry, which knows rule, site, "
         "signature, ceiling, reason, expires"},
        {HEAD "  - {site: main.x, ceiling: 3, ceiling: 4}\n",
         "3:32: key 'ceiling' is given twice (first on line 3)"},
        {HEAD "  - {signature: 12345G78, ceiling: 3}\n", NO_SIGNATURE},
        {HEAD "  - {signature: \"0123\\04567\", ceiling: 3}\n", NO_SIGNATURE},
        {HEAD "  - {signature: 1234567, ceiling: 3}\n", NO_SIGNATURE},
        {HEAD "  - {site: main.x, ceiling: 3, expires: 2027-02-29}\n",
         "3:41: 'expires' must be the last day that counts, such as "
         "2027-01-31"},
        {HEAD "  - {site: main.x, ceiling: 3, expires: soon}\n",
         "3:41: 'expires' must be the last day that counts, such as "
         "2027-01-31"},
        {HEAD "  - {site: main.x, ceiling: 3, reason: \"a\\nb\"}\n",
         "3:40: 'reason' must fit one line"},
        {HEAD "  - {site: main.x, ceiling: 3}\n"
              "  - {site: main.x, ceiling: 4}\n",
         "4:5: this place was accepted before, on line 3"},
        {HEAD "  - &a {site: main.x, ceiling: 3}\n",
         "3:5: YAML anchors ('&name') are not read here; quote the text if it "
         "begins with this character"},
        {HEAD "  - {site: 'main.x\n", "3:12: this quote is never closed"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(parse(*state, rows[i].text), rows[i].want);
}

static void all_mistakes_are_said_at_once(void **state)
{
    struct fixture *fixture = *state;

    assert_string_equal(parse(fixture, HEAD "  - {site: main.x, ceiling: x}\n"
                                            "  - {rule: r, ceiling: 2}\n"),
                        "3:29: 'ceiling' must be a number of goroutines, at "
                        "least 1");
    text_has(fixture->err.detail, "3 |   - {site: main.x, ceiling: x}\n");
    text_has(fixture->err.detail,
             "\nb.yaml:4:5: an entry needs a key 'site' or 'signature'");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_key_is_read),
        TEST(a_baseline_may_accept_nothing_and_be_json),
        TEST(every_mistake_has_its_place),
        TEST(all_mistakes_are_said_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
