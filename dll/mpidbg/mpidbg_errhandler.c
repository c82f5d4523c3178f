/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_errhandler_query.
 */
#include "answers/answers.h"
#include "facts/facts.h"
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"

static int attachable_flags(uint32_t attachable)
{
    switch (attachable) {
    case MPILENS_ATTACHABLE_ANY:
        return MPIDBG_ERRH_INFO_COMMUNICATOR | MPIDBG_ERRH_INFO_FILE | MPIDBG_ERRH_INFO_WINDOW;
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return MPIDBG_ERRH_INFO_COMMUNICATOR;
    case MPILENS_ATTACHABLE_FILE:
        return MPIDBG_ERRH_INFO_FILE;
    case MPILENS_ATTACHABLE_WINDOW:
        return MPIDBG_ERRH_INFO_WINDOW;
    default:
        return 0;
    }
}

static int describe(const struct inquiry *inquiry, const struct mpilens_object_information *object,
                    bool is_from_fortran, struct errhandler_answer *made)
{
    struct mpidbg_errhandler_info_t *info = &made->info;
    struct mpilens_errhandler_information errhandler = {.struct_size = sizeof errhandler};
    int code = reply_get_errhandler(inquiry->info, &errhandler);
    if (code != mqs_ok)
        return code;
    int flags = (int)info->eh_bitflags | attachable_flags(errhandler.attachable);
    int second = flags;
    if (!object->predefined) {
        info->eh_callback_func = (mqs_taddr_t)errhandler.user_function;
        flags |= is_from_fortran ? 0 : MPIDBG_ERRH_INFO_C_CALLBACK;
        second |= is_from_fortran ? SECOND_ERRH_FORTRAN_CALLBACK : MPIDBG_ERRH_INFO_C_CALLBACK;
    }
    if (inquiry_is_freed(object)) {
        flags |= MPIDBG_ERRH_INFO_FREED_HANDLE;
        second |= SECOND_ERRH_FREED_HANDLE;
    }
    if (inquiry_is_gone(inquiry, object)) {
        flags |= MPIDBG_ERRH_INFO_FREED_OBJECT;
        second |= SECOND_ERRH_FREED_OBJECT;
    }
    info->eh_bitflags = (enum mpidbg_errhandler_info_bitmap_t)flags;
    made->tail.second_flags = second;
    struct answer_list users;
    code = answer_users(inquiry->info, MPILENS_OBJECT_NONE, sizeof(mqs_taddr_t), &users);
    info->eh_handles = users.items;
    info->eh_refcount = users.count < INT16_MAX ? (int16_t)users.count : INT16_MAX;
    made->handle_count = (int)users.count;
    return code;
}

static int make_errhandler(const struct inquiry *inquiry, mqs_taddr_t errhandler, void **ret_info)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_find_object(inquiry->info, MPILENS_OBJECT_ERRHANDLER, MPILENS_HANDLE_C, errhandler, &object);
    if (code != mqs_ok)
        return code;
    struct errhandler_answer *made = inquiry_allocate(1, sizeof *made);
    if (made == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    struct mpidbg_errhandler_info_t *info = &made->info;
    const int flags = object.predefined ? MPIDBG_ERRH_INFO_PREDEFINED : 0;
    made->tail = (struct answer_tail){ANSWER_MARK, ANSWER_ERRHANDLER, flags};
    text_set(info->eh_name, sizeof info->eh_name, object.name);
    info->eh_bitflags = (enum mpidbg_errhandler_info_bitmap_t)flags;
    info->eh_c_handle = (mqs_taddr_t)object.handle;
    struct mpilens_handle_information handle;
    inquiry_get_handle(inquiry, &object, &handle);
    info->eh_fortran_handle = handle.has_fortran_handle ? (int)handle.fortran_handle : (int)MPIDBG_ERR_UNAVAILABLE;
    if (!(object.flags & MPILENS_OBJECT_NULL))
        code = describe(inquiry, &object, handle.from_fortran != 0, made);
    if (code != mqs_ok) {
        errhandler_answer_free(made);
        return code;
    }
    *ret_info = &made->info;
    return mqs_ok;
}

MPIDBG_OTHER_QUERY(mpidbg_errhandler_query, errhandler, struct mpidbg_errhandler_info_t, make_errhandler)
