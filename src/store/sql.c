#include "store/sql.h"

/* Times are Unix microseconds. Names of stacks and texts are never given twice
 * (AUTOINCREMENT), so that what one process remembers of them stays right while
 * another drops some. In `snapshot`, `lasting` says that the evidence is never
 * dropped; in `instance`, `segment` is the newest one. Few snapshots have
 * evidence: CROSS JOIN makes SQLite begin with those (sqlite.org/optoverview.
 * html, 8.1). */
const struct sql_object sql_objects[] = {
    {"alert", "CREATE TABLE alert (instance INTEGER NOT NULL, "
              "key TEXT NOT NULL, state TEXT NOT NULL, rule TEXT NOT NULL, "
              "severity TEXT NOT NULL, site TEXT NOT NULL, "
              "text TEXT NOT NULL, data BLOB NOT NULL, "
              "held INTEGER NOT NULL, missed INTEGER NOT NULL, "
              "count INTEGER NOT NULL, first_us INTEGER NOT NULL, "
              "last_us INTEGER NOT NULL, changed_us INTEGER NOT NULL, "
              "sent_us INTEGER NOT NULL, "
              "PRIMARY KEY (instance, key)) WITHOUT ROWID"},
    {"evidence", "CREATE TABLE evidence (snapshot INTEGER PRIMARY KEY, "
                 "data BLOB NOT NULL)"},
    {"instance", "CREATE TABLE instance (id INTEGER PRIMARY KEY, "
                 "name TEXT NOT NULL UNIQUE, segment INTEGER NOT NULL, "
                 "run_us INTEGER NOT NULL, "
                 "success_us INTEGER NOT NULL, error_us INTEGER NOT NULL, "
                 "error TEXT NOT NULL)"},
    {"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, "
             "value INTEGER NOT NULL) WITHOUT ROWID"},
    {"snapshot", "CREATE TABLE snapshot (id INTEGER PRIMARY KEY "
                 "AUTOINCREMENT, instance INTEGER NOT NULL, "
                 "taken_us INTEGER NOT NULL, segment INTEGER NOT NULL, "
                 "hash BLOB NOT NULL, address TEXT NOT NULL, "
                 "lasting INTEGER NOT NULL, "
                 "counts BLOB NOT NULL)"},
    {"snapshot_hash", "CREATE UNIQUE INDEX snapshot_hash ON snapshot "
                      "(instance, hash)"},
    {"snapshot_time", "CREATE INDEX snapshot_time ON snapshot "
                      "(instance, taken_us, segment)"},
    {"stack", "CREATE TABLE stack (id INTEGER PRIMARY KEY AUTOINCREMENT, "
              "frames BLOB NOT NULL UNIQUE)"},
    {"text", "CREATE TABLE text (id INTEGER PRIMARY KEY AUTOINCREMENT, "
             "text BLOB NOT NULL UNIQUE)"},
};

const size_t sql_n_objects = sizeof(sql_objects) / sizeof(sql_objects[0]);

