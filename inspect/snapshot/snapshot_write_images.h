/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of processes into a snapshot.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_IMAGES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_WRITE_IMAGES_H

#include "snapshot/snapshot_writer.h"

/* Writes what the targets of the job have recorded. 0, or -1 and the file's reason. */
int snapshot_write_images(struct snapshot_writer *writer, struct job *job);

#endif
