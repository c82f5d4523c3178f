/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about files.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"

int reply_get_file(mqs_process_info *info, struct mpilens_file_information *ret_file)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_FILE, ret_file, &record);
    if (code != mqs_ok)
        return code;
    code = process_info_need(info, TABLE_BIT(MPILENS_TABLE_DATATYPES) | TABLE_BIT(MPILENS_TABLE_ERRHANDLERS));
    if (code != mqs_ok)
        return code;
    const struct mpilens_file *file = record;
    struct mpilens_file_information answer = {
        .id = file->unique_id,
        .communicator_id = snapshot_communicator_id(&info->reading.snapshot, file->communicator),
        .amode = file->mode,
        .atomicity = file->atomicity != 0,
        .view_displacement = file->view_displacement,
        .split_collective_site = file->split_collective != 0 ? file->split_site : 0,
        .operations = file->operations,
        .errhandler = snapshot_errhandler_handle(&info->reading.snapshot, file->errhandler),
        .collective_calls = file->collective_count,
    };
    struct text text = text_begin(answer.view_etype, sizeof answer.view_etype);
    text_add_datatype(&text, &info->reading, snapshot_datatype(&info->reading.snapshot, file->view_etype));
    text = text_begin(answer.view_filetype, sizeof answer.view_filetype);
    text_add_datatype(&text, &info->reading, snapshot_datatype(&info->reading.snapshot, file->view_filetype));
    text_set(answer.view_representation, sizeof answer.view_representation, file->view_representation);
    text_set(answer.split_collective, sizeof answer.split_collective,
             function_table_get(&info->reading.functions, file->split_collective)->name);
    reply_give(ret_file, &answer, sizeof answer);
    return mqs_ok;
}
