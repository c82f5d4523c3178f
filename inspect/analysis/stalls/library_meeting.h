/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls in which everything has been done that programs have to do, so that the MPI library has its turn.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_MEETING_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_MEETING_H

#include "analysis/graph/waits.h"

/* Whether the blocked thread of the subject is in a blocking call in which the library may keep it, and in no function
 * of the application that MPI has called, as far as its stack tells. */
bool library_may_keep(const struct waits *waits, const struct wait_subject *subject);

/* Whether nothing is missing at the node: all members of a communicator or window have come to one collective call and
 * mean the same by it; all processes are in MPI_Finalize; the messages of a thread have met their partners; or all
 * whose memory its epoch accesses have exposed it. Adds the ranks that take part, who must be in MPI for the library to
 * go on. Calls that work on files, or that run an operation of the application, may take any time: false. */
bool library_meeting_at(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed);

/* Whether the stack of the thread, which is in MPI, was read. */
bool library_stack_is_known(const struct process *process, const struct thread *thread);

#endif
