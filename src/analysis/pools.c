#include "analysis/pools.h"

const struct pool_kind pool_kinds[POOL_KINDS] = {
    /* database/sql/sql.go: conn waits in a select; awaitDone stands beside
     * every open transaction and result whose context can be cancelled. */
    {STR_INIT("database/sql connection"),
     STR_INIT("database/sql.(*DB).conn"),
     {STR_INIT("database/sql.(*Tx).awaitDone"),
      STR_INIT("database/sql.(*Rows).awaitDone"),
      STR_INIT("database/sql.(*DB).queryDC"),
      STR_INIT("database/sql.(*DB).execDC"),
      STR_INIT("database/sql.(*DB).beginDC"),
      STR_INIT("database/sql.(*DB).prepareDC"),
      STR_INIT("database/sql.(*DB).openNewConnection"),
      STR_INIT("database/sql.rowsiFromStatement"),
      STR_INIT("database/sql.resultFromStatement"),
      STR_INIT("database/sql.(*Rows).Next"),
      STR_INIT("database/sql.(*Rows).NextResultSet"),
      STR_INIT("database/sql.(*Tx).Commit"),
      STR_INIT("database/sql.(*Tx).Rollback")},
     {STR_INIT("database/sql.(*DB).Query"),
      STR_INIT("database/sql.(*DB).QueryContext"),
      STR_INIT("database/sql.(*DB).Begin"),
      STR_INIT("database/sql.(*DB).BeginTx"),
      STR_INIT("database/sql.(*DB).Conn"),
      STR_INIT("database/sql.(*Stmt).Query"),
      STR_INIT("database/sql.(*Stmt).QueryContext")}},
    /* net/http/transport.go: queueForConn under MaxConnsPerHost. A response has
     * its connection until its body is read. */
    {STR_INIT("HTTP connection"),
     STR_INIT("net/http.(*Transport).getConn"),
     {STR_INIT("net/http.(*persistConn).roundTrip"),
      STR_INIT("net/http.(*bodyEOFSignal).Read"),
      STR_INIT("net/http.(*Transport).dialConnFor")},
     {{NULL, 0}}},
    /* internal/pool/pool.go of go-redis. */
    {STR_INIT("Redis connection"),
     STR_INIT("github.com/redis/go-redis/v9/internal/pool.(*ConnPool)."
              "waitTurn"),
     {STR_INIT("github.com/redis/go-redis/v9.(*baseClient).withConn.func1"),
      STR_INIT("github.com/redis/go-redis/v9.(*baseClient)._process.func1")},
     {{NULL, 0}}},
    {STR_INIT("Redis connection"),
     STR_INIT("github.com/go-redis/redis/v8/internal/pool.(*ConnPool)."
              "waitTurn"),
     {STR_INIT("github.com/go-redis/redis/v8.(*baseClient).withConn.func1"),
      STR_INIT("github.com/go-redis/redis/v8.(*baseClient)._process.func1")},
     {{NULL, 0}}},
    /* redis/pool.go of redigo: GetContext waits there when Wait is set. */
    {STR_INIT("Redis connection"),
     STR_INIT("github.com/gomodule/redigo/redis.(*Pool).waitVacantConn"),
     {STR_INIT("github.com/gomodule/redigo/redis.(*activeConn).Do"),
      STR_INIT("github.com/gomodule/redigo/redis.(*activeConn).DoContext"),
      STR_INIT("github.com/gomodule/redigo/redis.(*activeConn).Flush"),
      STR_INIT("github.com/gomodule/redigo/redis.(*activeConn).Receive")},
     {STR_INIT("github.com/gomodule/redigo/redis.(*Pool).Get"),
      STR_INIT("github.com/gomodule/redigo/redis.(*Pool).GetContext")}},
    /* pgxpool takes its connections from puddle, which waits at a semaphore. */
    {STR_INIT("PostgreSQL connection"),
     STR_INIT("github.com/jackc/puddle/v2.(*Pool[...]).acquire"),
     {STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Conn).Query"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Conn).QueryRow"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Conn).Exec"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Conn).SendBatch"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Tx).Query"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Tx).Exec")},
     {STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Pool).Query"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Pool).Begin"),
      STR_INIT("github.com/jackc/pgx/v5/pgxpool.(*Pool).BeginTx")}},
    /* semaphore/semaphore.go and errgroup/errgroup.go: by their callers. */
    {STR_INIT("place"),
     STR_INIT("golang.org/x/sync/semaphore.(*Weighted).Acquire"),
     {{NULL, 0}},
     {{NULL, 0}}},
    {STR_INIT("place"),
     STR_INIT("golang.org/x/sync/errgroup.(*Group).Go"),
     {{NULL, 0}},
     {{NULL, 0}}},
};

bool pool_is_opening(struct str function)
{
    return str_equal(function, STR("net/http.(*Transport).dialConnFor")) ||
           str_equal(function, STR("database/sql.(*DB).openNewConnection"));
}

bool pool_opens_inside(uint32_t kind)
{
    return str_equal(pool_kinds[kind].waits, STR("database/sql.(*DB).conn"));
}

enum connection_part connection_part_of(struct str function)
{
    static const struct {
        struct str function;
        enum connection_part part;
    } parts[] = {
        {STR_INIT("database/sql.(*DB).Begin"), PART_TX},
        {STR_INIT("database/sql.(*DB).BeginTx"), PART_TX},
        {STR_INIT("database/sql.(*Tx).awaitDone"), PART_TX},
        {STR_INIT("database/sql.(*DB).Query"), PART_ROWS},
        {STR_INIT("database/sql.(*DB).QueryContext"), PART_ROWS},
        {STR_INIT("database/sql.(*Stmt).Query"), PART_ROWS},
        {STR_INIT("database/sql.(*Stmt).QueryContext"), PART_ROWS},
        {STR_INIT("database/sql.(*Rows).awaitDone"), PART_ROWS},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (str_equal(function, parts[i].function))
            return parts[i].part;
    }
    return PART_NONE;
}

bool pool_is_member(struct str function)
{
    return str_equal(function, STR("golang.org/x/sync/errgroup.(*Group).Go."
                                   "func1")) ||
           str_equal(function, STR("golang.org/x/sync/errgroup.(*Group).add."
                                   "func1"));
}

/* What a function does for a connection that is being made. */
static struct str step_of(struct str function)
{
    static const struct {
        struct str begin; /* of the names of its functions */
        struct str words;
    } steps[] = {
        {STR_INIT("net.(*Resolver)."), STR_INIT("in a name lookup")},
        {STR_INIT("net.(*sysDialer)."), STR_INIT("in a connect")},
        {STR_INIT("crypto/tls.(*Conn)."), STR_INIT("in a TLS handshake")},
        {STR_INIT("net/http.(*persistConn).addTLS"),
         STR_INIT("in a TLS handshake")},
    };

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (str_starts(function, steps[i].begin))
            return steps[i].words;
    }
    return (struct str){0};
}

struct str pool_step(const struct symbols *symbols, struct stack stack)
{
    struct str step = {0};

    for (uint32_t i = 0; i < stack.n_frames && !step.len; i++)
        step = step_of(symbols_function(symbols, stack.frames[i]));
    return step;
}
