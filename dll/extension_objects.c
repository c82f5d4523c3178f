/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens_* entry points about objects of every kind, and what only some kinds have. Windows and files have their own
 * files.
 */
#include "object_kinds.h"
#include "object_reference.h"
#include "reply.h"
#include "summary_parts.h"

int mpilens_setup_object_iterator(mqs_process *process, int kind)
{
    mqs_process_info *info = NULL;
    if (object_table(kind) == MPILENS_TABLE_COUNT)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    info->objects = buckets_begin(&info->snapshot.objects, (size_t)kind);
    info->object_kind = kind;
    info->object = NULL;
    return mqs_ok;
}

static void set_message(const mqs_process_info *info, const struct mpilens_message *message,
                        struct mpilens_object_information *answer, uint32_t *ret_function)
{
    answer->handle = message->handle;
    answer->references = 1;
    answer->site = message->site;
    answer->created = message->matched_time;
    answer->communicator_id = snapshot_communicator_id(&info->snapshot, message->communicator);
    *ret_function = message->function;
}

static void set_handled(const struct object_fields *object, struct mpilens_object_information *answer,
                        uint32_t *ret_function)
{
    answer->flags = object->flags;
    answer->handle = object->handle;
    answer->serial = object->serial;
    answer->references = object->references;
    answer->users = object->users;
    answer->predefined = (object->flags & MPILENS_OBJECT_PREDEFINED) != 0;
    answer->origin_unseen = (object->flags & MPILENS_OBJECT_ORIGIN_UNSEEN) != 0;
    answer->site = object->site;
    answer->created = object->created;
    *ret_function = object->function;
}

const char *object_name(int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->name;
    case MPILENS_OBJECT_DATATYPE:
        return ((const struct mpilens_datatype *)record)->name;
    case MPILENS_OBJECT_OP:
        return ((const struct mpilens_op *)record)->name;
    case MPILENS_OBJECT_ERRHANDLER:
        return ((const struct mpilens_errhandler *)record)->name;
    case MPILENS_OBJECT_INFO:
        return ((const struct mpilens_info *)record)->name;
    case MPILENS_OBJECT_KEYVAL:
        return ((const struct mpilens_keyval *)record)->name;
    case MPILENS_OBJECT_WINDOW:
        return ((const struct mpilens_window *)record)->name;
    case MPILENS_OBJECT_FILE:
        return ((const struct mpilens_file *)record)->name;
    default:
        return "";
    }
}

static uint64_t communicator_of(const mqs_process_info *info, int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->unique_id;
    case MPILENS_OBJECT_WINDOW:
        return snapshot_communicator_id(&info->snapshot, ((const struct mpilens_window *)record)->communicator);
    case MPILENS_OBJECT_FILE:
        return snapshot_communicator_id(&info->snapshot, ((const struct mpilens_file *)record)->communicator);
    default:
        return 0;
    }
}

static void describe(const mqs_process_info *info, int kind, const void *record,
                     struct mpilens_object_information *ret_answer)
{
    const uint32_t *state = record;
    uint32_t function = 0;
    struct mpilens_object_information answer = {.kind = (uint32_t)kind, .freed = *state == MPILENS_OBJECT_FREED};
    if (kind == MPILENS_OBJECT_MESSAGE) {
        set_message(info, record, &answer, &function);
    } else if (kind == MPILENS_OBJECT_ATTRIBUTE) {
        answer.references = 1;
        answer.site = ((const struct mpilens_attribute *)record)->site;
    } else {
        set_handled(record, &answer, &function);
        answer.communicator_id = communicator_of(info, kind, record);
    }
    text_set(answer.function, sizeof(answer.function), function_table_get(&info->functions, function)->name);
    text_set(answer.name, sizeof(answer.name), object_name(kind, record));
    *ret_answer = answer;
}

