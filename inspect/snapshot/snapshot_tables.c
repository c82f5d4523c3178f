/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the members of the model's structs that a snapshot has. Unexpected messages that were inferred are left out:
 * they follow from the rest, and are found again when it is read.
 */
#include "snapshot/snapshot_internal.h"
#include "stack/stack.h"

#define ROW job
static const struct snapshot_field job_fields[] = {
    FIELD(id),       FIELD(identity),        RANKS(size),           FIELD(mpi),           FIELD(launcher_pid),
    FIELD(launcher), FIELD(other_world_pid), FIELD(user),           FIELD(command),       FIELD(started),
    FIELD(samples),  FIELD(interval_s),      FIELD(snapshot_taken), FIELD(absent_reason), FIELD(launch_problem),
};
#undef ROW

#define ROW rank_range
static const struct snapshot_field absent_fields[] = {FIELD(first), FIELD(last), FIELD(stride)};
#undef ROW

#define ROW process
static const struct snapshot_field process_fields[] = {
    RANKS(rank),
    RANKS(size),
    FIELD(pid),
    FIELD(host),
    FIELD(executable),
    FIELD(core),
    ENUMERATION(state, PROCESS_EXITED),
    FIELD(reason),
    FIELD(is_lost),
    FIELD(lacks_tables),
    FIELD(evades_runtime),
    FIELD(is_before_mpi),
    FIELD(age_s),
    ENUMERATION(activity, ACTIVITY_ENDED),
    FIELD(cpu_time_s),
    FIELD(place),
    FIELD(stack),
    FIELD(called),
    FIELD(place_has_called),
    FIELD(waits_for),
    ENUMERATION(ends, PROGRAM_FAILED),
    FIELD(end),
    FIELD(unseen_threads),
    FIELD(thread_level),
    FIELD(untracked_operations),
    FIELD(untracked_objects),
    FIELD(memory_bytes),
    FIELD(torn_records),
    FIELD(library_version),
    FIELD(runtime_version),
    FIELD(job_identity),
    FIELD(synchronous_sends),
    FIELD(senders_in_turn),
    ENUMERATION(unexpected_mode, MPILENS_UNEXPECTED_NO_SYSTEM),
    FIELD(unexpected_as_of_s),
    FIELD(ages_end_s),
    FIELD(buffer),
    FIELD(buffer_bytes),
};
#undef ROW

#define ROW thread_place
static const struct snapshot_field thread_place_fields[] = {
    FIELD(stack),     FIELD(called),
    FIELD(innermost), ENUMERATION(activity, ACTIVITY_ENDED),
    FIELD(threads),   FIELD(waits_for_threads),
};
#undef ROW

#define ROW seen_thread
static const struct snapshot_field seen_thread_fields[] = {
    FIELD(tid),
    ENUMERATION(activity, ACTIVITY_ENDED),
    FIELD(function),
    FIELD(arguments),
    FIELD(called),
    FIELD(address),
    FIELD(site),
    FIELD(trail),
    FIELD(caller_stack),
    FIELD(caller_registers),
    FIELD(is_called_back),
    FIELD(is_unchanged),
};
#undef ROW

#define ROW kernel_facts
static const struct snapshot_field kernel_fields[] = {
    FIELD(tid),
    FIELD(state),
    FIELD(system_call),
    FIELD(kernel_function),
    FIELD(run_s),
    FIELD(waited_s),
    FIELD(manager),
    FIELD(swapped_bytes),
    FIELD(is_frozen),
    FIELD(throttled_periods),
    FIELD(killed),
    FIELD(devices),
    FIELD(connections),
    FIELD(counts_bytes),
    FIELD(sent_bytes),
    FIELD(received_bytes),
    FIELD(silent_s),
    FIELD(troubled_sockets_left_out),
    FIELD(watched_s),
    FIELD(run_meanwhile_s),
    FIELD(waited_meanwhile_s),
    FIELD(shares_memory),
    FIELD(shared_changes),
    FIELD(throttled_meanwhile),
    FIELD(file_bytes),
    FIELD(file_meanwhile),
    FIELD(sent_meanwhile),
    FIELD(received_meanwhile),
};
#undef ROW

#define ROW troubled_socket
static const struct snapshot_field troubled_socket_fields[] = {
    ENUMERATION(kind, SOCKET_KINDS - 1),
    FIELD(state),
    FIELD(local),
    FIELD(peer),
    FIELD(interface),
    FIELD(unsent_bytes),
    FIELD(unread_bytes),
    FIELD(retransmissions),
    FIELD(silent_s),
};
#undef ROW

