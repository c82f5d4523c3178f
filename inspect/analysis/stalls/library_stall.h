/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that stand still although they have done their part: the MPI library, the network, or what keeps a process from
 * running is to blame.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_STALL_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_LIBRARY_STALL_H

#include "analysis/causes/cause_text.h"

/* For when nothing else was found. Adds a finding for each call in which nothing has moved for longer than the patience
 * of the options, where every rank was read and watched. *ret_remark, where there is no such finding: one sentence
 * about the longest such wait, with the time that is left, or with what moves; the caller frees it. NULL: there is none
 * that is long enough to be told. */
void library_stall_find(const struct cause_text *text, struct findings *findings, char **ret_remark);

#endif
