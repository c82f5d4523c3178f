/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds the results of mpid_* queries: texts, lists, and the facts that all kinds have.
 */
#include "mpid/mpid_results.h"

#include "replies/handles.h"
#include "replies/members.h"
#include "replies/texts.h"
#include "replies/users.h"
#include "target/allocator.h"

#include <limits.h>
#include <string.h>

/* More members of a group than this are not believed. */
static const size_t process_limit = (size_t)1 << 26;

char *mpid_text(const char *text, bool or_null, int *code)
{
    if (*code != mqs_ok || text == NULL || (or_null && text[0] == '\0'))
        return NULL;
    const size_t bytes = strlen(text) + 1;
    char *copy = allocate_array(bytes, 1);
    if (copy != NULL)
        memcpy(copy, text, bytes);
    else
        *code = MPILENS_ERROR_NO_MEMORY;
    return copy;
}

static bool grow(struct mpid_list *list)
{
    const size_t capacity = list->capacity > 0 ? list->capacity * 2 : 8;
    void *items = allocate_array(capacity, list->item_bytes);
    if (items == NULL)
        return false;
    if (list->count > 0)
        memcpy(items, list->items, list->count * list->item_bytes);
    release(list->items);
    list->items = items;
    list->capacity = capacity;
    return true;
}

void *mpid_list_add(struct mpid_list *list)
{
    if (list->count == list->capacity && !grow(list))
        return NULL;
    return (char *)list->items + list->count++ * list->item_bytes;
}

void mpid_give_list(struct mpid_list *list, int code, int *ret_count, void *ret_items)
{
    if (code == mqs_ok) {
        MPID_GIVE(ret_count, (int)list->count);
        if (ret_items != NULL) {
            memcpy(ret_items, &list->items, sizeof(void *));
            list->items = NULL;
        }
    }
    release(list->items);
    *list = (struct mpid_list){.items = NULL};
}

static int add_pair(struct mpid_list *pairs, const char *key, const char *value)
{
    int code = mqs_ok;
    mpid_keyvalue_pair_t *pair = mpid_list_add(pairs);
    if (pair == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    pair->key_name = mpid_text(key, false, &code);
    pair->value = mpid_text(value, false, &code);
    return code;
}

void mpid_free_pairs(const struct mpid_list *pairs)
{
    const mpid_keyvalue_pair_t *pair = pairs->items;
    for (size_t i = 0; i < pairs->count; i++) {
        release(pair[i].key_name);
        release(pair[i].value);
    }
}

int mpid_collect_pairs(const struct mpid_call *call, struct mpid_list *ret_pairs)
{
    char key[512];
    char value[2048];
    *ret_pairs = (struct mpid_list){.item_bytes = sizeof(mpid_keyvalue_pair_t)};
    int code = mqs_ok;
    for (size_t n = 0; code == mqs_ok; n++) {
        code = reply_get_text_pair(call->info, n, key, sizeof key, value, sizeof value);
        if (code == mqs_ok)
            code = add_pair(ret_pairs, key, value);
    }
    return code == mqs_end_of_list ? mqs_ok : code;
}

int mpid_collect_users(const struct mpid_call *call, int kind, struct mpid_list *ret_handles)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    *ret_handles = (struct mpid_list){.item_bytes = sizeof(mpid_address_t)};
    int code = reply_setup_user_iterator(call->info);
    while (code == mqs_ok && (code = reply_next_user(call->info, &user)) == mqs_ok) {
        mpid_address_t *handle = user.kind == (uint32_t)kind ? mpid_list_add(ret_handles) : NULL;
        if (handle != NULL)
            *handle = user.handle;
        else if (user.kind == (uint32_t)kind)
            code = MPILENS_ERROR_NO_MEMORY;
    }
    return code == mqs_end_of_list ? mqs_ok : code;
}

int mpid_collect_requests(const struct mpid_call *call, struct mpid_list *ret_handles)
{
    return mpid_collect_users(call, MPILENS_OBJECT_REQUEST, ret_handles);
}

mpid_rc_t mpid_query_list(const void *handle, int kind, mpid_collect *collect,
                          void (*discard)(const struct mpid_list *), int *ret_count, void *ret_items)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct mpid_list list = {.items = NULL};
    mpid_rc_t result = mpid_begin(handle, kind, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = collect(&call, &list);
    if (discard != NULL && (code != mqs_ok || ret_items == NULL))
        discard(&list);
    mpid_give_list(&list, code, ret_count, ret_items);
    return mpid_end(&call, code);
}

mpid_rc_t mpid_query_reference(const void *handle, int kind, size_t offset, int referred_kind, void *ret_handle)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    uint64_t address = 0;
    mpid_rc_t result = mpid_begin(handle, kind, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    memcpy(&address, (const char *)call.info->object + offset, sizeof address);
    return mpid_end(&call, mpid_make_from_address(&call, referred_kind, address, ret_handle));
}

