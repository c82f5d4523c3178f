/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorted indexes of a process. The functions that look it up are in model.h. The functions that look it up are in
 * model.h. The functions that look it up are in model.h.
 */
#ifndef MPILENS_INSPECT_MODEL_PROCESS_INDEX_H
#define MPILENS_INSPECT_MODEL_PROCESS_INDEX_H

#include <stddef.h>

struct process;

/* Looks up in O(log n) from now on; until then, and after process_clear_index(), what is there is searched from end to
 * end. Communicators, their queues, requests and objects may no longer be added, removed or moved. Does not change what
 * the pointers in the index point to. */
void process_make_index(struct process *process);
void process_clear_index(struct process *process);

#endif
