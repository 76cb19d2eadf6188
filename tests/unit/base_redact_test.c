/* What is taken out of quotes, and what stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/redact.h"

#include <cmocka.h>

static void hides(const struct redaction *secrets, const char *text,
                  const char *shown)
{
    struct buf buf = {0};

    redaction_hide(&buf, secrets, str_from(text));
    assert_string_equal(buf.ptr, shown);
    buf_done(&buf);
}

static void a_token_goes_in_every_spelling(void **state)
{
    struct redaction secrets = {0};

    (void)state;
    redaction_add(&secrets, STR("t0k3n/of+nobody"));
    hides(&secrets, "Authorization: Bearer t0k3n/of+nobody.",
          "Authorization: Bearer ***.");
    hides(&secrets, "t0k3n%2Fof%2bnobody", "***");
    hides(&secrets, "%74%30k3n/of%2Bnobody", "***");
    hides(&secrets, "cut off: t0k3n/of+n", "cut off: ***");
    hides(&secrets, "t0k3n alone", "t0k3n alone");
    redaction_done(&secrets);
}

static void a_user_goes_whole_and_in_parts(void **state)
{
    struct redaction secrets = {0};

    (void)state;
    redaction_add_user(&secrets, STR("bob:hunter2"));
    hides(&secrets, "bob:hunter2", "***");
    hides(&secrets, "bob has hunter2", "bob has ***");
    hides(&secrets, "Basic Ym9iOmh1bnRlcjI=", "Basic ***=");
    hides(&secrets, "nothing of it", "nothing of it");
    redaction_done(&secrets);
}

static void nothing_is_quoted_where_memory_ran_out(void **state)
{
    struct redaction secrets = {.failed = true};

    (void)state;
    hides(&secrets, "anything", "***");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_goes_in_every_spelling),
        cmocka_unit_test(a_user_goes_whole_and_in_parts),
        cmocka_unit_test(nothing_is_quoted_where_memory_ran_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
