/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where black boxes are kept.
 */
#ifndef MPILENS_INSPECT_LAUNCH_BOX_PLACE_H
#define MPILENS_INSPECT_LAUNCH_BOX_PLACE_H

#include "base/reason.h"

/* Makes the directory where there is none and finds its absolute path, which the caller frees. With a reason: a
 * warning, else an empty text. NULL and a reason: the runtime would not take it. */
char *box_place_prepare(const char *directory, struct reason *ret_reason);

#endif
