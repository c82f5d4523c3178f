/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that MPI has failed: errors that end the job, and those that the program has got back.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_MPI_ERRORS_H
#define MPILENS_INSPECT_ANALYSIS_MPI_ERRORS_H

#include "analysis/causes/cause_text.h"
#include "analysis/findings/finding.h"

/* Adds a finding for each rank that MPI or MPI_Abort is about to end, or has ended. */
void mpi_errors_find(const struct cause_text *text, struct findings *findings);

/* Errors that ranks of the finding have got back, as evidence. The ranks are finished. */
void mpi_errors_add_returned(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

/* Those of all ranks in one sentence for when nothing was found, behind `remark`, which may be NULL and which this
 * takes. The caller frees it; NULL: there is nothing to say. */
char *mpi_errors_remark(const struct job *job, const struct communicator_labels *labels, char *remark);

#endif
