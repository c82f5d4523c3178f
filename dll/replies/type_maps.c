/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the type map of a datatype.
 */
#include "replies/type_maps.h"

#include "facts/text.h"
#include "replies/reply.h"
#include "target/allocator.h"
#include "types/type_map.h"

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
    const struct type_source source = {.target = &info->reading.target,
                                       .copy = &info->reading.snapshot,
                                       .big_endian = info->reading.root.offsets.header.big_endian};
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
