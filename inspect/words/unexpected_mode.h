/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why exact unexpected messages cannot be had of a process that was asked for them.
 */
#ifndef MPILENS_INSPECT_WORDS_UNEXPECTED_MODE_H
#define MPILENS_INSPECT_WORDS_UNEXPECTED_MODE_H

#include "model/model.h"

/* NULL: they can, or it was not asked for them. */
const char *describe_inexact_reason(const struct process *process);

#endif
