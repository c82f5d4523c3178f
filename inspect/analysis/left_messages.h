/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that a rank had not received when it came to MPI_Finalize, as far as its MPI has said that it had them
 * (mpilens run --unexpected=exact).
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LEFT_MESSAGES_H
#define MPILENS_INSPECT_ANALYSIS_LEFT_MESSAGES_H

#include "analysis/findings/finding.h"
#include "words/describe.h"

/* Those of the ranks of the finding, as evidence. The ranks are finished. */
void left_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

/* Those of all ranks in one sentence for when nothing was found, behind `remark`, which may be NULL and which this
 * takes. The caller frees it; NULL: there is nothing to say. */
char *left_messages_remark(const struct job *job, const struct communicator_labels *labels, char *remark);

#endif
