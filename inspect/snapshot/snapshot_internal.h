/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of snapshot/ only.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_INTERNAL_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_INTERNAL_H

#include "base/base.h"
#include "file/file.h"
#include "model/model.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -- database_storage.c --
 * SQLite databases that are known by a descriptor, and need have no name.
 */

/* As sqlite3_open_v2() does. SQLite has a descriptor of its own; nothing but the file itself may be opened. */
int database_storage_open(int descriptor, int flags, sqlite3 **ret_database);

/* -- snapshot_compressed.c --
 * Large snapshots as files: the database compressed by zstd, behind a frame that says what it is and that zstd skips
 * (RFC 8878, 3.1.2), so that "zstd -d" gives the database.
 */

/* Whether the file begins as one. */
bool snapshot_is_compressed(int file);

/* Whether a database of this size is worth it. */
bool snapshot_is_large(int database);

/* Writes what is in the first file, compressed, into the second one, which is empty. 0, or the errno of what failed. */
int snapshot_compress(int database, int compressed);

/* Writes the database into a temporary file without a name, *ret_database, which the caller closes. Refuses files that
 * claim to be far larger than snapshots get. 0, or -1 and a reason that names `path`. */
int snapshot_decompress(int compressed, const char *path, int *ret_database, struct reason *ret_reason);

/* -- snapshot_file.c --
 * A snapshot as a file: an SQLite 3 database with an application_id and, as user_version, the version of its format.
 * Tables and columns may be added to a format; its version changes when what is there changes its meaning or name. A
 * large one is compressed, see snapshot_compressed.c.
 */

enum {
    SNAPSHOT_APPLICATION = 0x4d50494c, /* "MPIL" */
    SNAPSHOT_VERSION = 3,              /* 1: requests had columns of their own; 2: columns had other names */
};

struct snapshot_file {
    sqlite3 *database;
    const char *path;          /* as the user has named it */
    struct output_file output; /* where is_written */
    bool is_written;
    int64_t size;          /* of the file that is read, in bytes */
    size_t made_bytes;     /* rows that were made of it so far, and ... */
    size_t most_made;      /* ... of what it has at most: few bytes can claim many rows */
    const void *bytes;     /* where it stands in memory, which is read; NULL: it is a file */
    bool is_in_memory;     /* it is written there */
    bool is_light;         /* without views and tables that have no rows */
    struct reason *reason; /* why something could not be done */
};

/* Whether the file is an SQLite database, of whatever kind, or a snapshot that is compressed. */
bool snapshot_file_is_database(const char *path);

/* Both return 0 and a file to be closed, or -1 and a reason; `path` and `ret_reason` must last as long as the file. The
 * first is about to be written, in one transaction. */
int snapshot_file_create(const char *path, mode_t mode, struct snapshot_file *ret_file, struct reason *ret_reason);
int snapshot_file_open(const char *path, struct snapshot_file *ret_file, struct reason *ret_reason);
/* As the functions above, in memory; `name` is the name in sentences. The bytes must last as long as the file. */
int snapshot_file_create_in_memory(const char *name, struct snapshot_file *ret_file, struct reason *ret_reason);
int snapshot_file_open_bytes(const char *name, const void *bytes, size_t count, struct snapshot_file *ret_file,
                             struct reason *ret_reason);
/* Ends the transaction of one that was created in memory and gives its bytes, to be freed with sqlite3_free(). */
int snapshot_file_take_bytes(struct snapshot_file *file, unsigned char **ret_bytes, size_t *ret_count);
/* Ends the transaction and puts the file in the place of what had its name before. */
int snapshot_file_finish(struct snapshot_file *file);
/* Removes a file that was created and not finished. */
void snapshot_file_close(struct snapshot_file *file);

/* For snapshot_*.c and target_snapshot.c only. These return 0, or -1 and the file's reason. */
int snapshot_file_fail(struct snapshot_file *file);                     /* -1: says what SQLite says */
int snapshot_file_damaged(struct snapshot_file *file, const char *how); /* -1 */
int snapshot_file_run(struct snapshot_file *file, const char *statement);
int snapshot_file_prepare(struct snapshot_file *file, const char *text, sqlite3_stmt **ret_statement);
/* Steps a statement that gives nothing, and makes it ready to be bound again. */
int snapshot_file_step(struct snapshot_file *file, sqlite3_stmt *statement);
/* The next row: 1, or 0: there are no more, or -1 and the reason. */
int snapshot_file_next(struct snapshot_file *file, sqlite3_stmt *statement);
/* Whether it has a table of that name that is stored in it. */
bool snapshot_file_has_table(struct snapshot_file *file, const char *table);
/* Calls `visit` with the name of each column of the table that is stored in it. */
int snapshot_file_for_each_column(struct snapshot_file *file, const char *table,
                                  void (*visit)(void *context, const char *column), void *context);