/* ORDER SQL */
static const char *const words[N_SQL] = {
    [SQL_TEXT_FIND] = "SELECT id FROM text WHERE text = ?1",
    [SQL_TEXT_ADD] = "INSERT INTO text (text) VALUES (?1)",
    [SQL_TEXT_GET] = "SELECT text FROM text WHERE id = ?1",
    [SQL_STACK_FIND] = "SELECT id FROM stack WHERE frames = ?1",
    [SQL_STACK_ADD] = "INSERT INTO stack (frames) VALUES (?1)",
    [SQL_STACK_GET] = "SELECT frames FROM stack WHERE id = ?1",
    [SQL_INSTANCE_FIND] = "SELECT id FROM instance WHERE name = ?1",
    [SQL_INSTANCE_ADD] = "INSERT INTO instance (name, segment, run_us, "
                         "success_us, error_us, error) "
                         "VALUES (?1, 0, 0, 0, 0, '')",
    [SQL_INSTANCE_SEGMENT] = "SELECT segment FROM instance WHERE id = ?1",
    [SQL_INSTANCE_GROWN] = "UPDATE instance SET segment = ?2 WHERE id = ?1",
    [SQL_INSTANCE_LIST] = "SELECT id, name, run_us, success_us, error_us, "
                          "error FROM instance ORDER BY name",
    [SQL_INSTANCE_SUMS] = "SELECT count(*), count(DISTINCT segment), "
                          "min(taken_us), max(taken_us) "
                          "FROM snapshot WHERE instance = ?1",
    [SQL_INSTANCE_SIZE] = "SELECT (SELECT total(length(counts)) FROM snapshot "
                          "WHERE instance = ?1) + "
                          "(SELECT total(length(e.data)) FROM evidence e "
                          "JOIN snapshot s ON s.id = e.snapshot "
                          "WHERE s.instance = ?1)",
    [SQL_INSTANCE_NEWEST] = "SELECT id, address FROM snapshot "
                            "WHERE instance = ?1 "
                            "ORDER BY taken_us DESC, id DESC LIMIT 1",
    [SQL_INSTANCE_SUCCEEDED] = "UPDATE instance SET run_us = ?2, "
                               "success_us = ?2, error = '' WHERE id = ?1",
    [SQL_INSTANCE_FAILED] = "UPDATE instance SET run_us = ?2, "
                            "error_us = ?2, error = ?3 WHERE id = ?1",
    [SQL_SNAPSHOT_FIND] = "SELECT id, segment FROM snapshot "
                          "WHERE instance = ?1 AND hash = ?2",
    [SQL_SNAPSHOT_BEFORE] = "SELECT segment FROM snapshot "
                            "WHERE instance = ?1 AND taken_us <= ?2 "
                            "ORDER BY taken_us DESC, id DESC LIMIT 1",
    [SQL_SNAPSHOT_ADD] = "INSERT INTO snapshot (instance, taken_us, segment, "
                         "hash, address, lasting, counts) "
                         "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_SNAPSHOT_GET] = "SELECT counts, address, lasting FROM snapshot "
                         "WHERE id = ?1",
    [SQL_SNAPSHOT_TIMES] = "SELECT id, taken_us, segment FROM snapshot "
                           "WHERE instance = ?1 AND taken_us >= ?2 "
                           "AND taken_us <= ?3 "
                           "ORDER BY taken_us DESC, id DESC LIMIT ?4",
    [SQL_SNAPSHOT_TIME] = "SELECT id, taken_us, segment FROM snapshot "
                          "WHERE instance = ?1 AND id = ?2",
    [SQL_SNAPSHOT_ALL] = "SELECT counts FROM snapshot",
    [SQL_SNAPSHOT_DROP] = "DELETE FROM snapshot WHERE id = ?1",
    [SQL_EVIDENCE_ADD] = "INSERT INTO evidence (snapshot, data) "
                         "VALUES (?1, ?2)",
    [SQL_EVIDENCE_GET] = "SELECT data FROM evidence WHERE snapshot = ?1",
    [SQL_EVIDENCE_SIZE] = "SELECT length(data) FROM evidence "
                          "WHERE snapshot = ?1",
    [SQL_EVIDENCE_LIST] = "SELECT e.snapshot FROM evidence e "
                          "CROSS JOIN snapshot s "
                          "ON s.id = e.snapshot WHERE s.instance = ?1 "
                          "ORDER BY e.snapshot",
    [SQL_EVIDENCE_TIMES] = "SELECT s.id, s.taken_us "
                           "FROM evidence e CROSS JOIN snapshot s "
                           "ON s.id = e.snapshot "
                           "WHERE s.instance = ?1 AND NOT s.lasting "
                           "ORDER BY s.taken_us DESC, s.id DESC",
    [SQL_EVIDENCE_DROP] = "DELETE FROM evidence WHERE snapshot = ?1",
    [SQL_ALERT_INSTANCES] = "SELECT name FROM instance WHERE id IN "
                            "(SELECT instance FROM alert) ORDER BY name",
    [SQL_ALERT_LIST] = "SELECT key, state, rule, severity, site, text, data, "
                       "held, missed, count, first_us, last_us, changed_us, "
                       "sent_us FROM alert WHERE instance = ?1 ORDER BY key",
    [SQL_ALERT_CLEAR] = "DELETE FROM alert WHERE instance = ?1",
    [SQL_ALERT_ADD] = "INSERT INTO alert (instance, key, state, rule, "
                      "severity, site, text, data, held, missed, count, "
                      "first_us, last_us, changed_us, sent_us) VALUES "
                      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
                      "?13, ?14, ?15)",
    [SQL_META_GET] = "SELECT value FROM meta WHERE key = ?1",
    [SQL_META_SET] = "INSERT OR REPLACE INTO meta (key, value) "
                     "VALUES (?1, ?2)",
    [SQL_NEWEST_STACK] = "SELECT max(id) FROM stack",
    [SQL_STACK_ALL] = "SELECT id, frames FROM stack",
    [SQL_STACK_DROP] = "DELETE FROM stack WHERE id = ?1",
    [SQL_TEXT_ALL] = "SELECT id FROM text",
    [SQL_TEXT_DROP] = "DELETE FROM text WHERE id = ?1",
    [SQL_EVIDENCE_ALL] = "SELECT data FROM evidence",
    [SQL_INTEGRITY] = "PRAGMA integrity_check(1)",
    [SQL_LOST_ROWS] = "SELECT (SELECT count(*) FROM evidence WHERE snapshot "
                      "NOT IN (SELECT id FROM snapshot)) + "
                      "(SELECT count(*) FROM snapshot WHERE instance "
                      "NOT IN (SELECT id FROM instance)) + "
                      "(SELECT count(*) FROM alert WHERE instance "
                      "NOT IN (SELECT id FROM instance))",
};

const char *sql_words(enum sql sql)
{
    return words[sql];
}
