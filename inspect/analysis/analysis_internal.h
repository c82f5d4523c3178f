/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of analysis/ only.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_ANALYSIS_INTERNAL_H
#define MPILENS_INSPECT_ANALYSIS_ANALYSIS_INTERNAL_H

#include "analysis/analysis.h"
#include "analysis/causes/causes.h"
#include "analysis/findings/findings.h"
#include "analysis/graph/graph.h"
#include "model/model.h"
#include "words/words.h"

/* -- consequences.c --
 * Dead ranks that are not a cause, and the causes that they wait for in the end.
 */

#define NO_FINDING UINT32_MAX

/* Adds to each finding, as evidence, the calls of the ranks that wait because of it and are not concerned in it.
 * `finding_of`: by component, the finding of which it is the cause, or NO_FINDING. */
void consequences_add(const struct cause_text *text, const struct wait_waiters *waiters, const uint32_t *finding_of,
                      struct findings *findings);

/* Fills the waits of the analysis. */
void rank_waits_list(const struct waits *waits, const uint32_t *finding_of, struct analysis *analysis);

/* -- early_exits.c --
 * Ranks that have called exit() before the job was over, as their black boxes say.
 */

/* Adds a finding for those that others wait for or that have failed; those that MPI or MPI_Abort has ended are left
 * out.
 */
void early_exits_find(const struct cause_text *text, struct findings *findings);

/* -- hidden_waits.c --
 * Waits for what cannot be seen: for a message that is under way, inside a call that all have come to, or in a call of
 * which it is not known whom it needs.
 */

/* One sentence about the longest of them, and who else waits in the same call at the same place. NULL: there is none
 * that is long enough to be told. */
const char *hidden_waits_describe(const struct cause_text *text);

/* -- launch_mismatch.c --
 * Processes that were started together and are no ranks of one MPI_COMM_WORLD.
 */

/* The one finding of a job with a launch problem, which explains all waits of its processes. */
struct findings launch_mismatch_find(const struct job *job);

/* -- left_messages.c --
 * Messages that a rank had not received when it came to MPI_Finalize, as far as its MPI has said that it had them
 * (mpilens run --unexpected=exact).
 */

/* Those of the ranks of the finding, as evidence. The ranks are finished. */
void left_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

/* Those of all ranks in one sentence for when nothing was found, behind `remark`, which may be
 * NULL. NULL: there is nothing to say. */
const char *left_messages_remark(const struct job *job, const struct communicator_labels *labels, const char *remark);

/* -- live_waits.c --
 * Waits that may end: for ranks that are not in MPI, and for messages that should not fit.
 */

/* Adds a finding for ranks that others have waited for longer than the patience of the options while they were not in
 * MPI, or that are stopped; one for all that the same ranks wait for, or that are awaited in the same way. *ret_remark:
 * one sentence about who waits for whom, for when nothing is wrong; NULL: nobody waits. */
void live_waits_find(const struct cause_text *text, const struct wait_waiters *waiters, struct findings *findings,
                     const char **ret_remark);

/* -- lost_hosts.c --
 * Waits for ranks on hosts that have not answered: often that is why the job hangs.
 */

/* Whether the ranks that are waited for are on such a host. */
bool is_on_lost_host(const struct awaited_ranks *awaited);

/* Adds a finding for each such host with ranks that others wait for. */
void lost_hosts_find(const struct cause_text *text, const struct awaited_list *list, struct findings *findings);

/* -- mpi_errors.c --
 * Calls that MPI has failed: errors that end the job, and those that the program has got back.
 */

/* Adds a finding for each rank that MPI or MPI_Abort is about to end, or has ended. */
void mpi_errors_find(const struct cause_text *text, struct findings *findings);

/* Adds the calls that the others are in, as evidence. */
void mpi_errors_add_others(struct finding *finding, const struct cause_text *text, const struct process *failing);

/* Errors that ranks of the finding have got back, as evidence. The ranks are finished. */
void mpi_errors_add_returned(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

/* Those of all ranks in one sentence for when nothing was found, behind `remark`, which may be
 * NULL. NULL: there is nothing to say. */
const char *mpi_errors_remark(const struct job *job, const struct communicator_labels *labels, const char *remark);

/* -- starved_ranks.c --
 * Ranks that others kept from running while the job was watched.
 */

/* One sentence about them for when nothing was found, behind `remark`, which may be NULL. NULL: there is nothing to
 * say. */
const char *starved_ranks_remark(const struct job *job, const char *remark);

/* -- traffic.c --
 * Findings about messages themselves: longer than the receive they meet, or piling up.
 */

/* Adds size mismatches between pending receives and the sends that they match while both stand still, and ranks at
 * which unreceived messages have grown beyond the limit of the options while none of them was received. */
void traffic_find(const struct cause_text *text, struct findings *findings);

/* -- withheld_messages.c -- Messages that were sent to a rank whose MPI did not have them, long after, when the runtime
 * asked it for all that it has (mpilens run --unexpected=exact): the memories of sender and receiver contradict MPI's
 * answer, so the messages are still in the sender's library, on the network, or lost.
 */

/* Those to the ranks of the finding, as evidence. The ranks are finished. */
void withheld_messages_add(const struct job *job, const struct communicator_labels *labels, struct finding *finding);

#endif
