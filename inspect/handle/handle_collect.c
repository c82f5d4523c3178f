/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the object that a handle names.
 */
#include "handle/handle.h"

#include "base/base.h"
#include "collect/collect.h"
#include "model/model.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

/* The value as the DLL takes it; false: no such handle can be. */
static bool normalize(const struct collection *collection, const struct handle_query *query, uint64_t *ret_value)
{
    const uint64_t high = query->value >> 32;
    const bool is_negative = (query->value & 0x80000000u) != 0;
    const bool is_short = high == 0 || (high == 0xffffffffu && is_negative);
    *ret_value = query->value;
    if (query->language == MPILENS_HANDLE_FORTRAN) {
        *ret_value = (uint64_t)(int64_t)(int32_t)(uint32_t)query->value;
        return is_short;
    }
    const int bytes = collection->dll->mpilens_handle_bytes(collection->handle, (int)query->kind);
    if (bytes != 4)
        return true;
    *ret_value = query->value & 0xffffffffu;
    return is_short;
}

/* Copies a text of fixed size from the answer of a DLL, which may lack the final NUL. */
static const char *keep(const struct collection *collection, const char *text)
{
    return text_pool_add(collection->names, text);
}

static const char *object_name(const struct collection *collection, int kind, uint64_t handle)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    if (handle == 0 ||
        collection->dll->mpilens_find_object(collection->handle, kind, MPILENS_HANDLE_C, handle, &object) != mqs_ok)
        return "";
    return keep(collection, object.name);
}

static struct handle_function function_of(uint64_t address)
{
    return (struct handle_function){.address = address};
}

static void find_message(const struct process *process, struct handle *handle)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        for (size_t j = 0; j < process->communicators[i].message_count; j++)
            if (process->communicators[i].matched_messages[j].handle == handle->object.handle)
                handle->message = &process->communicators[i].matched_messages[j];
}

static void collect_kind(const struct collection *collection, const struct process *process, struct handle *handle)
{
    const struct dll *dll = collection->dll;
    mqs_process *at = collection->handle;
    switch (handle->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        handle_collect_communicator(collection, handle);
        break;
    case MPILENS_OBJECT_GROUP:
        handle->group = (struct mpilens_group_information){.struct_size = sizeof handle->group, .size = -1, .rank = -1};
        dll->mpilens_get_group(at, &handle->group);
        handle->members = handle_collect_members(collection, false);
        break;
    case MPILENS_OBJECT_OP:
        handle->op.struct_size = sizeof handle->op;
        dll->mpilens_get_op(at, &handle->op);
        handle->function = function_of(handle->op.user_function);
        break;
    case MPILENS_OBJECT_ERRHANDLER:
        handle->handler.struct_size = sizeof handle->handler;
        dll->mpilens_get_errhandler(at, &handle->handler);
        handle->function = function_of(handle->handler.user_function);
        break;
    case MPILENS_OBJECT_KEYVAL:
        handle->keyval.struct_size = sizeof handle->keyval;
        dll->mpilens_get_keyval(at, &handle->keyval);
        handle->copy_function = function_of(handle->keyval.copy_function);
        handle->delete_function = function_of(handle->keyval.delete_function);
        break;
    case MPILENS_OBJECT_SESSION:
        handle->session =
            (struct mpilens_session_information){.struct_size = sizeof handle->session, .thread_level = -1};
        dll->mpilens_get_session(at, &handle->session);
        handle->errhandler = handle->session.errhandler;
        break;
    case MPILENS_OBJECT_WINDOW:
        handle->window = collect_window(collection);
        handle->errhandler = handle->window != NULL ? handle->window->errhandler : 0;
        break;
    case MPILENS_OBJECT_FILE:
        handle->file = collect_file(collection);
        handle->errhandler = handle->file != NULL ? handle->file->errhandler : 0;
        break;
    case MPILENS_OBJECT_MESSAGE:
        find_message(process, handle);
        break;
    case MPILENS_OBJECT_DATATYPE:
        handle_collect_datatype(collection, handle);
        break;
    }
}

