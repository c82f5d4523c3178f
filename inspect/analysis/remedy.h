/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change in the program so that a cause cannot come about.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_REMEDY_H
#define MPILENS_INSPECT_ANALYSIS_REMEDY_H

#include "analysis/cause_text.h"

/* One sentence without an end, "use the same tag at both places"; NULL: there is nothing to say that the finding's own
 * sentence does not. The caller frees it. */
char *remedy_of(const struct cause_text *text, const struct cause *cause);
/* That of messages which are longer than their receive. */
char *remedy_of_size(void);

/* For remedy*.c only: that of a message which was not sent, which went to another rank, which a matched probe has
 * taken, or for which a persistent request was not started (NULL: none), and of one that comes from another source. */
char *remedy_of_message(const struct waits *waits, const struct cause *cause);
char *remedy_of_source(const struct cause_text *text, const struct cause *cause);
/* That of a message that its source has not sent, but later ones. */
char *remedy_of_skipped(const struct waits *waits, const struct cause *cause);
/* That of a cycle of receives in which messages are missing such as were sent before; NULL: nothing to say. */
char *remedy_of_unsent(const struct waits *waits, const struct cause *cause);
/* That of ranks that wait for each other; NULL: nothing to say. */
char *remedy_of_cycle(const struct cause_text *text, const struct cause *cause);
/* Those of a collective call that members disagree about, and of one that members have not come to; NULL: nothing. */
char *remedy_of_round(const struct cause_text *text, const struct cause *cause);
char *remedy_of_missing(const struct cause_text *text, const struct cause *cause);
/* "call MPI_Gather (a.c:9) on rank 2 too, as 3 of 4 ranks have": of a cycle in which most members have come to a call.
 * *ret_is_likely: who has not come has done all that the others had done before it. NULL: there is no such call. */
char *remedy_of_left_out(const struct cause_text *text, const struct cause *cause, bool *ret_is_likely);
/* The process that is the only culprit; NULL: there are several, or it is not known. That of one that has ended. */
const struct process *remedy_only_culprit(const struct waits *waits, const struct cause *cause);
char *remedy_of_end(const struct process *culprit);

#endif
