/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies that find what a handle names.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"
#include "snapshot/snapshot.h"

static bool is_language(enum mpilens_handle_language language)
{
    return language == MPILENS_HANDLE_C || language == MPILENS_HANDLE_FORTRAN;
}

/* The tables needed to find and describe an object of this kind. */
static uint32_t tables_of(int kind)
{
    const bool has_communicator =
        kind == MPILENS_OBJECT_WINDOW || kind == MPILENS_OBJECT_FILE || kind == MPILENS_OBJECT_MESSAGE;
    return TABLE_BIT(object_table(kind)) | (has_communicator ? TABLE_BIT(MPILENS_TABLE_COMMUNICATORS) : 0);
}

static int give_object(mqs_process_info *info, int kind, const void *record,
                       struct mpilens_object_information *ret_object)
{
    if (record == NULL)
        return mqs_no_information;
    struct mpilens_object_information answer;
    process_info_set_object(info, kind, record);
    object_describe(&info->reading, kind, record, &answer);
    reply_give(ret_object, &answer, sizeof answer);
    return mqs_ok;
}

static int give_null(mqs_process_info *info, const struct handle *handle, int place,
                     struct mpilens_object_information *ret_object)
{
    struct mpilens_object_information answer = {.kind = (uint32_t)handle->kind,
                                                .flags = MPILENS_OBJECT_NULL | MPILENS_OBJECT_PREDEFINED,
                                                .handle = info->reading.root.process.null_handles[place],
                                                .predefined = 1};
    text_set(answer.name, sizeof answer.name,
             place == MPILENS_NO_PROC_PLACE ? "MPI_MESSAGE_NO_PROC" : mpilens_null_handle_name(handle->kind));
    process_info_set_object(info, handle->kind, NULL);
    reply_give(ret_object, &answer, sizeof answer);
    return mqs_ok;
}

int reply_find_object(mqs_process_info *info, int kind, enum mpilens_handle_language language, uint64_t handle,
                      struct mpilens_object_information *ret_object)
{
    const enum mpilens_table_kind table = object_table(kind);
    if (!reply_is_possible(ret_object) || !is_language(language) || table == MPILENS_TABLE_COUNT ||
        kind == MPILENS_OBJECT_ATTRIBUTE)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_begin_lookup(info);
    if (code != mqs_ok)
        return code;
    const struct handle asked = {kind, language, handle};
    const int null_place = handle_null_place(&info->reading.root.process, &asked);
    if (null_place != MPILENS_OBJECT_NONE)
        return give_null(info, &asked, null_place, ret_object);
    code = process_info_need(info, tables_of(kind));
    if (code != mqs_ok)
        return code;
    return give_object(info, kind,
                       handle_lookup(&info->reading.snapshot.tables[table], &info->reading.root.process, &asked),
                       ret_object);
}

int reply_find_object_by_serial(mqs_process_info *info, int kind, uint32_t serial,
                                struct mpilens_object_information *ret_object)
{
    const enum mpilens_table_kind table = object_table(kind);
    if (!reply_is_possible(ret_object) || table == MPILENS_TABLE_COUNT || kind == MPILENS_OBJECT_MESSAGE ||
        kind == MPILENS_OBJECT_ATTRIBUTE)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_begin_lookup(info);
    if (code == mqs_ok)
        code = process_info_need(info, tables_of(kind));
    if (code != mqs_ok)
        return code;
    return give_object(info, kind, serial_lookup(&info->reading.snapshot.tables[table], serial), ret_object);
}

static int give_null_request(const struct reading *reading, struct mpilens_operation_information *ret_request)
{
    struct mpilens_operation_information answer = {.request = reading->root.process.request_null,
                                                   .peer_local = -1,
                                                   .peer_world = -1,
                                                   .tag = -1,
                                                   .offset = -1,
                                                   .count = -1,
                                                   .bytes = -1,
                                                   .partition_count = -1};
    text_set(answer.function, sizeof answer.function, mpilens_null_handle_name(MPILENS_OBJECT_REQUEST));
    const bool known = reading->root.process.known_nulls & (1u << MPILENS_OBJECT_REQUEST);
    answer.has_fortran_handle = known;
    answer.fortran_handle = known ? reading->root.process.fortran_null_handles[MPILENS_OBJECT_REQUEST] : -1;
    reply_give(ret_request, &answer, sizeof answer);
    return mqs_ok;
}