#define ROW call_stack
static const struct snapshot_field call_stack_fields[] = {FIELD(tid), FIELD(inside), FIELD(is_cut)};
#undef ROW

#define ROW stack_line
static const struct snapshot_field stack_line_fields[] = {
    ENUMERATION(kind, STACK_LINE_KINDS - 1),
    FIELD(address),
    FIELD(site),
    FIELD(function),
    FIELD(frames),
    FIELD(is_inlined),
};
#undef ROW

#define ROW thread
static const struct snapshot_field thread_fields[] = {
    FIELD(index),
    FIELD(tid),
    FIELD(ended),
    FIELD(polling),
    FIELD(call_class),
    FIELD(purpose),
    FIELD(completion),
    FIELD(collective_class),
    FIELD(function),
    FIELD(site_address),
    FIELD(site),
    FIELD(handling),
    FIELD(entered),
    FIELD(age_s),
    FIELD(idle_s),
    FIELD(polls),
    FIELD(communicator_id),
    FIELD(peer_communicator_id),
    FIELD(peer_local),
    FIELD(peer_world),
    FIELD(tag),
    FIELD(tag_wild),
    FIELD(group),
    FIELD(completions),
    FIELD(operation_serial),
    FIELD(waiting_count),
    FIELD(object_kind),
    FIELD(object_serial),
    FIELD(lock_type),
    FIELD(waits_for_threads),
    FIELD(stalled),
    FIELD(called_meanwhile),
    FIELD(more_polls),
    FIELD(spawned),
};
#undef ROW

static const struct snapshot_field waiting_fields[] = {{.name = "serial", .type = SNAPSHOT_UNSIGNED64}};

#define ROW communicator
static const struct snapshot_field communicator_fields[] = {
    FIELD(id),          FIELD(handle),
    FIELD(parent_id),   FIELD(parent_handle),
    FIELD(age_s),       FIELD(site_address),
    FIELD(site),        FIELD(name),
    FIELD(function),    FIELD(parent_name),
    FIELD(rank),        FIELD(size),
    FIELD(remote_size), FIELD(serial),
    FIELD(predefined),  FIELD(intercommunicator),
    FIELD(freed),       FIELD(collective_count),
    FIELD(root_sum),    FIELD(constructor_count),
    FIELD(errhandler),  FIELD(unreceived_growth),
    FIELD(group),       FIELD(remote_group),
    FIELD(sources),     FIELD(destinations),
};
#undef ROW

static const struct snapshot_field operation_fields[] = {
#define ROW operation
    FIELD(serial),
    FIELD(posted),
    FIELD(age_s),
    FIELD(request),
    FIELD(buffer),
    FIELD(state),
    FIELD(flags),
    FIELD(status),
    FIELD(peer_local),
    FIELD(peer_world),
    FIELD(tag),
    FIELD(actual_local),
    FIELD(actual_world),
    FIELD(actual_tag),
    FIELD(tag_wild),
#undef ROW
#define ROW operation_details
    SHARED_FIELD(function),
    SHARED_FIELD(datatype),
    SHARED_FIELD(datatype_handle),
    SHARED_FIELD(site_address),
    SHARED_FIELD(site),
    SHARED_FIELD(count),
    SHARED_FIELD(bytes),
    SHARED_FIELD(actual_bytes),
    SHARED_FIELD(partition_count),
    SHARED_FIELD(partitions_marked),
    SHARED_FIELD(purpose),
#undef ROW
};

#define ROW matched_message
static const struct snapshot_field message_fields[] = {
    FIELD(handle),       FIELD(site_address), FIELD(site), FIELD(age_s), FIELD(function),
    FIELD(source_local), FIELD(source_world), FIELD(tag),  FIELD(bytes),
};
#undef ROW

#define ROW channel
static const struct snapshot_field channel_fields[] = {
    FIELD(peer_local),
    FIELD(peer_world),
    FIELD(sent),
    FIELD(received),
};
#undef ROW

#define ROW collective_class
static const struct snapshot_field class_fields[] = {FIELD(name), FIELD(count), FIELD(active)};
#undef ROW

