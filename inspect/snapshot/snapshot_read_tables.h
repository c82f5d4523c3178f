/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job and its processes out of a snapshot.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_TABLES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_TABLES_H

#include "snapshot/snapshot_reader.h"

/* Reads the job and its processes, with `in_full` all that they have. 0, or -1 and the file's reason; the job has
 * what was read until then. */
int snapshot_read_tables(struct snapshot_reader *reader, bool in_full);

#endif