static int expand(const struct mpilens_rank_range *ranges, size_t range_count, struct mpid_list *ret_processes)
{
    size_t count = 0;
    for (size_t i = 0; i < range_count; i++)
        count += ranges[i].count > 0 ? (size_t)ranges[i].count : 0;
    if (count > process_limit)
        return MPILENS_ERROR_CORRUPT;
    if (count == 0)
        return mqs_ok;
    mpid_process_t *processes = allocate_array(count, sizeof *processes);
    if (processes == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    size_t place = 0;
    for (size_t i = 0; i < range_count; i++)
        for (int32_t n = 0; n < ranges[i].count; n++) {
            const int64_t rank = ranges[i].first + (int64_t)n * ranges[i].stride;
            processes[place++].mpi_comm_world_rank = ranges[i].first < 0 || rank < 0 || rank > INT_MAX ? -1 : (int)rank;
        }
    ret_processes->items = processes;
    ret_processes->count = count;
    return mqs_ok;
}

int mpid_collect_procs(const struct mpid_call *call, int remote, struct mpid_list *ret_processes)
{
    size_t count = 0;
    *ret_processes = (struct mpid_list){.item_bytes = sizeof(mpid_process_t)};
    int code = reply_get_members(call->info, remote, NULL, 0, &count);
    if (code != mqs_ok)
        return code;
    const size_t capacity = count;
    struct mpilens_rank_range *ranges = allocate_array(capacity, sizeof *ranges);
    if (ranges == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = reply_get_members(call->info, remote, ranges, capacity, &count);
    if (code == mqs_ok)
        code = expand(ranges, count < capacity ? count : capacity, ret_processes);
    release(ranges);
    return code;
}

int mpid_flags(const struct mpilens_object_information *object, const struct mpilens_handle_information *handle)
{
    int flags = 0;
    if (object->predefined)
        flags |= MPID_INFO_PREDEFINED;
    if (object->freed)
        flags |= MPID_INFO_FREED_HANDLE;
    if (object->freed && object->users == 0)
        flags |= MPID_INFO_FREED_OBJECT;
    if (object->flags & MPILENS_OBJECT_NULL)
        flags |= MPID_INFO_NULL;
    if (object->handle != 0)
        flags |= MPID_INFO_HANDLE_C;
    if (handle->has_fortran_handle)
        flags |= MPID_INFO_HANDLE_FINT;
    if (handle->from_fortran)
        flags |= MPID_INFO_FORTRAN_CALLBACK;
    return flags;
}

int mpid_attachable_flags(uint32_t attachable)
{
    switch (attachable) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return MPID_INFO_COMMUNICATOR;
    case MPILENS_ATTACHABLE_DATATYPE:
        return MPID_INFO_TYPE;
    case MPILENS_ATTACHABLE_FILE:
        return MPID_INFO_FILE;
    case MPILENS_ATTACHABLE_WINDOW:
        return MPID_INFO_WINDOW;
    case MPILENS_ATTACHABLE_SESSION:
        return MPID_INFO_SESSION;
    case MPILENS_ATTACHABLE_ANY:
        return MPID_INFO_COMMUNICATOR | MPID_INFO_FILE | MPID_INFO_WINDOW | MPID_INFO_SESSION;
    default:
        return 0;
    }
}

mpid_rc_t mpid_begin_common(const void *opaque, int kind, bool with_name, struct mpid_call *call,
                            struct mpid_basic *ret_basic)
{
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    *ret_basic = (struct mpid_basic){.fortran_handle = -1};
    mpid_rc_t result = mpid_begin_basic(opaque, kind, call, &ret_basic->object);
    if (result != mpid_rc_ok)
        return result;
    int code = ((const struct mpid_handle *)opaque)->is_null ? mqs_ok : reply_get_handle(call->info, &handle);
    ret_basic->flags = mpid_flags(&ret_basic->object, &handle);
    if (handle.has_fortran_handle)
        ret_basic->fortran_handle = (int)handle.fortran_handle;
    if (with_name)
        ret_basic->name = mpid_text(ret_basic->object.name, false, &code);
    return code == mqs_ok ? mpid_rc_ok : mpid_end(call, code);
}

mpid_rc_t mpid_end_common(struct mpid_call *call, struct mpid_basic *basic, int code, char **ret_name, int *ret_flags,
                          int *ret_fortran_handle)
{
    if (code != mqs_ok) {
        release(basic->name);
        return mpid_end(call, code);
    }
    MPID_GIVE(ret_name, basic->name);
    MPID_GIVE(ret_flags, basic->flags);
    MPID_GIVE(ret_fortran_handle, basic->fortran_handle);
    return mpid_end(call, mqs_ok);
}
