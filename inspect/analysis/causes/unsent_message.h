/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds messages that ranks wait for and that were not sent, by the messages sent before.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_UNSENT_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_UNSENT_MESSAGE_H

#include "analysis/causes/cause.h"

/* What to change in a cycle of receives in which messages are missing such as were sent before; NULL: nothing to say.
 * The caller frees it. */
char *advise_on_unsent_message(const struct waits *waits, const struct cause *cause);

#endif