/* Collects the names of related objects; afterwards the DLL has another current object. */
static void collect_relations(const struct collection *collection, const struct process *process, struct handle *handle)
{
    handle->errhandler_name = object_name(collection, MPILENS_OBJECT_ERRHANDLER, handle->errhandler);
    for (size_t i = 0; i < handle->attribute_count; i++)
        handle->attributes[i].name = object_name(collection, MPILENS_OBJECT_KEYVAL, handle->attributes[i].keyval);
    const struct communicator *communicator =
        handle->object.communicator_id != 0 ? find_communicator(process, handle->object.communicator_id) : NULL;
    handle->communicator_name = "";
    if (communicator != NULL && handle->kind != MPILENS_OBJECT_COMMUNICATOR) {
        handle->communicator = communicator->handle;
        handle->communicator_name = communicator->name;
    }
}

static void collect_object(const struct collection *collection, const struct process *process, struct handle *handle)
{
    handle->kind = handle->object.kind;
    handle->value = handle->object.handle;
    handle->is_null = (handle->object.flags & MPILENS_OBJECT_NULL) != 0;
    handle->errhandler_name = handle->communicator_name = "";
    handle->sentence.text = "";
    if (handle->is_null)
        return;
    handle_collect_common(collection, handle);
    collect_kind(collection, process, handle);
    collect_relations(collection, process, handle);
}

/* Marks behind the last run that is read are not shown. */
static void collect_partitions(const struct collection *collection, uint64_t serial, struct handle *handle)
{
    enum { MOST_RUNS = 1024 };
    struct mpilens_partition_run *runs = allocate(MOST_RUNS * sizeof *runs);
    size_t count = 0;
    if (collection->dll->mpilens_get_partitions(collection->handle, serial, runs, MOST_RUNS, &count) != mqs_ok) {
        free(runs);
        return;
    }
    handle->partitions = runs;
    handle->partition_run_count = count < MOST_RUNS ? count : MOST_RUNS;
}

static void take_request(const struct collection *collection, const struct process *process,
                         const struct mpilens_operation_information *information, struct handle *handle)
{
    char sentence[1024] = "";
    collection->dll->mpilens_summarize_request(collection->handle, information, sentence, sizeof sentence);
    handle->sentence.text = keep(collection, sentence);
    handle_collect_page(collection, collection->dll->mpilens_setup_request_page(collection->handle, information),
                        handle);
    handle->request = collection_operation(collection, information);
    handle->sharers = information->sharers;
    handle->is_to_nobody = information->to_nobody != 0;
    handle->is_null = information->serial == 0;
    handle->errhandler_name = handle->communicator_name = "";
    handle->value = information->request != 0 ? information->request : handle->value;
    handle->age_s = handle->request.age_s;
    handle->object = (struct mpilens_object_information){.kind = MPILENS_OBJECT_REQUEST,
                                                         .handle = handle->value,
                                                         .site = information->site,
                                                         .created = information->posted,
                                                         .predefined = handle->is_null,
                                                         .freed = information->state == MPILENS_OPERATION_RELEASED};
    memcpy(handle->object.function, information->function, sizeof handle->object.function);
    if (handle->is_null) {
        memcpy(handle->object.name, information->function, sizeof information->function);
        return;
    }
    handle->operation = find_operation(process, information->serial, &handle->request_communicator);
    if ((information->flags & MPILENS_OPERATION_PARTITIONED) != 0)
        collect_partitions(collection, information->serial, handle);
    if (handle->request_communicator == NULL && information->communicator_id != 0)
        handle->request_communicator = find_communicator(process, information->communicator_id);
    if (handle->request_communicator != NULL) {
        handle->communicator = handle->request_communicator->handle;
        handle->communicator_name = handle->request_communicator->name;
    }
}

static enum handle_result result_of(int code, int *ret_code)
{
    *ret_code = code;
    if (code == mqs_ok)
        return HANDLE_FOUND;
    return code == mqs_no_information || code == mqs_end_of_list ? HANDLE_UNKNOWN : HANDLE_FAILED;
}

