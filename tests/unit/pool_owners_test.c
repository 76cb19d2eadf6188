/* pool_owners.h: who has the connections of a pool, and circles through it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/made_dump.h"

#include <cmocka.h>

/* Goroutines that wait for a transaction in main.order, line 25. */
static void add_waiters(unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        MADE_GOROUTINE(first + i, "select", "database/sql.(*DB).conn() 1369",
                       "database/sql.(*DB).begin() 1847",
                       "database/sql.(*DB).BeginTx() 1824",
                       "database/sql.(*DB).Begin() 1838", "main.order() 25",
                       "main.serve() 9");
}

/* One beside each open transaction. */
static void add_open(unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        MADE_GOROUTINE(first + i, "chan receive",
                       "database/sql.(*Tx).awaitDone() 2187");
}

/* One with a transaction that queries the pool. */
static void add_nested(unsigned id)
{
    MADE_GOROUTINE(id, "select", "database/sql.(*DB).conn() 1369",
                   "database/sql.(*DB).query() 1749",
                   "database/sql.(*DB).QueryContext() 1732",
                   "database/sql.(*DB).QueryRow() 1750", "main.number() 50",
                   "main.order() 34", "main.serve() 9");
}

static const char nested[] =
    "medium\ngoroutine 2 in main.order (m.go:34) holds a database/sql "
    "connection, waits for another one, and nobody else has one\n";

static void a_pool_whose_users_all_want_another_is_a_circle(void **state)
{
    (void)state;
    add_open(1, 1);
    add_nested(2);
    add_waiters(10, 5);
    assert_string_equal(made_circles(), nested);
}

static void several_that_want_another_are_told_as_that(void **state)
{
    (void)state;
    add_open(1, 2);
    add_nested(3);
    add_nested(4);
    add_waiters(10, 5);
    assert_string_equal(
        made_circles(),
        "medium\n2 goroutines in main.order (m.go:34) hold a database/sql "
        "connection each, wait for another one, and nobody else has one\n");
}

/* What may give a connection back. */
static void add_other(unsigned which)
{
    switch (which) {
    case 0: /* a transaction of somebody else */
        add_open(30, 1);
        break;
    case 1: /* a query that is answered one day */
        MADE_GOROUTINE(30, "IO wait", "driver.read() 80",
                       "database/sql.ctxDriverQuery() 40",
                       "database/sql.(*DB).queryDC() 1776",
                       "database/sql.(*DB).query() 1760", "main.list() 12");
        break;
    case 2: /* one who reads rows */
        MADE_GOROUTINE(30, "IO wait", "driver.read() 80",
                       "database/sql.(*Rows).nextLocked() 3000",
                       "database/sql.(*Rows).Next() 2980", "main.list() 14");
        break;
    default: /* one who makes a connection */
        MADE_GOROUTINE(30, "IO wait", "driver.read() 80", "driver.Open() 56",
                       "database/sql.dsnConnector.Connect() 759",
                       "database/sql.(*DB).conn() 1393",
                       "database/sql.(*DB).query() 1749",
                       "database/sql.(*DB).Query() 1750", "main.list() 12");
        break;
    }
}

static void who_may_give_one_back_opens_the_circle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        made_anew();
        add_open(1, 1);
        add_nested(2);
        add_waiters(10, 5);
        add_other(i);
        assert_string_equal(made_circles(), "");
    }
}

/* Who is behind the line of another pool, too, is asked about the one that it
 * waits for. */
static void a_place_of_another_pool_hides_nothing(void **state)
{
    (void)state;
    add_open(1, 1);
    MADE_GOROUTINE(2, "select", "database/sql.(*DB).conn() 1369",
                   "database/sql.(*DB).query() 1749",
                   "database/sql.(*DB).QueryRow() 1750", "main.number() 50",
                   "main.order() 34", "main.cached() 77", "main.serve() 9");
    MADE_GOROUTINE(3, "select",
                   "github.com/gomodule/redigo/redis.(*Pool).waitVacantConn() "
                   "400",
                   "github.com/gomodule/redigo/redis.(*Pool).Get() 190",
                   "main.cached() 70", "main.serve() 9");
    add_waiters(10, 5);
    assert_string_equal(made_circles(), nested);
}

/* A result set says nothing of who has a transaction. */
static void rows_are_not_those_of_who_began(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "select", "database/sql.(*Rows).awaitDone() 2900");
    add_nested(2);
    add_waiters(10, 5);
    assert_string_equal(made_circles(), "");
}

/* One keeps a lock and queries; those who have the connections want it. */
static void add_lock_and_pool(void)
{
    MADE_GOROUTINE(3, "select", "database/sql.(*DB).conn() 1369",
                   "database/sql.(*DB).query() 1749",
                   "database/sql.(*DB).QueryContext() 1732",
                   "database/sql.(*DB).QueryRow() 1750",
                   "main.(*cache).Get(0xc000010000) 75", "main.serve() 9");
    for (unsigned i = 4; i < 8; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       "main.(*cache).Get(0xc000010000) 72", "main.serve() 9");
    for (unsigned i = 8; i < 10; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       "main.(*cache).Drop(0xc000010000) 90", "main.order() 38",
                       "main.serve() 9");
    add_waiters(10, 5);
}

static void a_lock_and_a_pool_are_a_circle(void **state)
{
    (void)state;
    add_open(1, 2);
    add_lock_and_pool();
    assert_string_equal(
        made_circles(),
        "medium\ngoroutine 3 in (*cache).Get (m.go:75) holds sync.Mutex "
        "0xc000010000, waits for a database/sql connection, held by\none of 2 "
        "goroutines in main.order (m.go:38) holds a database/sql connection, "
        "waits for sync.Mutex 0xc000010000, held by goroutine 3\n");
}

static void with_another_transaction_they_are_none(void **state)
{
    (void)state;
    add_open(1, 1);
    add_open(30, 2);
    add_lock_and_pool();
    assert_string_equal(made_circles(), "");
}

static void who_makes_a_connection_is_told(void **state)
{
    (void)state;
    add_waiters(10, 5);
    add_other(3);
    assert_string_equal(made_held_at("main.order"),
                        "1 goroutine dials and has no database/sql connection "
                        "yet: 1 in driver.Open (m.go:56), IO wait at "
                        "driver.read (m.go:80)");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pool_whose_users_all_want_another_is_a_circle),
        TEST(several_that_want_another_are_told_as_that),
        TEST(who_may_give_one_back_opens_the_circle),
        TEST(a_place_of_another_pool_hides_nothing),
        TEST(rows_are_not_those_of_who_began),
        TEST(a_lock_and_a_pool_are_a_circle),
        TEST(with_another_transaction_they_are_none),
        TEST(who_makes_a_connection_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
