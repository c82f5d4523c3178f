/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds the results of mpid_* queries: texts, lists, and the facts that all kinds have.
 */
#include "mpid/mpid_internal.h"

#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

char *result_text(const char *text, bool or_null, int *code)
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

void result_give_list(struct answer_list *list, int code, int *ret_count, void *ret_items)
{
    if (code == mqs_ok) {
        MPID_GIVE(ret_count, (int)list->count);
        if (ret_items != NULL) {
            memcpy(ret_items, &list->items, sizeof(void *));
            list->items = NULL;
        }
    }
    release(list->items);
    *list = (struct answer_list){.items = NULL};
}

int result_part(const void *from, size_t count, size_t item_bytes, struct answer_list *ret_part)
{
    *ret_part = (struct answer_list){.count = count, .item_bytes = item_bytes};
    return answer_copy(from, count, item_bytes, &ret_part->items);
}

static int add_pair(void *context, const char *key, const char *value)
{
    int code = mqs_ok;
    mpid_keyvalue_pair_t pair = {.key_name = result_text(key, false, &code), .value = result_text(value, false, &code)};
    if (code == mqs_ok)
        code = answer_list_add(context, &pair);
    if (code != mqs_ok) {
        release(pair.key_name);
        release(pair.value);
    }
    return code;
}

void result_free_pairs(const struct answer_list *pairs)
{
    const mpid_keyvalue_pair_t *pair = pairs->items;
    for (size_t i = 0; i < pairs->count; i++) {
        release(pair[i].key_name);
        release(pair[i].value);
    }
}

int result_collect_pairs(const struct mpid_call *call, struct answer_list *ret_pairs)
{
    *ret_pairs = (struct answer_list){.item_bytes = sizeof(mpid_keyvalue_pair_t)};
    return answer_pairs_each(call->info, add_pair, ret_pairs);
}

int result_collect_requests(const struct mpid_call *call, struct answer_list *ret_handles)
{
    return answer_users(call->info, MPILENS_OBJECT_REQUEST, sizeof(mpid_address_t), ret_handles);
}

mpid_rc_t handle_query_list(const void *handle, int kind, collect_list *collect,
                            void (*discard)(const struct answer_list *), int *ret_count, void *ret_items)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    struct answer_list list = {.items = NULL};
    mpid_rc_t result = call_begin(handle, kind, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    int code = collect(&call, &list);
    if (discard != NULL && (code != mqs_ok || ret_items == NULL))
        discard(&list);
    result_give_list(&list, code, ret_count, ret_items);
    return call_end(&call, code);
}

mpid_rc_t handle_query_reference(const void *handle, int kind, size_t offset, int referred_kind, void *ret_handle)
{
    struct mpid_call call;
    struct mpilens_object_information object;
    uint64_t address = 0;
    mpid_rc_t result = call_begin(handle, kind, &call, &object);
    if (result != mpid_rc_ok)
        return result;
    memcpy(&address, (const char *)call.info->object + offset, sizeof address);
    return call_end(&call, handle_make_from_address(&call, referred_kind, address, ret_handle));
}

static int flags_of(mqs_process_info *info, const struct mpilens_object_information *object,
                    const struct mpilens_handle_information *handle)
{
    int flags = 0;
    if (object->predefined)
        flags |= MPID_INFO_PREDEFINED;
    if (object->freed)
        flags |= MPID_INFO_FREED_HANDLE;
    if (object->freed && reply_is_unused(info, object))
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

int result_attachable_flags(uint32_t attachable)
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

mpid_rc_t call_begin_common(const void *opaque, int kind, bool with_name, struct mpid_call *call,
                            struct mpid_basic *ret_basic)
{
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    *ret_basic = (struct mpid_basic){.fortran_handle = -1};
    mpid_rc_t result = call_begin_basic(opaque, kind, call, &ret_basic->object);
    if (result != mpid_rc_ok)
        return result;
    int code = reply_get_handle_of(call->info, &ret_basic->object, &handle);
    ret_basic->flags = flags_of(call->info, &ret_basic->object, &handle);
    if (handle.has_fortran_handle)
        ret_basic->fortran_handle = (int)handle.fortran_handle;
    if (with_name)
        ret_basic->name = result_text(ret_basic->object.name, false, &code);
    return code == mqs_ok ? mpid_rc_ok : call_end(call, code);
}

mpid_rc_t call_end_common(struct mpid_call *call, struct mpid_basic *basic, int code, char **ret_name, int *ret_flags,
                          int *ret_fortran_handle)
{
    if (code != mqs_ok) {
        release(basic->name);
        return call_end(call, code);
    }
    MPID_GIVE(ret_name, basic->name);
    MPID_GIVE(ret_flags, basic->flags);
    MPID_GIVE(ret_fortran_handle, basic->fortran_handle);
    return call_end(call, mqs_ok);
}
