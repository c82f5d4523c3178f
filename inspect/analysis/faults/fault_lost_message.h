/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that was too long for an earlier receive: it is lost, and another one waits for it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LOST_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LOST_MESSAGE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_lost_message;

/* What to change where a message is longer than its receive. The caller frees it. */
char *advise_on_size(void);

#endif
