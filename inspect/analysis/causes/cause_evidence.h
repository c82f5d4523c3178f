/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Evidence for a cause: the messages and requests of its sentence, the doings of its ranks, and advice about these
 * messages and requests.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_EVIDENCE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_EVIDENCE_H

#include "analysis/causes/cause_text.h"

/* A message that this rank has sent; `fate` follows: ": it is lost". */
void cause_add_sent(const struct cause_text *text, int rank, const struct operation *message,
                    const struct communicator *communicator, const char *fate, struct finding *finding);
void cause_add_unreceived(const struct cause_text *text, const struct operation *message,
                          const struct communicator *communicator, struct finding *finding);
/* Messages that were noted, as they nearly fit or went to another rank. */
void cause_add_noted(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* A persistent request that would end a wait, but is inactive. */
void cause_add_idle(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* The locks that the ranks of the finding wait for, and what each of them is doing. */
void cause_add_doings(const struct cause_text *text, struct finding *finding);

/* What to change about a message that went to another rank; about a send whose message is held by a matched probe
 * (NULL: there is none among what waits); about a message whose other half is a persistent request that was not started
 * (NULL: none); about a process that has ended; about a Python program that an exception has ended. The caller frees
 * it. */
char *advise_on_stray(const struct cause *cause);
char *advise_on_destination(const struct operation *message, int meant, int actual);
char *advise_on_held(const struct waits *waits, const struct cause *cause);
char *advise_on_idle(const struct waits *waits, const struct cause *cause);
char *advise_on_exit(const struct process *culprit);
char *advise_on_exception(const struct process *culprit);
/* On the message that was noted, else on an idle request. */
char *advise_on_noted(const struct waits *waits, const struct cause *cause);

#endif
