/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills in the parts of answers.
 */
#include "mpidbg/mpidbg_internal.h"

#include "answers/answers.h"
#include "mpilens/layout.h"
#include "replies/replies.h"

#include <string.h>

static_assert(sizeof(struct mpidbg_process_t) == sizeof(int32_t), "a member is its rank");

void answer_keep(void *answer, const void *items, size_t count, size_t item_bytes, void **ret_copy)
{
    *ret_copy = items != NULL ? pool_take(answer, count, item_bytes) : NULL;
    if (*ret_copy != NULL)
        memcpy(*ret_copy, items, count * item_bytes);
}

struct mpidbg_reference_t answer_no_reference(void *answer)
{
    return (struct mpidbg_reference_t){.ref_name = pool_text(answer, "")};
}

static void set_reference(void *answer, const struct mpilens_object_information *object,
                          struct mpidbg_reference_t *ret_reference)
{
    *ret_reference = (struct mpidbg_reference_t){.ref_kind = (int)object->kind,
                                                 .ref_serial = (int)object->serial,
                                                 .ref_c_handle = (mqs_taddr_t)object->handle,
                                                 .ref_name = pool_text(answer, object->name)};
}

void answer_refer(const struct inquiry *inquiry, void *answer, int kind, uint64_t handle,
                  struct mpidbg_reference_t *ret_reference)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    if (handle != 0 && reply_find_object(inquiry->info, kind, MPILENS_HANDLE_C, handle, &object) == mqs_ok)
        set_reference(answer, &object, ret_reference);
    else
        *ret_reference = answer_no_reference(answer);
}

void answer_refer_to_communicator(const struct inquiry *inquiry, void *answer, uint64_t unique_id,
                                  struct mpidbg_reference_t *ret_reference)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    *ret_reference = answer_no_reference(answer);
    if (unique_id == 0 || reply_setup_object_iterator(inquiry->info, MPILENS_OBJECT_COMMUNICATOR) != mqs_ok)
        return;
    while (reply_next_object(inquiry->info, &object) == mqs_ok)
        if (object.communicator_id == unique_id) {
            set_reference(answer, &object, ret_reference);
            if (!object.freed)
                return;
        }
}

static int set_users(const struct inquiry *inquiry, void *answer, struct mpidbg_object_info_t *info)
{
    struct answer_list users = {.item_bytes = sizeof(struct mpidbg_reference_t)};
    struct mpilens_user_information user = {.struct_size = sizeof user};
    char *name = pool_text(answer, "");
    int code = reply_setup_user_iterator(inquiry->info);
    while (code == mqs_ok && (code = reply_next_user(inquiry->info, &user)) == mqs_ok) {
        if (strcmp(name, user.name) != 0)
            name = pool_text(answer, user.name);
        const struct mpidbg_reference_t reference = {(int)user.kind, (int)user.serial, (mqs_taddr_t)user.handle, name};
        code = answer_list_add(&users, &reference);
    }
    if (code == mqs_end_of_list || code == mqs_no_information || code == MPILENS_ERROR_NO_CURRENT)
        code = mqs_ok;
    if (code == mqs_ok) {
        answer_keep(answer, users.items, users.count, users.item_bytes, (void **)&info->oi_users);
        info->oi_num_users = info->oi_users != NULL ? (int)users.count : 0;
    }
    answer_list_free(&users);
    return code;
}

static int flags_of(const struct inquiry *inquiry, const struct mpilens_object_information *object)
{
    return (object->predefined ? MPIDBG_OBJECT_INFO_PREDEFINED : 0) |
           (object->flags & MPILENS_OBJECT_NULL ? MPIDBG_OBJECT_INFO_NULL : 0) |
           (inquiry_is_freed(object) ? MPIDBG_OBJECT_INFO_FREED_HANDLE : 0) |
           (inquiry_is_gone(inquiry, object) ? MPIDBG_OBJECT_INFO_FREED_OBJECT : 0) |
           (object->origin_unseen ? MPIDBG_OBJECT_INFO_UNSEEN : 0);
}

int answer_object(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer,
                  struct mpidbg_object_info_t *ret_object)
{
    const bool is_null = (object->flags & MPILENS_OBJECT_NULL) != 0;
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    inquiry_get_handle(inquiry, object, &handle);
    ret_object->oi_kind = (int)object->kind;
    ret_object->oi_bitflags = flags_of(inquiry, object) | (handle.from_fortran ? MPIDBG_OBJECT_INFO_FORTRAN : 0);
    ret_object->oi_c_handle = (mqs_taddr_t)object->handle;
    ret_object->oi_has_fortran_handle = handle.has_fortran_handle != 0;
    ret_object->oi_fortran_handle = handle.has_fortran_handle ? (int)handle.fortran_handle : -1;
    ret_object->oi_serial = (int)object->serial;
    ret_object->oi_name = pool_text(answer, object->name);
    ret_object->oi_function = pool_text(answer, object->function);
    ret_object->oi_site = (mqs_taddr_t)object->site;
    ret_object->oi_freed_by = pool_text(answer, handle.freed_function);
    ret_object->oi_freed_site = (mqs_taddr_t)handle.freed_site;
    return is_null ? mqs_ok : set_users(inquiry, answer, ret_object);
}

/* The pairs of an answer. */
struct pairs {
    void *answer;
    struct answer_list list;
};

static int add_pair(void *context, const char *key, const char *value)
{
    struct pairs *pairs = context;
    const struct mpidbg_key_value_t pair = {pool_text(pairs->answer, key), pool_text(pairs->answer, value)};
    return pool_has_failed(pairs->answer) ? MPILENS_ERROR_NO_MEMORY : answer_list_add(&pairs->list, &pair);
}

int answer_pairs(const struct inquiry *inquiry, void *answer, int *ret_count, struct mpidbg_key_value_t **ret_pairs)
{
    struct pairs pairs = {answer, {.item_bytes = sizeof(struct mpidbg_key_value_t)}};
    int code = answer_pairs_each(inquiry->info, add_pair, &pairs);
    *ret_count = code == mqs_no_information ? -1 : (int)pairs.list.count;
    answer_keep(answer, pairs.list.items, pairs.list.count, pairs.list.item_bytes, (void **)ret_pairs);
    answer_list_free(&pairs.list);
    return code == mqs_no_information ? mqs_ok : code;
}

int answer_processes(const struct inquiry *inquiry, void *answer, int *ret_count,
                     struct mpidbg_process_t **ret_processes)
{
    struct answer_list members;
    if (answer_members(inquiry->info, 0, &members) == MPILENS_ERROR_NO_MEMORY)
        return MPILENS_ERROR_NO_MEMORY;
    answer_keep(answer, members.items, members.count, members.item_bytes, (void **)ret_processes);
    *ret_count = *ret_processes != NULL ? (int)members.count : 0;
    answer_list_free(&members);
    return mqs_ok;
}

int answer_finish(void *answer, int code, void **ret_answer)
{
    if (code == mqs_ok && pool_has_failed(answer))
        code = MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok)
        *ret_answer = answer;
    else
        pool_end(answer);
    return code;
}