int mpilens_next_object(mqs_process *process, struct mpilens_object_information *ret_object)
{
    mqs_process_info *info = NULL;
    if (!reply_is_possible(ret_object))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    info->object = buckets_next(&info->snapshot.objects, &info->objects);
    if (!info->object)
        return mqs_end_of_list;
    struct mpilens_object_information answer;
    describe(info, info->object_kind, info->object, &answer);
    reply_give(ret_object, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_op(mqs_process *process, struct mpilens_op_information *ret_op)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_OP, ret_op, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_op *op = record;
    const struct mpilens_op_information answer = {.user_function = op->user_function,
                                                  .commutative = op->commutative != 0};
    reply_give(ret_op, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_errhandler(mqs_process *process, struct mpilens_errhandler_information *ret_errhandler)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_ERRHANDLER, ret_errhandler, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_errhandler *errhandler = record;
    const struct mpilens_errhandler_information answer = {.user_function = errhandler->user_function,
                                                          .attachable = errhandler->object_kind};
    reply_give(ret_errhandler, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_keyval(mqs_process *process, struct mpilens_keyval_information *ret_keyval)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_KEYVAL, ret_keyval, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_keyval *keyval = record;
    const struct mpilens_keyval_information answer = {.copy_function = keyval->copy_function,
                                                      .delete_function = keyval->delete_function,
                                                      .extra_state = keyval->extra_state,
                                                      .attachable = keyval->object_kind};
    reply_give(ret_keyval, &answer, sizeof(answer));
    return mqs_ok;
}

/* What an attribute of this kind can be set on. */
static int attached_kind(uint32_t attachable)
{
    switch (attachable) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return MPILENS_OBJECT_COMMUNICATOR;
    case MPILENS_ATTACHABLE_DATATYPE:
        return MPILENS_OBJECT_DATATYPE;
    case MPILENS_ATTACHABLE_WINDOW:
        return MPILENS_OBJECT_WINDOW;
    default:
        return MPILENS_OBJECT_NONE;
    }
}

int mpilens_get_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_ATTRIBUTE, ret_attribute, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_attribute *attribute = record;
    struct mpilens_attribute_information answer = {.value = attribute->value};
    const struct mpilens_keyval *keyval = snapshot_keyval(&info->snapshot, attribute->keyval);
    if (keyval) {
        answer.keyval_serial = keyval->serial;
        answer.keyval_handle = keyval->state == MPILENS_OBJECT_LIVE ? keyval->handle : 0;
    }
    const struct object_reference object =
        object_reference_get(&info->snapshot, attached_kind(attribute->object_kind), attribute->object);
    answer.object_kind = object.kind;
    answer.object_serial = object.serial;
    answer.object_handle = object.handle;
    reply_give(ret_attribute, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_session(mqs_process *process, struct mpilens_session_information *ret_session)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_SESSION, ret_session, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_session *session = record;
    const struct mpilens_session_information answer = {
        .buffer = session->buffer,
        .buffer_bytes = session->buffer_bytes,
        .thread_level = session->thread_level,
        .errhandler = snapshot_errhandler_handle(&info->snapshot, session->errhandler)};
    reply_give(ret_session, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_datatype(mqs_process *process, struct mpilens_datatype_information *ret_datatype)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_DATATYPE, ret_datatype, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_datatype *datatype = record;
    const struct mpilens_datatype_information answer = {.size = datatype->size >= 0 ? datatype->size : -1,
                                                        .committed =
                                                            (datatype->flags & MPILENS_DATATYPE_COMMITTED) != 0};
    reply_give(ret_datatype, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_group(mqs_process *process, struct mpilens_group_information *ret_group)
{
    mqs_process_info *info = NULL;
    const void *record = NULL;
    int code = reply_object(process, MPILENS_OBJECT_GROUP, ret_group, &info, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_group *group = record;
    const struct mpilens_group_information answer = {.size = group->size, .rank = group->rank};
    reply_give(ret_group, &answer, sizeof(answer));
    return mqs_ok;
}
