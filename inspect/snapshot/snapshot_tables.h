/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model as tables of a snapshot: which members of which struct are columns of which table. A row stands for one
 * struct, a table for all arrays of one kind. Everything that is written and read goes through these descriptions, so a
 * new member is one line in snapshot_tables.c.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_TABLES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_TABLES_H

#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* C type of a member, and what a column has for it. NULL in a column, or no such column, is "not known" of model.h. */
enum snapshot_type {
    SNAPSHOT_BOOLEAN,    /* bool: 0, 1 */
    SNAPSHOT_CHARACTER,  /* char: its code; 0: NULL */
    SNAPSHOT_SIGNED32,   /* int32_t; -1: NULL */
    SNAPSHOT_UNSIGNED32, /* uint32_t */
    SNAPSHOT_SIGNED64,   /* int64_t; -1: NULL */
    SNAPSHOT_UNSIGNED64, /* uint64_t: the same bits with a sign */
    SNAPSHOT_SECONDS,    /* double, not negative, mostly seconds; -1: NULL */
    SNAPSHOT_TEXT,       /* const char * of job.names: number in the table text; "": NULL */
    SNAPSHOT_OWN_TEXT,   /* char * of the row: likewise; NULL: NULL */
    SNAPSHOT_SITE,       /* const struct site *: number in the table site; NULL: NULL */
    SNAPSHOT_GROUP,      /* const struct group *: likewise in the table communicator_group */
    SNAPSHOT_BYTES,      /* struct snapshot_bytes: BLOB; no bytes: NULL */
};

struct snapshot_bytes {
    void *bytes; /* of the row */
    size_t count;
};

/* What a member of that type takes. */
static inline size_t snapshot_type_bytes(enum snapshot_type type)
{
    switch (type) {
    case SNAPSHOT_BOOLEAN:
        return sizeof(bool);
    case SNAPSHOT_CHARACTER:
        return sizeof(char);
    case SNAPSHOT_SIGNED32:
    case SNAPSHOT_UNSIGNED32:
        return sizeof(int32_t);
    case SNAPSHOT_SIGNED64:
    case SNAPSHOT_UNSIGNED64:
        return sizeof(int64_t);
    case SNAPSHOT_SECONDS:
        return sizeof(double);
    case SNAPSHOT_BYTES:
        return sizeof(struct snapshot_bytes);
    default:
        return sizeof(void *);
    }
}

/* Whether each row has its own copy. */
static inline bool snapshot_type_is_own(enum snapshot_type type)
{
    return type == SNAPSHOT_OWN_TEXT || type == SNAPSHOT_BYTES;
}

struct snapshot_field {
    const char *name; /* of the member and of the column */
    size_t offset;    /* of the member */
    enum snapshot_type type;
    uint32_t most;  /* SNAPSHOT_UNSIGNED32 that is an enumeration: its last value; 0: any */
    bool is_shared; /* it is a member of what rows share */
};

/* What rows have the same stands once, in a struct of which there is one for all such rows. */
struct snapshot_shared {
    size_t offset; /* in a row: of the pointer to it */
    size_t bytes;
    const void *(*share)(struct job *job, const void *shared); /* the one that is the same as this one */
};

struct snapshot_table {
    const char *name;
    const struct snapshot_table *parent; /* a column of its name has the row there; NULL: the one row is the job */
    size_t items_offset;                 /* in the parent's struct: of the pointer to the rows */
    size_t count_offset; /* of their number (size_t); SNAPSHOT_ONE: there is one, or the pointer is NULL */
    size_t row_bytes;
    const struct snapshot_field *fields;
    size_t field_count;
    const struct snapshot_shared *shared; /* NULL: rows share nothing */
    bool (*is_stored)(const void *row);   /* NULL: all are; only of tables without children */
    void (*set_unknown)(void *row);       /* sets members that have no column to not known; NULL: they are 0 then */
};

#define SNAPSHOT_ONE SIZE_MAX

/* The member of a row that is a field of its table. */
static inline const char *snapshot_member(const struct snapshot_table *table, const struct snapshot_field *field,
                                          const void *row)
{
    const char *owner = row;
    if (field->is_shared)
        memcpy(&owner, owner + table->shared->offset, sizeof owner);
    return owner + field->offset;
}

/* Parents before their children, the job first. */
extern const struct snapshot_table *const snapshot_tables[];
extern const size_t snapshot_table_count;

/* One of them. */
extern const struct snapshot_table snapshot_process_table;

/* The places that rows refer to; not one of the above. */
extern const struct snapshot_table snapshot_site_table;

#endif
