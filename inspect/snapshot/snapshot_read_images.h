/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of processes out of a snapshot.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_IMAGES_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_READ_IMAGES_H

#include "snapshot/snapshot_reader.h"

/* Gives each process of the job a target where the file has one. 0, or -1 and the file's reason. */
int snapshot_read_images(struct snapshot_reader *reader);

#endif
