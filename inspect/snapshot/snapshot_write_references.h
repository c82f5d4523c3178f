/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts, places and groups that rows of a snapshot refer to.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_REFERENCES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_REFERENCES_H

#include "snapshot/snapshot_writer.h"

/* Makes the tables that rows refer to. 0, or -1 and the file's reason. */
int snapshot_writer_begin(struct snapshot_writer *writer);
void snapshot_writer_clear(struct snapshot_writer *writer);

/* Numbers for columns that refer to them, 0: to be NULL. All return 0, or -1 and the file's reason. */
int snapshot_writer_text(struct snapshot_writer *writer, const char *text, int64_t *ret_number);
int snapshot_writer_site(struct snapshot_writer *writer, const struct site *site, int64_t *ret_number);
int snapshot_writer_group(struct snapshot_writer *writer, const struct group *group, int64_t *ret_number);

#endif
