/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes as pairs of texts.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_ATTRIBUTES_H
#define MPILENS_DLL_MPIDBG_MPIDBG_ATTRIBUTES_H

#include "mpidbg/mpidbg_answers.h"
#include "mpidbg/mpidbg_call.h"

/* Attributes of the current object, with their texts in one block; NULL where there are none. Moves the current object.
 * mqs_ok or a code. */
int attribute_pairs_list(const struct inquiry *inquiry, int *ret_count, struct mpidbg_attribute_pair_t **ret_pairs);

/* A copy of these as of 2009. */
int attribute_pairs_second(const struct mpidbg_attribute_pair_t *pairs, int count,
                           struct second_attribute_pair **ret_pairs);

#endif
