/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The entry points mpilens_*: replies about what hangs on the process; and matching, which is about what is given.
 */
#include "matching/matching.h"
#include "replies/replies.h"
#include "target/target.h"

int mpilens_get_collective_class(mqs_process *process, int collective_class,
                                 struct mpilens_collective_class_information *ret_class)
{
    return reply_get_collective_class(process_info(process), collective_class, ret_class);
}

int mpilens_setup_collective_iterator(mqs_process *process)
{
    return reply_setup_collective_iterator(process_info(process));
}

int mpilens_next_collective(mqs_process *process, struct mpilens_collective_information *ret_collective)
{
    return reply_next_collective(process_info(process), ret_collective);
}

int mpilens_get_collective_amounts(mqs_process *process, int is_expected, size_t first, size_t count,
                                   int64_t *ret_bytes)
{
    return reply_get_collective_amounts(process_info(process), is_expected, first, count, ret_bytes);
}

int mpilens_get_collective_marks(mqs_process *process, struct mpilens_collective_mark_information *ret_marks,
                                 size_t capacity, size_t *ret_count)
{
    return reply_get_collective_marks(process_info(process), ret_marks, capacity, ret_count);
}

int mpilens_setup_object_collective_iterator(mqs_process *process)
{
    return reply_setup_object_collective_iterator(process_info(process));
}

int mpilens_next_object_collective(mqs_process *process, struct mpilens_collective_information *ret_collective)
{
    return reply_next_object_collective(process_info(process), ret_collective);
}

int mpilens_get_communicator(mqs_process *process, struct mpilens_communicator_information *ret_communicator)
{
    return reply_get_communicator(process_info(process), ret_communicator);
}

int mpilens_get_communicator_object(mqs_process *process, struct mpilens_communicator_information *ret_communicator)
{
    return reply_get_communicator_object(process_info(process), ret_communicator);
}