#define ROW collective_call
static const struct snapshot_field collective_fields[] = {
    FIELD(serial),    FIELD(age_s),     FIELD(site_address), FIELD(site),      FIELD(function), FIELD(datatype),
    FIELD(op),        FIELD(op_name),   FIELD(has_own_op),   FIELD(buffer),    FIELD(count),    FIELD(bytes),
    FIELD(signature), FIELD(root),      FIELD(has_root),     FIELD(active),    FIELD(purpose),  FIELD(collective_class),
    FIELD(data_flow), FIELD(agreement), FIELD(small_count),  FIELD(arguments),
};
#undef ROW

#define ROW collective_mark
static const struct snapshot_field mark_fields[] = {
    FIELD(serial), FIELD(function),    FIELD(site_address), FIELD(site),
    FIELD(root),   FIELD(small_count), FIELD(begun),        FIELD(root_sum),
};
#undef ROW

#define ROW collective_amount
static const struct snapshot_field amount_fields[] = {FIELD(peer_world), FIELD(given), FIELD(expected)};
#undef ROW

#define ROW request
static const struct snapshot_field request_fields[] = {
    FIELD(serial),       FIELD(operation_class),
    FIELD(flags),        FIELD(state),
    FIELD(active),       FIELD(complete),
    FIELD(persistent),   FIELD(has_root),
    FIELD(tag_wild),     FIELD(age_s),
    FIELD(function),     FIELD(datatype),
    FIELD(site_address), FIELD(site),
    FIELD(handle),       FIELD(communicator_id),
    FIELD(object_kind),  FIELD(object_serial),
    FIELD(buffer),       FIELD(collective),
    FIELD(offset),       FIELD(count),
    FIELD(bytes),        FIELD(partition_count),
    FIELD(peer_local),   FIELD(peer_world),
    FIELD(tag),          FIELD(purpose),
};
#undef ROW

#define ROW failed_call
static const struct snapshot_field failed_call_fields[] = {
    FIELD(serial),
    FIELD(count),
    FIELD(age_s),
    FIELD(first_age_s),
    FIELD(function),
    FIELD(call_class),
    FIELD(purpose),
    FIELD(site_address),
    FIELD(site),
    FIELD(small_count),
    FIELD(request_function),
    FIELD(request_site_address),
    FIELD(request_site),
    FIELD(communicator_id),
    FIELD(collective),
    FIELD(amount),
    FIELD(bytes),
    FIELD(actual_bytes),
    FIELD(datatype),
    FIELD(operation),
    FIELD(has_peer),
    FIELD(has_tag),
    FIELD(tag_wild),
    FIELD(has_root),
    FIELD(peer_local),
    FIELD(peer_world),
    FIELD(tag),
    FIELD(root),
    FIELD(error),
    FIELD(error_class),
    FIELD(text),
    FIELD(is_under_way),
    FIELD(is_returned),
};
#undef ROW

#define ROW object
static const struct snapshot_field object_fields[] = {
    FIELD(kind),  FIELD(serial),   FIELD(handle),       FIELD(name), FIELD(references), FIELD(users),
    FIELD(freed), FIELD(function), FIELD(site_address), FIELD(site), FIELD(age_s),      FIELD(communicator_id),
};
#undef ROW

#define ROW freed_object
static const struct snapshot_field freed_fields[] = {
    FIELD(kind), FIELD(id),    FIELD(calls),         FIELD(function),          FIELD(site_address),
    FIELD(site), FIELD(age_s), FIELD(last_function), FIELD(last_site_address), FIELD(last_site)};
#undef ROW

#define ROW window
static const struct snapshot_field window_fields[] = {
    FIELD(id),
    FIELD(flavor),
    FIELD(access_epoch),
    FIELD(exposure_epoch),
    FIELD(displacement_unit),
    FIELD(base),
    FIELD(bytes),
    FIELD(operations),
    FIELD(operations_since),
    FIELD(collective_count),
    FIELD(errhandler),
    FIELD(synchronizations),
    FIELD(synchronization),
    FIELD(synchronization_site_address),
    FIELD(synchronization_site),
    FIELD(synchronization_age_s),
    FIELD(access_group),
    FIELD(exposure_group),
};
#undef ROW

#define ROW window_lock
static const struct snapshot_field lock_fields[] = {
    FIELD(target_local), FIELD(target_world), FIELD(type), FIELD(site_address), FIELD(site), FIELD(age_s),
};
#undef ROW

