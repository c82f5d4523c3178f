/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts, places and groups that rows of a snapshot refer to.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_REFERENCES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_REFERENCES_H

#include "snapshot/snapshot_reader.h"

/* Reads what rows refer to, for the file and job that are set. 0, or -1 and the file's reason. */
int snapshot_reader_begin(struct snapshot_reader *reader);
void snapshot_reader_clear(struct snapshot_reader *reader);

#endif
