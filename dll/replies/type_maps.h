/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the type map of a datatype.
 */
#ifndef MPILENS_DLL_REPLIES_TYPE_MAPS_H
#define MPILENS_DLL_REPLIES_TYPE_MAPS_H

#include "process/process_info.h"

int reply_setup_type_map_iterator(mqs_process_info *info);
int reply_next_type_map_entry(mqs_process_info *info, struct mpilens_type_map_entry *ret_entry);
int reply_get_element_runs(mqs_process_info *info, struct mpilens_element_run *ret_runs, size_t capacity,
                           size_t *ret_count, int *ret_is_cut);
int reply_get_type_holes(mqs_process_info *info, struct mpilens_type_hole *ret_holes, size_t capacity,
                         size_t *ret_count, int *ret_is_cut);

#endif
