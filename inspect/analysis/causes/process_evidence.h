/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The doings of processes and operations, as evidence.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_PROCESS_EVIDENCE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_PROCESS_EVIDENCE_H

#include "analysis/causes/cause_text.h"

/* "waits in MPI_Recv(...)" of every blocked thread of the process, or where it is instead. */
void add_process_evidence(const struct cause_text *text, const struct process *process, struct finding *finding);
/* "not complete: MPI_Irecv(...)", of an operation of the process. */
void add_operation_evidence(const struct cause_text *text, const struct process *process,
                            const struct operation *operation, const struct communicator *communicator,
                            struct finding *finding);

#endif
