/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process in a snapshot as a target.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_TARGET_SNAPSHOT_H
#define MPILENS_INSPECT_SNAPSHOT_TARGET_SNAPSHOT_H

#include "snapshot/snapshot_image.h"

/* Takes the image. */
struct target *target_create_snapshot(const struct image_facts *facts, struct snapshot_image *image);

/* What the target was made of; NULL: it is of another kind. */
const struct snapshot_image *target_snapshot_image(const struct target *target);

#endif
