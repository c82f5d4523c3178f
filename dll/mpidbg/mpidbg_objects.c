/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_X_query of groups, infos, ops, sessions, messages and keys of attributes.
 */
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"

static int fill_group(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_group_info_t *info = answer;
    struct mpilens_group_information group = {.struct_size = sizeof group, .rank = -1};
    if (object->flags & MPILENS_OBJECT_NULL) {
        info->group_rank = -1;
        return mqs_ok;
    }
    int code = reply_get_group(inquiry->info, &group);
    info->group_rank = group.rank;
    info->group_size = group.size;
    return code == mqs_ok ? answer_processes(inquiry, answer, &info->group_num_procs, &info->group_procs) : code;
}

static int fill_info(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_info_info_t *info = answer;
    return object->flags & MPILENS_OBJECT_NULL
               ? mqs_ok
               : answer_pairs(inquiry, answer, &info->info_num_pairs, &info->info_pairs);
}

static int fill_op(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_op_info_t *info = answer;
    struct mpilens_op_information op = {.struct_size = sizeof op};
    if (object->flags & MPILENS_OBJECT_NULL)
        return mqs_ok;
    int code = reply_get_op(inquiry->info, &op);
    info->op_commutative = op.commutative != 0;
    info->op_function = (mqs_taddr_t)op.user_function;
    return code;
}

static int set_process_sets(const struct inquiry *inquiry, struct mpidbg_session_info_t *info)
{
    struct mpidbg_key_value_t *pairs = NULL;
    int code = answer_pairs(inquiry, info, &info->session_num_process_sets, &pairs);
    if (code != mqs_ok || info->session_num_process_sets <= 0)
        return code;
    info->session_process_sets =
        pool_take(info, (size_t)info->session_num_process_sets, sizeof *info->session_process_sets);
    for (int i = 0; pairs != NULL && info->session_process_sets != NULL && i < info->session_num_process_sets; i++)
        info->session_process_sets[i] = pairs[i].key;
    return mqs_ok;
}

static int fill_session(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_session_info_t *info = answer;
    struct mpilens_session_information session = {.struct_size = sizeof session, .thread_level = -1};
    const bool is_null = (object->flags & MPILENS_OBJECT_NULL) != 0;
    int code = is_null ? mqs_ok : reply_get_session(inquiry->info, &session);
    info->session_thread_level = session.thread_level;
    info->session_buffer = (mqs_taddr_t)session.buffer;
    info->session_buffer_size = session.buffer_bytes;
    if (code == mqs_ok && !is_null)
        code = set_process_sets(inquiry, info);
    answer_refer(inquiry, answer, MPILENS_OBJECT_ERRHANDLER, session.errhandler, &info->session_errhandler);
    return code;
}

static int fill_keyval(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_keyval_info_t *info = answer;
    struct mpilens_keyval_information keyval = {.struct_size = sizeof keyval};
    if (object->flags & MPILENS_OBJECT_NULL)
        return mqs_ok;
    int code = reply_get_keyval(inquiry->info, &keyval);
    info->keyval_attachable = (int)keyval.attachable;
    info->keyval_copy_function = (mqs_taddr_t)keyval.copy_function;
    info->keyval_delete_function = (mqs_taddr_t)keyval.delete_function;
    info->keyval_extra_state = (mqs_taddr_t)keyval.extra_state;
    return code;
}

/* Messages are listed by communicator. */
static bool find_message(const struct inquiry *inquiry, uint64_t handle,
                         struct mpilens_message_information *ret_message)
{
    mqs_process_info *info = inquiry->info;
    for (int code = process_info_first_communicator(info); code == mqs_ok;
         code = process_info_next_communicator(info)) {
        if (reply_setup_message_iterator(info) != mqs_ok)
            continue;
        while (reply_next_message(info, ret_message) == mqs_ok)
            if (ret_message->handle == handle)
                return true;
    }
    return false;
}

static int fill_message(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_message_info_t *info = answer;
    struct mpilens_message_information message = {.struct_size = sizeof message};
    info->message_source = info->message_source_world = info->message_tag = -1;
    info->message_bytes = -1;
    if (!(object->flags & MPILENS_OBJECT_NULL) && find_message(inquiry, object->handle, &message)) {
        info->message_source = message.peer_local;
        info->message_source_world = message.peer_world;
        info->message_tag = message.tag;
        info->message_bytes = message.bytes;
    }
    answer_refer_to_communicator(inquiry, answer, object->communicator_id, &info->message_comm);
    return mqs_ok;
}

MPIDBG_QUERY(group, MPILENS_OBJECT_GROUP)
MPIDBG_QUERY(info, MPILENS_OBJECT_INFO)
MPIDBG_QUERY(op, MPILENS_OBJECT_OP)
MPIDBG_QUERY(session, MPILENS_OBJECT_SESSION)
MPIDBG_QUERY(message, MPILENS_OBJECT_MESSAGE)
MPIDBG_QUERY(keyval, MPILENS_OBJECT_KEYVAL)