#define ROW file
static const struct snapshot_field file_fields[] = {
    FIELD(id),
    FIELD(mode),
    FIELD(atomicity),
    FIELD(view_displacement),
    FIELD(view_etype),
    FIELD(view_filetype),
    FIELD(view_representation),
    FIELD(split_collective),
    FIELD(split_collective_site_address),
    FIELD(operations),
    FIELD(collective_count),
    FIELD(errhandler),
};
#undef ROW

#define ROW site
static const struct snapshot_field site_fields[] = {FIELD(module), FIELD(function), FIELD(file),   FIELD(path),
                                                    FIELD(line),   FIELD(offset),   FIELD(called), FIELD(hint)};
#undef ROW

/* A moment of this host. */
static void set_unread_moment(void *row)
{
    ((struct process *)row)->read_at_s = -1;
    ((struct process *)row)->age_s = -1;
}

static void set_unseen_moment(void *row)
{
    ((struct kernel_facts *)row)->at_s = -1;
}

static void set_unmatched(void *row)
{
    ((struct operation *)row)->match_rank = -1;
}

static const void *share_details(struct job *job, const void *shared)
{
    return operation_details_share(&job->details, shared);
}

static const struct snapshot_shared operation_shared = {
    .offset = offsetof(struct operation, details), .bytes = sizeof(struct operation_details), .share = share_details};

/* The others follow from what the senders have sent. */
static bool is_told(const void *row)
{
    return !((const struct operation *)row)->inferred;
}

static const struct snapshot_table job_table = {.name = "job", FIELDS(struct job, job_fields)};
static const struct snapshot_table absent_table = {
    .name = "absent", ROWS_OF(job_table, job, absent.ranges, absent.count), FIELDS(struct rank_range, absent_fields)};
const struct snapshot_table snapshot_process_table = {.name = "process",
                                                      ROWS_OF(job_table, job, processes, process_count),
                                                      FIELDS(struct process, process_fields),
                                                      .set_unknown = set_unread_moment};
static const struct snapshot_table thread_table = {.name = "thread",
                                                   ROWS_OF(snapshot_process_table, process, threads, thread_count),
                                                   FIELDS(struct thread, thread_fields)};
static const struct snapshot_table thread_place_table = {
    .name = "thread_place",
    ROWS_OF(snapshot_process_table, process, thread_places, thread_place_count),
    FIELDS(struct thread_place, thread_place_fields)};
static const struct snapshot_table seen_thread_table = {
    .name = "seen_thread",
    ROWS_OF(snapshot_process_table, process, seen_threads, seen_thread_count),
    FIELDS(struct seen_thread, seen_thread_fields)};
static const struct snapshot_table kernel_table = {.name = "kernel",
                                                   ONE_OF(snapshot_process_table, process, kernel),
                                                   FIELDS(struct kernel_facts, kernel_fields),
                                                   .set_unknown = set_unseen_moment};
static const struct snapshot_table troubled_socket_table = {
    .name = "troubled_socket",
    ROWS_OF(kernel_table, kernel_facts, troubled_sockets, troubled_socket_count),
    FIELDS(struct troubled_socket, troubled_socket_fields)};
static const struct snapshot_table call_stack_table = {
    .name = "call_stack",
    ROWS_OF(snapshot_process_table, process, call_stacks, call_stack_count),
    FIELDS(struct call_stack, call_stack_fields)};
static const struct snapshot_table stack_line_table = {.name = "stack_line",
                                                       ROWS_OF(call_stack_table, call_stack, lines, line_count),
                                                       FIELDS(struct stack_line, stack_line_fields)};
static const struct snapshot_table waiting_table = {
    .name = "waiting", ROWS_OF(thread_table, thread, waiting, waiting_known), FIELDS(uint64_t, waiting_fields)};
static const struct snapshot_table poll_table = {
    .name = "poll", ROWS_OF(thread_table, thread, other_polls, other_poll_count), FIELDS(struct thread, thread_fields)};
static const struct snapshot_table poll_waiting_table = {
    .name = "poll_waiting", ROWS_OF(poll_table, thread, waiting, waiting_known), FIELDS(uint64_t, waiting_fields)};
static const struct snapshot_table communicator_table = {
    .name = "communicator",
    ROWS_OF(snapshot_process_table, process, communicators, communicator_count),
    FIELDS(struct communicator, communicator_fields)};
#define OF_COMMUNICATOR(items, number) ROWS_OF(communicator_table, communicator, items, number)
static const struct snapshot_table send_table = {.name = "send",
                                                 OF_COMMUNICATOR(sends.items, sends.count),
                                                 FIELDS(struct operation, operation_fields),
                                                 .shared = &operation_shared,
                                                 .set_unknown = set_unmatched};
