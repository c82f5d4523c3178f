/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that were sent to a rank whose MPI did not have them, long after, when the runtime asked it for all that it
 * has (mpilens run --unexpected=exact): what sender and receiver remember contradicts what MPI says, so the messages
 * are still with the library of the sender, or on the network, or lost.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_WITHHELD_MESSAGES_H
#define MPILENS_INSPECT_ANALYSIS_WITHHELD_MESSAGES_H

#include "analysis/findings/finding.h"
#include "words/describe.h"

/* Those to the ranks of the finding, as evidence. The ranks are finished. */
void withheld_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

#endif
