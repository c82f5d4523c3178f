/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the processes of a job all questions about handles, in one reading.
 */
#ifndef MPILENS_INSPECT_JOB_HANDLE_ANSWER_H
#define MPILENS_INSPECT_JOB_HANDLE_ANSWER_H

#include "collect/collect.h"
#include "handle/handle_question.h"

/* To be the `more` of a collect_plan: asks one process. `questions` is a struct handle_questions. */
void handle_questions_ask(const struct collection *collection, const struct process *process, void *questions);
/* After the whole job was read: the places of the handles, which are sorted by rank, and the status of each question.
 */
void handle_questions_finish(struct handle_questions *questions, struct job *job);

#endif
