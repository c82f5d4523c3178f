/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the type map of a datatype.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "target/target.h"
#include "types/types.h"

int reply_setup_type_map_iterator(mqs_process_info *info)
{
    const void *record = NULL;
    int code = process_info_current_object(info, MPILENS_OBJECT_DATATYPE, &record);
    if (code != mqs_ok)
        return code;
    if (info->type_map != NULL)
        type_map_free(info->type_map);
    else
        info->type_map = allocate_array(1, sizeof *info->type_map);
    if (info->type_map == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const struct type_source source = type_source_of(&info->reading);
    type_map_begin(info->type_map, &source, record);
    return mqs_ok;
}

int reply_next_type_map_entry(mqs_process_info *info, struct mpilens_type_map_entry *ret_entry)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_DATATYPE, ret_entry, &record);
    if (code != mqs_ok)
        return code;
    if (info->type_map == NULL)
        return mqs_end_of_list;
    struct type_run run;
    code = type_map_next(info->type_map, &run);
    if (code != mqs_ok)
        return code;
    struct mpilens_type_map_entry answer = {.basic_size = run.basic->size,
                                            .displacement = run.displacement,
                                            .count = run.count,
                                            .stride = run.stride,
                                            .repeat = run.repeat,
                                            .repeat_stride = run.repeat_stride};
    text_set(answer.basic, sizeof answer.basic, type_basic_name(run.basic));
    reply_give(ret_entry, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_element_runs(mqs_process *process, struct mpilens_element_run *ret_runs, size_t capacity,
                             size_t *ret_count, int *ret_is_cut)
{
    mqs_process_info *info = process_info(process);
    const void *record = NULL;
    size_t count = 0;
    bool is_cut = false;
    if (ret_count == NULL || ret_is_cut == NULL || (capacity > 0 && ret_runs == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_DATATYPE, &record);
    if (code != mqs_ok)
        return code;
    const struct type_source source = type_source_of(&info->reading);
    struct element_run *runs = allocate_array(capacity > 0 ? capacity : 1, sizeof *runs);
    if (runs == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = element_runs_get(&source, record, runs, capacity, &count, &is_cut);
    if (code == mqs_ok) {
        for (size_t i = 0; i < count; i++) {
            ret_runs[i] = (struct mpilens_element_run){.displacement = runs[i].displacement, .count = runs[i].count};
            text_set(ret_runs[i].basic, sizeof ret_runs[i].basic, type_basic_name(runs[i].basic));
        }
        *ret_count = count;
        *ret_is_cut = is_cut;
    }
    release(runs);
    return code;
}

int mpilens_get_type_holes(mqs_process *process, struct mpilens_type_hole *ret_holes, size_t capacity,
                           size_t *ret_count, int *ret_is_cut)
{
    mqs_process_info *info = process_info(process);
    const void *record = NULL;
    size_t count = 0;
    bool is_cut = false;
    if (ret_count == NULL || ret_is_cut == NULL || (capacity > 0 && ret_holes == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_DATATYPE, &record);
    if (code != mqs_ok)
        return code;
    const struct type_source source = type_source_of(&info->reading);
    code = type_holes_get(&source, record, ret_holes, capacity, &count, &is_cut);
    if (code == mqs_ok) {
        *ret_count = count;
        *ret_is_cut = is_cut;
    }
    return code;
}