int reply_find_request(mqs_process_info *info, enum mpilens_handle_language language, uint64_t handle,
                       struct mpilens_operation_information *ret_request)
{
    if (!reply_is_possible(ret_request) || !is_language(language))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_begin_request_lookup(info);
    if (code != mqs_ok)
        return code;
    const struct handle asked = {MPILENS_OBJECT_REQUEST, language, handle};
    if (handle_null_place(&info->reading.root.process, &asked) != MPILENS_OBJECT_NONE)
        return give_null_request(&info->reading, ret_request);
    const struct mpilens_operation *operation = NULL;
    code = request_lookup(&info->reading, &asked, &operation);
    if (code != mqs_ok)
        return code;
    struct mpilens_operation_information answer;
    request_describe(&info->reading, operation, &answer);
    answer.has_fortran_handle = request_in_fortran(&info->reading, operation, &answer.fortran_handle);
    answer.sharers = request_count_sharers(&info->reading, operation);
    reply_give(ret_request, &answer, sizeof answer);
    return mqs_ok;
}

int reply_handle_bytes(mqs_process_info *info, int kind)
{
    if (process_info_need_root(info) != mqs_ok)
        return 0;
    const uint32_t bytes = handle_bytes(&info->reading.root.process, kind);
    return bytes == sizeof(uint32_t) || bytes == sizeof(uint64_t) ? (int)bytes : 0;
}

int reply_get_handle(mqs_process_info *info, struct mpilens_handle_information *ret_handle)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_NONE, ret_handle, &record);
    if (code != mqs_ok)
        return code;
    struct mpilens_handle_information answer = {.fortran_handle = -1};
    const struct mpilens_process *root = &info->reading.root.process;
    const int kind = info->object_kind;
    if (kind == MPILENS_OBJECT_ATTRIBUTE)
        return mqs_no_information;
    if (kind == MPILENS_OBJECT_MESSAGE) {
        const struct mpilens_message *message = record;
        answer.has_fortran_handle = handle_to_fortran(root, kind, message->handle, &answer.fortran_handle);
    } else {
        const struct mpilens_object *object = record;
        answer.from_fortran = (object->flags & MPILENS_OBJECT_FROM_FORTRAN) != 0;
        answer.freed_site = object->freed_site;
        text_set(answer.freed_function, sizeof answer.freed_function,
                 function_table_get(&info->reading.functions, object->freed_function)->name);
        answer.has_fortran_handle = (object->flags & MPILENS_OBJECT_HAS_FORTRAN_HANDLE) != 0;
        if (answer.has_fortran_handle)
            answer.fortran_handle = object->fortran_handle;
        else
            answer.has_fortran_handle = handle_to_fortran(root, kind, object->handle, &answer.fortran_handle);
    }
    reply_give(ret_handle, &answer, sizeof answer);
    return mqs_ok;
}

int reply_get_handle_of(mqs_process_info *info, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle)
{
    const struct mpilens_process *root = &info->reading.root.process;
    if ((object->flags & MPILENS_OBJECT_NULL) == 0)
        return reply_get_handle(info, ret_handle);
    const struct handle null = {(int)object->kind, MPILENS_HANDLE_C, object->handle};
    const int place = handle_null_place(root, &null);
    const struct mpilens_handle_information answer = {
        .fortran_handle = root->fortran_null_handles[place],
        .has_fortran_handle = (root->known_nulls & (1u << place)) != 0,
    };
    reply_give(ret_handle, &answer, sizeof answer);
    return mqs_ok;
}