/* -- snapshot_tables.c --
 * The model as tables of a snapshot: which members of which struct are columns of which table. A row stands for one
 * struct, a table for all arrays of one kind. Everything that is written and read goes through these descriptions, so a
 * new member is one line in model.def.
 */

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
    SNAPSHOT_OWN_TEXT,   /* char * of the row: number in the table text; NULL: NULL */
    SNAPSHOT_SITE,       /* const struct site *: number in the table site; NULL: NULL */
    SNAPSHOT_GROUP,      /* const struct group *: number in the table communicator_group; NULL: NULL */
    SNAPSHOT_BYTES,      /* struct snapshot_bytes: BLOB; no bytes: NULL */
};

struct snapshot_bytes {
    void *bytes; /* of the row */
    size_t count;
};

/* Size of a member of that type. */
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

/* A struct that many rows share, written once for all of them. */
struct snapshot_shared {
    size_t offset; /* in a row: of the pointer to it */
    size_t bytes;
    const void *(*share)(struct job *job, const void *shared); /* the one that is the same as this one */
};

/* A column that older files name otherwise. */
struct snapshot_renaming {
    const char *older, *name;
};

struct snapshot_table {
    const char *name;
    const struct snapshot_table *parent; /* a column of its name has the row there; NULL: the one row is the job */
    size_t items_offset;                 /* in the parent's struct: of the pointer to the rows */
    size_t count_offset; /* of their number (size_t); SNAPSHOT_ONE: there is one, or the pointer is NULL */
    size_t row_bytes;
    const struct snapshot_field *fields;
    size_t field_count;
    const struct snapshot_shared *shared;    /* NULL: rows share nothing */
    bool (*is_stored)(const void *row);      /* NULL: all are; only of tables without children */
    void (*set_unknown)(void *row);          /* sets members that have no column to not known; NULL: they are 0 then */
    const struct snapshot_renaming *renamed; /* the last has no name; NULL: none */
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

/* -- snapshot_constant_columns.c -- Columns with the same value in all rows of their table. A job of many ranks has
 * many rows, and most members are constant in most jobs: a reader that knows them reads them once. The table
 * `constant_column` names them.
 */

/* Makes the table. 0, or -1 and the file's reason. */
int snapshot_constant_columns_begin(struct snapshot_file *file);
/* Names the fields of a table for which `varies` is false. 0, or -1 and the file's reason. */
int snapshot_constant_columns_write(struct snapshot_file *file, const struct snapshot_table *table, const bool *varies);
/* Calls `visit` with the name of each such column of the table, whether or not the column exists. 0, or -1 and the
 * file's reason. */
int snapshot_constant_columns_visit(struct snapshot_file *file, const struct snapshot_table *table,
                                    void (*visit)(void *context, const char *column), void *context);

/* -- snapshot_definitions.c --
 * The tables of a snapshot in SQL.
 */

/* Makes a table and a statement that inserts into it: row, a column for the parent where it has one, the fields.
 * 0, or -1 and the file's reason. */
int snapshot_create_table(struct snapshot_file *file, const struct snapshot_table *table, sqlite3_stmt **ret_insertion);

/* Describes structs as rows of tables: `#define ROW thread`, then FIELD(tid) and so on of struct thread, then
 * `#undef ROW`. */

/* clang-format off */
#define TYPE_OF(member)                                                                                                \
    _Generic((member),                                                                                                 \
        bool: SNAPSHOT_BOOLEAN,                                                                                        \
        char: SNAPSHOT_CHARACTER,                                                                                      \
        int32_t: SNAPSHOT_SIGNED32,                                                                                    \
        uint32_t: SNAPSHOT_UNSIGNED32,                                                                                 \
        int64_t: SNAPSHOT_SIGNED64,                                                                                    \
        uint64_t: SNAPSHOT_UNSIGNED64,                                                                                 \
        double: SNAPSHOT_SECONDS,                                                                                      \
        const char *: SNAPSHOT_TEXT,                                                                                   \
        char *: SNAPSHOT_OWN_TEXT,                                                                                     \
        const struct site *: SNAPSHOT_SITE,                                                                            \
        const struct group *: SNAPSHOT_GROUP,                                                                          \
        struct snapshot_bytes: SNAPSHOT_BYTES)
/* clang-format on */

/* A member as a column; further members of the field may follow. */
#define COLUMN(kind, member, ...)                                                                                      \
    {                                                                                                                  \
        .name = #member, .type = TYPE_OF(((struct kind *)0)->member), .offset = offsetof(struct kind, member),         \
        __VA_ARGS__                                                                                                    \
    }
#define FIELD(member) COLUMN(ROW, member, )

/* Where the rows of a table stand: in struct above_type as `items`, of which there are `number`; or one or none. */
#define ROWS_OF(above, above_type, items, number)                                                                      \
    .parent = &(above), .items_offset = offsetof(struct above_type, items),                                            \
    .count_offset = offsetof(struct above_type, number)
#define ONE_OF(above, above_type, item)                                                                                \
    .parent = &(above), .items_offset = offsetof(struct above_type, item), .count_offset = SNAPSHOT_ONE
#define FIELDS(row_type, list)                                                                                         \
    .row_bytes = sizeof(row_type), .fields = (list), .field_count = sizeof(list) / sizeof *(list)

/* -- snapshot_reader.c -- Reads rows of a snapshot into the model. Every number of the file is checked before it is
 * used. For snapshot*.c only.
 */

struct snapshot_reader {
    struct snapshot_file *file;
    struct job *job;
    const char **texts; /* of job.names, by number - 1 */
    size_t text_count;
    const struct site **sites; /* of job.sites, by number - 1 */
    size_t site_count;
    const struct group **groups; /* of job.groups, by number - 1 */
    size_t group_count;
};

/* The rows of a table as they come: value 0 is the number, then the parent's where there is one, then the fields that
 * the file has and that differ between rows. */
struct snapshot_rows {
    const struct snapshot_table *table;
    const struct snapshot_field **fields; /* those that the file has */
    size_t field_count;
    const struct snapshot_field *
        *constants; /* that the file says to be the same in all rows, and are not among those */
    size_t constant_count;
    const char **older_names; /* of the table's fields, as the file has them; NULL: not renamed */
    void *blank;              /* a row with them, in which everything else is not known */
    void *blank_shared;       /* its shared struct */
    void *shared;             /* shared struct of the current row; NULL: the common one */
    int64_t number;           /* of the current row, or the last one */
    sqlite3_value **values;   /* of the current row */
};

/* Looks at the current row. 0: go on; -1 and the file's reason: an error. */
typedef int snapshot_look(void *context, const struct snapshot_rows *rows);

/* Calls `look` for each row of the table in order, none where there is no such table; *ret_count: their number, also
 * after an error. 0, or -1 and the file's reason. */
int snapshot_rows_read(struct snapshot_reader *reader, const struct snapshot_table *table, snapshot_look *look,
                       void *context, int64_t *ret_count);
/* Fills `ret_row` from the current one. 0, or -1 and the file's reason: then it may be filled in part. */
int snapshot_rows_take(struct snapshot_reader *reader, const struct snapshot_rows *rows, void *ret_row);

/* An integer between these. False: it is none. */
bool snapshot_value_integer(sqlite3_value *value, int64_t least, int64_t most, int64_t *ret_number);
bool snapshot_column_integer(sqlite3_stmt *statement, int column, int64_t least, int64_t most, int64_t *ret_number);

/* -- snapshot_write_references.c --
 * Texts and groups that rows of a snapshot refer to.
 */

/* Zero-initialised, then begun. */
struct snapshot_references {
    struct snapshot_file *file;
    struct pointer_numbers numbers; /* of texts, groups and what else rows refer to, by their addresses */
    void *texts;                    /* tsearch tree of numbered texts */
    int64_t text_count, group_count, range_count;
    sqlite3_stmt *text_insertion, *group_insertion, *range_insertion;
};

/* Makes the tables. 0, or -1 and the file's reason. */
int snapshot_references_begin(struct snapshot_references *references, struct snapshot_file *file);
void snapshot_references_clear(struct snapshot_references *references);

/* Numbers for columns that refer to them, 0: to be NULL. Both return 0, or -1 and the file's reason. */
int snapshot_references_text(struct snapshot_references *references, const char *text, int64_t *ret_number);
int snapshot_references_group(struct snapshot_references *references, const struct group *group, int64_t *ret_number);

/* -- snapshot_writer.c --
 * Writes rows into a snapshot. Texts, places and groups are written once, when the first row refers to them. For
 * snapshot*.c only.
 */

/* Zero-initialised but `file`, then begun. */
struct snapshot_writer {
    struct snapshot_file *file;
    struct snapshot_references references;
    int64_t site_count;
    sqlite3_stmt *site_insertion;
};

/* Makes the tables that rows refer to. 0, or -1 and the file's reason. */
int snapshot_writer_begin(struct snapshot_writer *writer);
void snapshot_writer_clear(struct snapshot_writer *writer);

/* 0, or -1 and the file's reason. */
int snapshot_write_table(struct snapshot_writer *writer, struct job *job, const struct snapshot_table *table);
/* Binds the fields of a row to the columns from `column` on. 0, or -1 and the file's reason. */
int snapshot_bind_row(struct snapshot_writer *writer, sqlite3_stmt *statement, int column,
                      const struct snapshot_table *table, const void *row);

/* -- snapshot_image.c -- The image of a process in a snapshot, besides the model: enough of its memory, symbols and
 * places for the DLL to read it again.
 */

/* Rows of the tables image, module, place, symbol and memory. Texts are the job's. */
struct image_facts {
    int32_t pid;
    int32_t pointer_bytes;
    bool other_byte_order;
    const char *executable;
    bool clock_known; /* struct tick_clock */
    double clock_now;
    double clock_ticks_per_ns;
};

struct image_module {
    uint64_t start;
    uint64_t end;
    const char *path;
    struct snapshot_bytes build_id;
};

struct image_place {
    uint64_t address;
    uint64_t offset; /* from where the module is loaded */
    const struct site *site;
};

struct image_symbol {
    const char *name;
    uint64_t address;
};

struct image_memory {
    uint64_t address;
    uint64_t bytes;
    struct snapshot_bytes content; /* packed by zlib */
    unsigned char *unpacked;       /* NULL: nobody has read it yet; no column */
};

/* The most bytes of one row of memory. */
enum { SNAPSHOT_MEMORY_BYTES = TARGET_RECORDING_RANGE };

struct snapshot_image {
    struct tick_clock clock;
    struct image_module *modules;
    size_t module_count;
    struct image_place *places; /* by address */
    size_t place_count;
    struct image_symbol *symbols;
    size_t symbol_count;
    struct image_memory *memory; /* by address, no two overlap */
    size_t memory_count;
};

/* Their tables; the rows stand nowhere in the model. */
extern const struct snapshot_table snapshot_image_table, snapshot_module_table, snapshot_place_table,
    snapshot_symbol_table, snapshot_memory_table;

void snapshot_image_destroy(struct snapshot_image *image);

/* -- snapshot_light.c --
 * Makes a job small enough to be sent from each of many hosts.
 */

/* Keeps the last completed operations on each channel: sent messages that were not received are most likely among
 * them. Times are kept to a millisecond. */
void job_lighten(struct job *job);

/* -- snapshot_read_images.c --
 * Memory of processes out of a snapshot.
 */

/* Gives each process of the job a target where the file has one. 0, or -1 and the file's reason. */
int snapshot_read_images(struct snapshot_reader *reader);

/* -- snapshot_read_references.c --
 * Texts, places and groups that rows of a snapshot refer to.
 */

/* Reads what rows refer to, for the file and job that are set. 0, or -1 and the file's reason. */
int snapshot_reader_begin(struct snapshot_reader *reader);
void snapshot_reader_clear(struct snapshot_reader *reader);

/* -- snapshot_read_tables.c --
 * The job and its processes out of a snapshot.
 */

/* Reads the job and its processes, with `in_full` all that they have. 0, or -1 and the file's reason; the job has
 * what was read until then. */
int snapshot_read_tables(struct snapshot_reader *reader, bool in_full);

/* -- snapshot_rows.c --
 * The structs of the model as rows of tables.
 */

/* Calls `visit` for each row of the table in order, numbers counted from 1, until it returns another value than 0, and
 * returns that. */
typedef int snapshot_visit(void *context, void *row, int64_t number, int64_t parent_number);
int snapshot_for_each_row(struct job *job, const struct snapshot_table *table, snapshot_visit *visit, void *context);

/* Appends so many rows, of a table that is not SNAPSHOT_ONE, and what they own. */
void snapshot_append_rows(const struct snapshot_table *table, void *parent, const void *rows, size_t count);
/* Appends a row in which everything is not known. NULL: the parent has one, and can have no more. */
void *snapshot_append_row(const struct snapshot_table *table, void *parent);

/* -- snapshot_write_images.c --
 * Memory of processes into a snapshot.
 */

/* Writes what the targets of the job have recorded. 0, or -1 and the file's reason. */
int snapshot_write_images(struct snapshot_writer *writer, struct job *job);

/* -- target_snapshot.c --
 * A process in a snapshot as a target.
 */

/* Takes the image. */
struct target *target_create_snapshot(const struct image_facts *facts, struct snapshot_image *image);

/* The image that the target was made of; NULL: it is of another kind. */
const struct snapshot_image *target_snapshot_image(const struct target *target);

#endif