enum handle_result handle_collect(const struct collection *collection, const struct process *process,
                                  const struct handle_query *query, struct handle *ret_handle, int *ret_code)
{
    struct handle handle = {.rank = process->rank, .pid = process->pid, .part = process->part, .kind = query->kind};
    const struct dll *dll = collection->dll;
    int code;
    handle.sentence.text = handle.errhandler_name = handle.communicator_name = "";
    if (query->kind != MPILENS_OBJECT_STATUS && !normalize(collection, query, &handle.value))
        return result_of(mqs_no_information, ret_code);
    if (query->kind == MPILENS_OBJECT_STATUS) {
        handle.value = query->value;
        handle.status = (struct mpilens_status_information){.struct_size = sizeof handle.status};
        code = dll->mpilens_get_status(collection->handle, query->value, &handle.status);
        char sentence[256] = "";
        if (code == mqs_ok) {
            dll->mpilens_summarize_status(&handle.status, sentence, sizeof sentence);
            handle_collect_page(collection, dll->mpilens_setup_status_page(collection->handle, &handle.status),
                                &handle);
        }
        handle.sentence.text = keep(collection, sentence);
    } else if (query->kind == MPILENS_OBJECT_REQUEST) {
        struct mpilens_operation_information request = {.struct_size = sizeof request};
        code = dll->mpilens_find_request(collection->handle, query->language, handle.value, &request);
        if (code == mqs_ok) {
            take_request(collection, process, &request, &handle);
            handle.more.has_fortran_handle = request.has_fortran_handle;
            handle.more.fortran_handle = request.fortran_handle;
        }
    } else {
        handle.object = (struct mpilens_object_information){.struct_size = sizeof handle.object};
        code = dll->mpilens_find_object(collection->handle, (int)query->kind, query->language, handle.value,
                                        &handle.object);
        if (code == mqs_ok) {
            const uint64_t asked = handle.value;
            collect_object(collection, process, &handle);
            if (handle.is_null && query->language == MPILENS_HANDLE_FORTRAN) {
                handle.more.has_fortran_handle = 1; /* of null handles the DLL does not say it */
                handle.more.fortran_handle = (int64_t)asked;
            }
            handle.kind = query->kind;
        }
    }
    if (code == mqs_ok)
        *ret_handle = handle;
    return result_of(code, ret_code);
}

static bool is_called(const struct collection *collection, uint32_t kind, const char *name,
                      struct mpilens_object_information *ret_object)
{
    int code = collection->dll->mpilens_setup_object_iterator(collection->handle, (int)kind);
    while (code == mqs_ok) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        code = collection->dll->mpilens_next_object(collection->handle, &object);
        if (code == mqs_ok && object.predefined && strcmp(object.name, name) == 0) {
            *ret_object = object;
            return true;
        }
    }
    return false;
}

enum handle_result handle_collect_predefined(const struct collection *collection, const struct process *process,
                                             const struct handle_query *query, struct handle *ret_handle, int *ret_code)
{
    struct handle handle = {.rank = process->rank, .pid = process->pid, .part = process->part};
    for (uint32_t kind = MPILENS_OBJECT_NONE + 1; kind <= MPILENS_OBJECT_REQUEST; kind++) {
        const char *null = mpilens_null_handle_name((int)kind);
        if (kind == MPILENS_OBJECT_ATTRIBUTE || (query->kind != MPILENS_OBJECT_NONE && query->kind != kind))
            continue;
        if (null[0] != '\0' && strcmp(null, query->name) == 0) {
            handle.kind = kind;
            handle.is_null = true;
            handle.object = (struct mpilens_object_information){.kind = kind, .predefined = 1};
            strncpy(handle.object.name, null, sizeof handle.object.name - 1);
            handle.sentence.text = handle.errhandler_name = handle.communicator_name = "";
            *ret_handle = handle;
            return result_of(mqs_ok, ret_code);
        }
        if (kind != MPILENS_OBJECT_REQUEST && is_called(collection, kind, query->name, &handle.object)) {
            struct mpilens_object_information found = {.struct_size = sizeof found};
            const int code = collection->dll->mpilens_find_object(collection->handle, (int)kind, MPILENS_HANDLE_C,
                                                                  handle.object.handle, &found);
            if (code != mqs_ok)
                return result_of(code, ret_code);
            handle.object = found;
            collect_object(collection, process, &handle);
            *ret_handle = handle;
            return result_of(mqs_ok, ret_code);
        }
    }
    return result_of(mqs_no_information, ret_code);
}
