/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of one process of the job to another: which sends and receives match, and which messages are unexpected. The
 * DLL finds it, out of what the model has (mpilens_match_messages says how); so parts of other hosts and snapshots are
 * joined like processes of this host. Processes that could not be read take no part.
 */
#ifndef MPILENS_INSPECT_COLLECT_UNEXPECTED_H
#define MPILENS_INSPECT_COLLECT_UNEXPECTED_H

#include "collect/dll.h"
#include "model/model.h"

/* Sets what sends and receives match (match_rank and the fields after it). Fills `unexpected` and `unexpected_unknown`
 * of all communicators, but of those for which the process itself has told its unexpected messages. Entries are ordered
 * by sender, those of one sender in the order in which they were sent. */
void infer_unexpected(const struct dll *dll, struct job *job);

#endif
