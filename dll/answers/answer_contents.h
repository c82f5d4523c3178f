/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What debuggers are given in lists about the current object, by either of the interfaces about handles.
 */
#ifndef MPILENS_DLL_ANSWERS_ANSWER_CONTENTS_H
#define MPILENS_DLL_ANSWERS_ANSWER_CONTENTS_H

#include "answers/answer_list.h"
#include "process/process_info.h"

/* More ranks than any job has: a size that the target made up is not to take all memory. */
enum { MOST_MEMBERS = 1 << 24 };

/* C handles, of `handle_bytes` (4 or 8) each, of its users of this kind (MPILENS_OBJECT_NONE: of all) that have one.
 * mqs_ok or a code; the list is empty then. */
int answer_users(mqs_process_info *info, int kind, size_t handle_bytes, struct answer_list *ret_handles);

/* World ranks (int32_t, at most MOST_MEMBERS) of the members of a group or communicator, -1: of another world. mqs_ok
 * or a code; the list is empty then. */
int answer_members(mqs_process_info *info, int remote, struct answer_list *ret_ranks);

/* Takes a pair. mqs_ok, or the code with which answer_pairs_each ends. */
typedef int answer_pair(void *context, const char *key, const char *value);

/* Its pairs of texts, in order. mqs_ok, or a code; mqs_no_information: they are not known. */
int answer_pairs_each(mqs_process_info *info, answer_pair *take, void *context);

#endif
