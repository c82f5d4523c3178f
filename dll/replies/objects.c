/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about objects of every kind, and what only some kinds have. Windows and files have their own
 * files.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"
#include "snapshot/snapshot.h"

int reply_setup_object_iterator(mqs_process_info *info, int kind)
{
    if (object_table(kind) == MPILENS_TABLE_COUNT)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    info->objects = buckets_begin(&info->reading.snapshot.objects, (size_t)kind);
    info->listed_kind = kind;
    info->object = NULL;
    return mqs_ok;
}

int reply_next_object(mqs_process_info *info, struct mpilens_object_information *ret_object)
{
    if (!reply_is_possible(ret_object))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    const void *record = buckets_next(&info->reading.snapshot.objects, &info->objects);
    process_info_set_object(info, info->listed_kind, record);
    if (record == NULL)
        return mqs_end_of_list;
    struct mpilens_object_information answer;
    object_describe(&info->reading, info->listed_kind, record, &answer);
    reply_give(ret_object, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_op(mqs_process_info *info, struct mpilens_op_information *ret_op)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_OP, ret_op, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_op *op = record;
    const struct mpilens_op_information answer = {.user_function = op->user_function,
                                                  .commutative = op->commutative != 0};
    reply_give(ret_op, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_errhandler(mqs_process_info *info, struct mpilens_errhandler_information *ret_errhandler)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_ERRHANDLER, ret_errhandler, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_errhandler *errhandler = record;
    const struct mpilens_errhandler_information answer = {.user_function = errhandler->user_function,
                                                          .attachable = errhandler->object_kind};
    reply_give(ret_errhandler, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_keyval(mqs_process_info *info, struct mpilens_keyval_information *ret_keyval)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_KEYVAL, ret_keyval, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_keyval *keyval = record;
    const struct mpilens_keyval_information answer = {.copy_function = keyval->copy_function,
                                                      .delete_function = keyval->delete_function,
                                                      .extra_state = keyval->extra_state,
                                                      .attachable = keyval->object_kind};
    reply_give(ret_keyval, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute)
{
    mqs_process_info *info = process_info(process);
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_ATTRIBUTE, ret_attribute, &record);
    if (code != mqs_ok)
        return code;
    struct mpilens_attribute_information answer;
    attribute_describe(&info->reading.snapshot, record, &answer);
    reply_give(ret_attribute, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_session(mqs_process_info *info, struct mpilens_session_information *ret_session)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_SESSION, ret_session, &record);
    if (code != mqs_ok)
        return code;
    code = process_info_need(info, TABLE_BIT(MPILENS_TABLE_ERRHANDLERS));
    if (code != mqs_ok)
        return code;
    const struct mpilens_session *session = record;
    const struct mpilens_session_information answer = {
        .buffer = session->buffer,
        .buffer_bytes = session->buffer_bytes,
        .thread_level = session->thread_level,
        .errhandler = snapshot_errhandler_handle(&info->reading.snapshot, session->errhandler)};
    reply_give(ret_session, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_datatype(mqs_process_info *info, struct mpilens_datatype_information *ret_datatype)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_DATATYPE, ret_datatype, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_datatype *datatype = record;
    const struct mpilens_datatype_information answer = {.size = datatype->size >= 0 ? datatype->size : -1,
                                                        .committed =
                                                            (datatype->flags & MPILENS_DATATYPE_COMMITTED) != 0};
    reply_give(ret_datatype, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_group(mqs_process_info *info, struct mpilens_group_information *ret_group)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_GROUP, ret_group, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_group *group = record;
    const struct mpilens_group_information answer = {.size = group->size, .rank = group->rank};
    reply_give(ret_group, &answer, sizeof answer);
    return mqs_ok;
}