static const struct snapshot_table receive_table = {.name = "receive",
                                                    OF_COMMUNICATOR(receives.items, receives.count),
                                                    FIELDS(struct operation, operation_fields),
                                                    .shared = &operation_shared,
                                                    .set_unknown = set_unmatched};
static const struct snapshot_table unexpected_table = {.name = "unexpected",
                                                       OF_COMMUNICATOR(unexpected.items, unexpected.count),
                                                       FIELDS(struct operation, operation_fields),
                                                       .shared = &operation_shared,
                                                       .set_unknown = set_unmatched,
                                                       .is_stored = is_told};
static const struct snapshot_table completed_table = {.name = "completed",
                                                      OF_COMMUNICATOR(completed.items, completed.count),
                                                      FIELDS(struct operation, operation_fields),
                                                      .shared = &operation_shared,
                                                      .set_unknown = set_unmatched};
static const struct snapshot_table message_table = {
    .name = "message", OF_COMMUNICATOR(messages, message_count), FIELDS(struct matched_message, message_fields)};
static const struct snapshot_table channel_table = {
    .name = "channel", OF_COMMUNICATOR(channels, channel_count), FIELDS(struct channel, channel_fields)};
static const struct snapshot_table class_table = {
    .name = "collective_class", OF_COMMUNICATOR(classes, class_count), FIELDS(struct collective_class, class_fields)};
static const struct snapshot_table collective_table = {.name = "collective",
                                                       OF_COMMUNICATOR(collectives, collective_call_count),
                                                       FIELDS(struct collective_call, collective_fields)};
static const struct snapshot_table mark_table = {
    .name = "collective_mark", OF_COMMUNICATOR(marks, mark_count), FIELDS(struct collective_mark, mark_fields)};
static const struct snapshot_table collective_amount_table = {
    .name = "collective_amount",
    ROWS_OF(collective_table, collective_call, amounts, amount_count),
    FIELDS(struct collective_amount, amount_fields)};
static const struct snapshot_table request_table = {.name = "request",
                                                    ROWS_OF(snapshot_process_table, process, requests, request_count),
                                                    FIELDS(struct request, request_fields)};
static const struct snapshot_table failed_call_table = {
    .name = "failed_call",
    ROWS_OF(snapshot_process_table, process, failed_calls, failed_call_count),
    FIELDS(struct failed_call, failed_call_fields)};
static const struct snapshot_table object_table = {.name = "object",
                                                   ROWS_OF(snapshot_process_table, process, objects, object_count),
                                                   FIELDS(struct object, object_fields)};
static const struct snapshot_table freed_object_table = {
    .name = "freed_object",
    ROWS_OF(snapshot_process_table, process, freed_objects, freed_object_count),
    FIELDS(struct freed_object, freed_fields)};
static const struct snapshot_table window_table = {
    .name = "window", ONE_OF(object_table, object, window), FIELDS(struct window, window_fields)};
static const struct snapshot_table window_lock_table = {
    .name = "window_lock", ROWS_OF(window_table, window, locks, lock_count), FIELDS(struct window_lock, lock_fields)};
static const struct snapshot_table file_table = {
    .name = "file", ONE_OF(object_table, object, file), FIELDS(struct file, file_fields)};
static const struct snapshot_table object_collective_table = {
    .name = "object_collective",
    ROWS_OF(object_table, object, collectives, collective_call_count),
    FIELDS(struct collective_call, collective_fields)};

const struct snapshot_table snapshot_site_table = {.name = "site", FIELDS(struct site, site_fields)};

const struct snapshot_table *const snapshot_tables[] = {
    &job_table,         &absent_table,       &snapshot_process_table,  &thread_table,       &thread_place_table,
    &seen_thread_table, &kernel_table,       &troubled_socket_table,   &call_stack_table,   &stack_line_table,
    &waiting_table,     &poll_table,         &poll_waiting_table,      &communicator_table, &send_table,
    &receive_table,     &unexpected_table,   &completed_table,         &message_table,      &channel_table,
    &class_table,       &collective_table,   &collective_amount_table, &mark_table,         &request_table,
    &object_table,      &window_table,       &window_lock_table,       &file_table,         &object_collective_table,
    &failed_call_table, &freed_object_table,
};
const size_t snapshot_table_count = sizeof snapshot_tables / sizeof *snapshot_tables;
