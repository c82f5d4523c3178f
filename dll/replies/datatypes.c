/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about what datatypes were made of.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "types/types.h"

#include "mpilens/words.h"

const char *reply_combiner_name(uint32_t combiner)
{
    const char *word = mpilens_combiner_word(combiner);
    return word != NULL ? word : mpilens_combiner_word(MPILENS_COMBINER_UNKNOWN);
}

int reply_get_datatype_contents(mqs_process_info *info, struct mpilens_datatype_contents *ret_contents)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_DATATYPE, ret_contents, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_datatype *datatype = record;
    const bool has_extents = datatype->size >= 0;
    const struct mpilens_datatype_contents answer = {
        .combiner = datatype_combiner(datatype),
        .integer_count = datatype->integer_count,
        .address_count = datatype->address_count,
        .datatype_count = datatype->datatype_count,
        .cut = datatype_argument_count(datatype) > 0 && datatype->arguments == 0,
        .lower_bound = has_extents ? datatype->lower_bound : -1,
        .extent = has_extents ? datatype->extent : -1,
        .true_lower_bound = has_extents ? datatype->true_lower_bound : -1,
        .true_extent = has_extents ? datatype->true_extent : -1,
    };
    reply_give(ret_contents, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_datatype_arguments(mqs_process_info *info, int64_t *ret_arguments, size_t capacity, size_t *ret_count)
{
    const void *record = NULL;
    if (ret_count == NULL || (capacity > 0 && ret_arguments == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_DATATYPE, &record);
    if (code != mqs_ok)
        return code;
    struct datatype_arguments arguments;
    code = datatype_arguments_read(&info->reading, &info->object_block, record, &arguments);
    if (code != mqs_ok)
        return code;
    const size_t count = arguments.number_count < capacity ? arguments.number_count : capacity;
    for (size_t i = 0; i < count; i++)
        ret_arguments[i] = datatype_arguments_number(&arguments, i);
    *ret_count = count;
    return mqs_ok;
}

int reply_get_datatype_argument(mqs_process_info *info, size_t n, struct mpilens_object_information *ret_object)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_DATATYPE, ret_object, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_datatype *datatype = record;
    struct datatype_arguments arguments;
    if (n >= datatype->datatype_count)
        return mqs_end_of_list;
    code = datatype_arguments_read(&info->reading, &info->object_block, datatype, &arguments);
    if (code != mqs_ok)
        return code;
    const struct mpilens_datatype *argument =
        snapshot_datatype(&info->reading.snapshot, datatype_arguments_address(&arguments, n));
    if (argument == NULL)
        return mqs_no_information;
    struct mpilens_object_information answer;
    object_describe(&info->reading, MPILENS_OBJECT_DATATYPE, argument, &answer);
    reply_give(ret_object, &answer, sizeof answer);
    return mqs_ok;
}