int mpilens_get_comm_remote_group(mqs_process *process, int *ret_world_ranks)
{
    return reply_get_comm_remote_group(process_info(process), ret_world_ranks);
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

int mpilens_summarize_object(mqs_process *process, char *ret_text, size_t bytes)
{
    return reply_summarize_object(process_info(process), ret_text, bytes);
}

int mpilens_get_summary(mqs_process *process, struct mpilens_summary_information *ret_summary)
{
    return reply_get_summary(process_info(process), ret_summary);
}

int mpilens_setup_object_page(mqs_process *process)
{
    return reply_setup_object_page(process_info(process));
}

int mpilens_setup_request_page(mqs_process *process, const struct mpilens_operation_information *request)
{
    return reply_setup_request_page(process_info(process), request);
}

int mpilens_setup_status_page(mqs_process *process, const struct mpilens_status_information *status)
{
    return reply_setup_status_page(process_info(process), status);
}

int mpilens_next_page_line(mqs_process *process, struct mpilens_page_line *ret_line)
{
    return reply_next_page_line(process_info(process), ret_line);
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

int mpilens_get_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute)
{
    return reply_get_attribute(process_info(process), ret_attribute);
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

int mpilens_get_operation(mqs_process *process, struct mpilens_operation_information *ret_operation)
{
    return reply_get_operation(process_info(process), ret_operation);
}

int mpilens_setup_completed_iterator(mqs_process *process)
{
    return reply_setup_completed_iterator(process_info(process));
}

int mpilens_next_completed(mqs_process *process, struct mpilens_operation_information *ret_operation)
{
    return reply_next_completed(process_info(process), ret_operation);
}

int mpilens_get_clock(mqs_process *process, struct mpilens_clock_information *ret_clock)
{
    return reply_get_clock(process_info(process), ret_clock);
}

int mpilens_get_freed_objects(mqs_process *process, struct mpilens_freed_object_information *ret_objects,
                              size_t capacity, size_t *ret_count)
{
    return reply_get_freed_objects(process_info(process), ret_objects, capacity, ret_count);
}

int mpilens_get_process(mqs_process *process, struct mpilens_process_information *ret_process)
{
    return reply_get_process(process_info(process), ret_process);
}

int mpilens_identify_process(mqs_process *process, struct mpilens_process_information *ret_process)
{
    return reply_identify_process(process_info(process), ret_process);
}

int mpilens_summarize_request(mqs_process *process, const struct mpilens_operation_information *request, char *ret_text,
                              size_t bytes)
{
    return reply_summarize_request(process_info(process), request, ret_text, bytes);
}

int mpilens_summarize_status(const struct mpilens_status_information *status, char *ret_text, size_t bytes)
{
    return reply_summarize_status(status, ret_text, bytes);
}

int mpilens_setup_request_iterator(mqs_process *process)
{
    return reply_setup_request_iterator(process_info(process));
}

int mpilens_next_request(mqs_process *process, struct mpilens_operation_information *ret_request)
{
    return reply_next_request(process_info(process), ret_request);
}

int mpilens_get_partitions(mqs_process *process, uint64_t serial, struct mpilens_partition_run *ret_runs,
                           size_t capacity, size_t *ret_count)
{
    return reply_get_partitions(process_info(process), serial, ret_runs, capacity, ret_count);
}

int mpilens_get_status(mqs_process *process, mqs_taddr_t address, struct mpilens_status_information *ret_status)
{
    return reply_get_status(process_info(process), address, ret_status);
}

int mpilens_status_bytes(mqs_process *process)
{
    return reply_status_bytes(process_info(process));
}

int mpilens_get_text_pair(mqs_process *process, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                          size_t value_bytes)
{
    return reply_get_text_pair(process_info(process), n, ret_key, key_bytes, ret_value, value_bytes);
}

int mpilens_setup_thread_iterator(mqs_process *process)
{
    return reply_setup_thread_iterator(process_info(process));
}

int mpilens_next_thread(mqs_process *process, struct mpilens_thread_information *ret_thread)
{
    return reply_next_thread(process_info(process), ret_thread);
}

int mpilens_next_poll(mqs_process *process, struct mpilens_thread_information *ret_poll)
{
    return reply_next_poll(process_info(process), ret_poll);
}

int mpilens_get_waiting(mqs_process *process, uint64_t *ret_serials, size_t capacity, size_t *ret_count)
{
    return reply_get_waiting(process_info(process), ret_serials, capacity, ret_count);
}

int mpilens_get_failed_calls(mqs_process *process, struct mpilens_failed_call_information *ret_calls, size_t capacity,
                             size_t *ret_count)
{
    return reply_get_failed_calls(process_info(process), ret_calls, capacity, ret_count);
}

int mpilens_get_topology(mqs_process *process, struct mpilens_topology_information *ret_topology)
{
    return reply_get_topology(process_info(process), ret_topology);
}

int mpilens_get_topology_values(mqs_process *process, int32_t *ret_values, size_t capacity, size_t *ret_count)
{
    return reply_get_topology_values(process_info(process), ret_values, capacity, ret_count);
}

int mpilens_setup_channel_iterator(mqs_process *process)
{
    return reply_setup_channel_iterator(process_info(process));
}

int mpilens_next_channel(mqs_process *process, struct mpilens_channel_information *ret_channel)
{
    return reply_next_channel(process_info(process), ret_channel);
}

int mpilens_setup_message_iterator(mqs_process *process)
{
    return reply_setup_message_iterator(process_info(process));
}

int mpilens_next_message(mqs_process *process, struct mpilens_message_information *ret_message)
{
    return reply_next_message(process_info(process), ret_message);
}

int mpilens_get_unexpected(mqs_process *process, struct mpilens_unexpected_information *ret_unexpected)
{
    return reply_get_unexpected(process_info(process), ret_unexpected);
}

int mpilens_setup_type_map_iterator(mqs_process *process)
{
    return reply_setup_type_map_iterator(process_info(process));
}

int mpilens_next_type_map_entry(mqs_process *process, struct mpilens_type_map_entry *ret_entry)
{
    return reply_next_type_map_entry(process_info(process), ret_entry);
}

int mpilens_get_element_runs(mqs_process *process, struct mpilens_element_run *ret_runs, size_t capacity,
                             size_t *ret_count, int *ret_is_cut)
{
    return reply_get_element_runs(process_info(process), ret_runs, capacity, ret_count, ret_is_cut);
}

int mpilens_get_type_holes(mqs_process *process, struct mpilens_type_hole *ret_holes, size_t capacity,
                           size_t *ret_count, int *ret_is_cut)
{
    return reply_get_type_holes(process_info(process), ret_holes, capacity, ret_count, ret_is_cut);
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
