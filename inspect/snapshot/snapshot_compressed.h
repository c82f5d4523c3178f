/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large snapshots as files: the database compressed by zstd, behind a frame that says what it is and that zstd skips
 * (RFC 8878, 3.1.2), so that "zstd -d" gives the database.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_COMPRESSED_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_COMPRESSED_H

#include "base/reason.h"

#include <stdbool.h>

/* Whether the file begins as one. */
bool snapshot_is_compressed(int file);

/* Whether a database of this size is worth it. */
bool snapshot_is_large(int database);

/* Writes what is in the first file, compressed, into the second one, which is empty. 0, or the errno of what failed. */
int snapshot_compress(int database, int compressed);

/* Writes the database into a temporary file without a name, *ret_database, which the caller closes. What says of itself
 * that it is far larger than snapshots get by this is refused. 0, or -1 and a reason that names `path`. */
int snapshot_decompress(int compressed, const char *path, int *ret_database, struct reason *ret_reason);

#endif
