/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points mpilens_* whose replies other interfaces give, too, about what they keep themselves; and matching. Those
 * that only the extension gives stand in replies/.
 */
#include "matching/matching.h"
#include "replies/replies.h"
#include "target/target.h"

int mpilens_get_communicator_object(mqs_process *process, struct mpilens_communicator_information *ret_communicator)
{
    return reply_get_communicator_object(process_info(process), ret_communicator);
}

const char *mpilens_combiner_name(uint32_t combiner)
{
    return reply_combiner_name(combiner);
}

int mpilens_get_datatype_contents(mqs_process *process, struct mpilens_datatype_contents *ret_contents)
{
    return reply_get_datatype_contents(process_info(process), ret_contents);
}

int mpilens_get_datatype_arguments(mqs_process *process, int64_t *ret_arguments, size_t capacity, size_t *ret_count)
{
    return reply_get_datatype_arguments(process_info(process), ret_arguments, capacity, ret_count);
}

int mpilens_get_datatype_argument(mqs_process *process, size_t n, struct mpilens_object_information *ret_object)
{
    return reply_get_datatype_argument(process_info(process), n, ret_object);
}

int mpilens_get_file(mqs_process *process, struct mpilens_file_information *ret_file)
{
    return reply_get_file(process_info(process), ret_file);
}

int mpilens_find_object(mqs_process *process, int kind, enum mpilens_handle_language language, uint64_t handle,
                        struct mpilens_object_information *ret_object)
{
    return reply_find_object(process_info(process), kind, language, handle, ret_object);
}

int mpilens_find_object_by_serial(mqs_process *process, int kind, uint32_t serial,
                                  struct mpilens_object_information *ret_object)
{
    return reply_find_object_by_serial(process_info(process), kind, serial, ret_object);
}

int mpilens_find_request(mqs_process *process, enum mpilens_handle_language language, uint64_t handle,
                         struct mpilens_operation_information *ret_request)
{
    return reply_find_request(process_info(process), language, handle, ret_request);
}

int mpilens_handle_bytes(mqs_process *process, int kind)
{
    return reply_handle_bytes(process_info(process), kind);
}

int mpilens_get_handle(mqs_process *process, struct mpilens_handle_information *ret_handle)
{
    return reply_get_handle(process_info(process), ret_handle);
}

int mpilens_get_members(mqs_process *process, int remote, struct mpilens_rank_range *ret_ranges, size_t capacity,
                        size_t *ret_count)
{
    return reply_get_members(process_info(process), remote, ret_ranges, capacity, ret_count);
}

int mpilens_setup_object_iterator(mqs_process *process, int kind)
{
    return reply_setup_object_iterator(process_info(process), kind);
}

int mpilens_next_object(mqs_process *process, struct mpilens_object_information *ret_object)
{
    return reply_next_object(process_info(process), ret_object);
}

int mpilens_get_op(mqs_process *process, struct mpilens_op_information *ret_op)
{
    return reply_get_op(process_info(process), ret_op);
}

int mpilens_get_errhandler(mqs_process *process, struct mpilens_errhandler_information *ret_errhandler)
{
    return reply_get_errhandler(process_info(process), ret_errhandler);
}

int mpilens_get_keyval(mqs_process *process, struct mpilens_keyval_information *ret_keyval)
{
    return reply_get_keyval(process_info(process), ret_keyval);
}

int mpilens_get_session(mqs_process *process, struct mpilens_session_information *ret_session)
{
    return reply_get_session(process_info(process), ret_session);
}

int mpilens_get_datatype(mqs_process *process, struct mpilens_datatype_information *ret_datatype)
{
    return reply_get_datatype(process_info(process), ret_datatype);
}

int mpilens_get_group(mqs_process *process, struct mpilens_group_information *ret_group)
{
    return reply_get_group(process_info(process), ret_group);
}

int mpilens_get_process(mqs_process *process, struct mpilens_process_information *ret_process)
{
    return reply_get_process(process_info(process), ret_process);
}

int mpilens_get_status(mqs_process *process, mqs_taddr_t address, struct mpilens_status_information *ret_status)
{
    return reply_get_status(process_info(process), address, ret_status);
}

int mpilens_get_text_pair(mqs_process *process, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                          size_t value_bytes)
{
    return reply_get_text_pair(process_info(process), n, ret_key, key_bytes, ret_value, value_bytes);
}

int mpilens_get_topology(mqs_process *process, struct mpilens_topology_information *ret_topology)
{
    return reply_get_topology(process_info(process), ret_topology);
}

int mpilens_get_topology_values(mqs_process *process, int32_t *ret_values, size_t capacity, size_t *ret_count)
{
    return reply_get_topology_values(process_info(process), ret_values, capacity, ret_count);
}

int mpilens_setup_message_iterator(mqs_process *process)
{
    return reply_setup_message_iterator(process_info(process));
}

int mpilens_next_message(mqs_process *process, struct mpilens_message_information *ret_message)
{
    return reply_next_message(process_info(process), ret_message);
}

int mpilens_setup_type_map_iterator(mqs_process *process)
{
    return reply_setup_type_map_iterator(process_info(process));
}

int mpilens_next_type_map_entry(mqs_process *process, struct mpilens_type_map_entry *ret_entry)
{
    return reply_next_type_map_entry(process_info(process), ret_entry);
}

int mpilens_setup_user_iterator(mqs_process *process)
{
    return reply_setup_user_iterator(process_info(process));
}

int mpilens_next_user(mqs_process *process, struct mpilens_user_information *ret_user)
{
    return reply_next_user(process_info(process), ret_user);
}

int mpilens_setup_attribute_iterator(mqs_process *process)
{
    return reply_setup_attribute_iterator(process_info(process));
}

int mpilens_next_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute)
{
    return reply_next_attribute(process_info(process), ret_attribute);
}

int mpilens_get_window(mqs_process *process, struct mpilens_window_information *ret_window)
{
    return reply_get_window(process_info(process), ret_window);
}

int mpilens_get_window_locks(mqs_process *process, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                             size_t *ret_count)
{
    return reply_get_window_locks(process_info(process), ret_locks, capacity, ret_count);
}

int mpilens_get_window_group(mqs_process *process, int exposure, int *ret_world_ranks)
{
    return reply_get_window_group(process_info(process), exposure, ret_world_ranks);
}

int mpilens_match_messages(struct mpilens_matching_member *members, size_t count)
{
    if (basic_callbacks() == NULL)
        return MPILENS_ERROR_NO_CALLBACKS;
    return count < MPILENS_NO_MEMBER && (members != NULL || count == 0) ? match_messages(members, count)
                                                                        : MPILENS_ERROR_BAD_ARGUMENT;
}
