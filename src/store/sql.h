/* sql.h - every statement of a history, and the tables they speak of. */
#ifndef STORE_SQL_H
#define STORE_SQL_H

#include <stddef.h>

/* The number that names the format of a history, and its version. They stand in
 * the header of the file (sqlite.org/fileformat2.html, 1.3.14 and 1.3.17). */
enum {
    SQL_APPLICATION = 0x43506c6b, /* "CPlk" */
    SQL_VERSION = 1,
};

/* A table or an index: its name, and the words that make it. A file whose own
 * words differ is not touched: triggers, views and virtual tables would run
 * what somebody else wrote. */
struct sql_object {
    const char *name;
    const char *words;
};

extern const struct sql_object sql_objects[];
extern const size_t sql_n_objects;

/* ORDER SQL: as the words in sql.c. */
enum sql {
    SQL_TEXT_FIND,
    SQL_TEXT_ADD,
    SQL_TEXT_GET,
    SQL_STACK_FIND,
    SQL_STACK_ADD,
    SQL_STACK_GET,
    SQL_INSTANCE_FIND,
    SQL_INSTANCE_ADD,
    SQL_INSTANCE_SEGMENT,
    SQL_INSTANCE_GROWN,
    SQL_INSTANCE_LIST,
    SQL_INSTANCE_SUMS,
    SQL_INSTANCE_SIZE,
    SQL_INSTANCE_NEWEST,
    SQL_INSTANCE_SUCCEEDED,
    SQL_INSTANCE_FAILED,
    SQL_SNAPSHOT_FIND,
    SQL_SNAPSHOT_BEFORE,
    SQL_SNAPSHOT_ADD,
    SQL_SNAPSHOT_GET,
    SQL_SNAPSHOT_TIMES,
    SQL_SNAPSHOT_TIME,
    SQL_SNAPSHOT_ALL,
    SQL_SNAPSHOT_DROP,
    SQL_EVIDENCE_ADD,
    SQL_EVIDENCE_GET,
    SQL_EVIDENCE_SIZE,
    SQL_EVIDENCE_LIST,
    SQL_EVIDENCE_TIMES,
    SQL_EVIDENCE_DROP,
    SQL_ALERT_INSTANCES,
    SQL_ALERT_LIST,
    SQL_ALERT_CLEAR,
    SQL_ALERT_ADD,
    SQL_META_GET,
    SQL_META_SET,
    SQL_NEWEST_STACK,
    SQL_STACK_ALL,
    SQL_STACK_DROP,
    SQL_TEXT_ALL,
    SQL_TEXT_DROP,
    SQL_EVIDENCE_ALL,
    SQL_LOST_ROWS,
    SQL_INTEGRITY,
    N_SQL
};

/* The words of a statement. */
const char *sql_words(enum sql sql);

#endif
