/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts and groups that rows of a snapshot refer to.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_REFERENCES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_REFERENCES_H

#include "base/pointer_numbers.h"
#include "snapshot/snapshot_file.h"
#include "snapshot/snapshot_tables.h"

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

#endif
