/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the answers about objects have in common. An answer is what a debugger is given, from pool_begin.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_ANSWER_PARTS_H
#define MPILENS_DLL_MPIDBG_MPIDBG_ANSWER_PARTS_H

#include "mpidbg/mpidbg_pool.h"

/* Gives an answer of pool_begin where `code` is mqs_ok and it has all of its memory; else ends it. mqs_ok or a code. */
int answer_finish(void *answer, int code, void **ret_answer);

/* What an answer begins with. Leaves the current object. */
int answer_object(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer,
                  struct mpidbg_object_info_t *ret_object);

/* Key and value pairs of the current object; *ret_count -1: not known. */
int answer_pairs(const struct inquiry *inquiry, void *answer, int *ret_count, struct mpidbg_key_value_t **ret_pairs);

/* World ranks of the current group's members; none where they are not known. */
int answer_processes(const struct inquiry *inquiry, void *answer, int *ret_count,
                     struct mpidbg_process_t **ret_processes);

/* A copy that belongs to the answer. */
void answer_keep(void *answer, const void *items, size_t count, size_t item_bytes, void **ret_copy);

/* References; they move the current object. Of handle 0, or what is not known: all zero, the name is "". */
void answer_refer(const struct inquiry *inquiry, void *answer, int kind, uint64_t handle,
                  struct mpidbg_reference_t *ret_reference);
void answer_refer_to_communicator(const struct inquiry *inquiry, void *answer, uint64_t unique_id,
                                  struct mpidbg_reference_t *ret_reference);
struct mpidbg_reference_t answer_no_reference(void *answer);

#endif
