/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the queries of mpidbg_objects.h have in common.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_INQUIRE_H
#define MPILENS_DLL_MPIDBG_MPIDBG_INQUIRE_H

#include "mpidbg/mpidbg_pool.h"

/* Fills an answer about the current object, of which what all kinds have is there; of a null handle there is no current
 * object, and texts must be there all the same. mqs_ok or a code. It may move the current object. */
typedef int fill_function(const struct inquiry *, const struct mpilens_object_information *, void *answer);

struct question {
    int kind; /* enum mpilens_object_kind */
    size_t answer_bytes;
    fill_function *fill;
};

/* A whole query: MPIDBG_SUCCESS and an answer from pool_begin, or a code. */
int inquire(mqs_process *process, mqs_process_info *given, const struct question *question, mqs_taddr_t handle,
            void **ret_answer);

/* Gives an answer of pool_begin where `code` is mqs_ok and it has all of its memory; else ends it. mqs_ok or a code. */
int inquiry_finish(void *answer, int code, void **ret_answer);

/* What an answer begins with. Leaves the current object. */
int inquiry_object(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer,
                   struct mpidbg_object_info_t *ret_object);

/* Key and value pairs of the current object; *ret_count -1: not known. */
int inquiry_pairs(const struct inquiry *inquiry, void *answer, int *ret_count, struct mpidbg_key_value_t **ret_pairs);

/* World ranks of the current object's members; `size` of them, or none. */
int inquiry_members(const struct inquiry *inquiry, void *answer, int remote, int size, int *ret_count,
                    struct mpidbg_process_t **ret_processes);

/* A copy that belongs to the answer. */
void inquiry_keep(void *answer, const void *items, size_t count, size_t item_bytes, void **ret_copy);

/* References; they move the current object. Of handle 0, or what is not known: all zero, the name is "". */
void inquiry_refer(const struct inquiry *inquiry, void *answer, int kind, uint64_t handle,
                   struct mpidbg_reference_t *ret_reference);
void inquiry_refer_to_communicator(const struct inquiry *inquiry, void *answer, uint64_t unique_id,
                                   struct mpidbg_reference_t *ret_reference);
struct mpidbg_reference_t inquiry_no_reference(void *answer);

#endif
