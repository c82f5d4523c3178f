/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the members of the model's structs that a snapshot has. Unexpected messages that were inferred are left out:
 * they follow from the rest, and are found again when it is read.
 */
#include "snapshot/snapshot_internal.h"
#include "stack/stack.h"

#define IS_SHARED(kind) _Generic((struct kind *)0, struct operation_details * : true, default : false)
/* clang-format off */
#define KIND(kind, answer)                OWN_KIND(kind)
#define OWN_KIND(kind)                    __attribute__((unused)) static const struct snapshot_field kind##_fields[] = {
#define SAVED(kind, member)               COLUMN(kind, member, .is_shared = IS_SHARED(kind)),
#define NUMBER(kind, type, member, json)  SAVED(kind, member)
#define TRUTH(kind, member, json)         SAVED(kind, member)
#define TEXT(kind, member, json)          SAVED(kind, member)
#define ID(kind, of, json)                SAVED(kind, of##_id)
#define PEER(kind, peer, json)            SAVED(kind, peer##_local) SAVED(kind, peer##_world)
#define SITE(kind, place, json)           SAVED(kind, place##_address) SAVED(kind, place)
#define AGE(kind, member, from, json)     SAVED(kind, member)
#define KEPT(kind, type, member, json)    SAVED(kind, member)
#define LIMITED(kind, type, member, last, json) COLUMN(kind, member, .most = (last)),
#define UNSAVED(...)
#define ROWS(...)
#define NUMBERS(...)
#define QUEUE(...)
#define ONE(...)
#define SHARED(kind, member, of, members) members(of)
#define END(kind)                         };
#define OWN_END(kind)                     };
#include "kernel/kernel_facts.def"
#include "model/model.def"
/* clang-format on */

#define ROW rank_range
static const struct snapshot_field rank_range_fields[] = {FIELD(first), FIELD(last), FIELD(stride)};
#undef ROW

static const struct snapshot_field number_fields[] = {{.name = "serial", .type = SNAPSHOT_UNSIGNED64}};

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

/* A table of the rows `items` of a table above, of which there are `number` in struct above_type. */
/* clang-format off */
#define RENAMED(...) .renamed = (const struct snapshot_renaming[]){__VA_ARGS__, {NULL, NULL}} /* older name, column */
#define TABLE(table, above, above_type, items, number, row, ...)                                                       \
    static const struct snapshot_table table##_table = {                                                               \
        .name = #table, ROWS_OF(above##_table, above_type, items, number), FIELDS(struct row, row##_fields), __VA_ARGS__};
#define TABLE_OF_ONE(table, above, above_type, item, row, ...)                                                         \
    static const struct snapshot_table table##_table = {                                                               \
        .name = #table, ONE_OF(above##_table, above_type, item), FIELDS(struct row, row##_fields), __VA_ARGS__};
#define TABLE_OF_NUMBERS(table, above, above_type, items, number)                                                      \
    static const struct snapshot_table table##_table = {                                                               \
        .name = #table, ROWS_OF(above##_table, above_type, items, number), FIELDS(uint64_t, number_fields)};
#define TABLE_OF_OPERATIONS(table, queue, ...)                                                                         \
    TABLE(table, communicator, communicator, queue.items, queue.count, operation, .shared = &operation_shared,         \
          .set_unknown = set_unmatched, __VA_ARGS__)

static const struct snapshot_table job_table = {.name = "job", FIELDS(struct job, job_fields)};
const struct snapshot_table snapshot_process_table = {
    .name = "process", ROWS_OF(job_table, job, processes, process_count),
    FIELDS(struct process, process_fields), .set_unknown = set_unread_moment};
TABLE(absent, job, job, absent.ranges, absent.count, rank_range, )
TABLE(thread, snapshot_process, process, threads, thread_count, thread, )
TABLE(thread_place, snapshot_process, process, thread_places, thread_place_count, thread_place, )
TABLE(seen_thread, snapshot_process, process, seen_threads, seen_thread_count, seen_thread,
      RENAMED({"is_unchanged", "unchanged"}))
TABLE_OF_ONE(kernel, snapshot_process, process, kernel, kernel_facts, .set_unknown = set_unseen_moment,
             RENAMED({"run_meanwhile_s", "ran_meanwhile_s"}, {"is_frozen", "frozen"},
                     {"shared_changes", "shared_memory_changed"}))
TABLE(troubled_socket, kernel, kernel_facts, troubled_sockets, troubled_socket_count, troubled_socket, )
TABLE(call_stack, snapshot_process, process, call_stacks, call_stack_count, call_stack, )
TABLE(stack_line, call_stack, call_stack, lines, line_count, stack_line, RENAMED({"is_inlined", "inlined"}))
TABLE_OF_NUMBERS(waiting, thread, thread, waiting, waiting_known)
TABLE(poll, thread, thread, other_polls, other_poll_count, thread, )
TABLE_OF_NUMBERS(poll_waiting, poll, thread, waiting, waiting_known)
TABLE(communicator, snapshot_process, process, communicators, communicator_count, communicator,
      RENAMED({"collective_count", "collective_calls"}, {"parent_handle", "parent"},
              {"constructor_count", "constructor_calls"}))
TABLE_OF_OPERATIONS(send, sends, )
TABLE_OF_OPERATIONS(receive, receives, )
TABLE_OF_OPERATIONS(unexpected, unexpected, .is_stored = is_told)
TABLE_OF_OPERATIONS(completed, completed, )
TABLE(message, communicator, communicator, matched_messages, message_count, matched_message,
      RENAMED({"source_local", "peer_local"}, {"source_world", "peer_world"}))
TABLE(channel, communicator, communicator, channels, channel_count, channel, )
TABLE(collective_class, communicator, communicator, collectives, class_count, collective_class,
      RENAMED({"name", "class"}))
TABLE(collective, communicator, communicator, recent_collectives, collective_call_count, collective_call, )
TABLE(collective_mark, communicator, communicator, marks, mark_count, collective_mark, )
TABLE(collective_amount, collective, collective_call, amounts, amount_count, collective_amount, )
TABLE(request, snapshot_process, process, requests, request_count, operation, .shared = &operation_shared,
      .set_unknown = set_unmatched, RENAMED({"handle", "request"}))
TABLE(failed_call, snapshot_process, process, failed_calls, failed_call_count, failed_call,
      RENAMED({"count", "times"}, {"amount", "elements"}, {"is_returned", "returned"}, {"request_function", "started_by"},
              {"request_site_address", "started_at_address"}, {"request_site", "started_at"}, {"failed", "last_time"}))
TABLE(object, snapshot_process, process, objects, object_count, object, )
TABLE(freed_object, snapshot_process, process, freed_objects, freed_object_count, freed_object,
      RENAMED({"calls", "collective_calls"}))
TABLE_OF_ONE(window, object, object, window, window, RENAMED({"collective_count", "collective_calls"}))
TABLE(window_lock, window, window, locks, lock_count, window_lock, )
TABLE_OF_ONE(file, object, object, file, file, RENAMED({"collective_count", "collective_calls"}, {"mode", "amode"}))
TABLE(object_collective, object, object, recent_collectives, collective_call_count, collective_call, )
/* clang-format on */

const struct snapshot_table snapshot_site_table = {.name = "site", FIELDS(struct site, site_fields)};

const struct snapshot_table *const snapshot_tables[] = {
    &job_table,
    &absent_table,
    &snapshot_process_table,
    &thread_table,
    &thread_place_table,
    &seen_thread_table,
    &kernel_table,
    &troubled_socket_table,
    &call_stack_table,
    &stack_line_table,
    &waiting_table,
    &poll_table,
    &poll_waiting_table,
    &communicator_table,
    &send_table,
    &receive_table,
    &unexpected_table,
    &completed_table,
    &message_table,
    &channel_table,
    &collective_class_table,
    &collective_table,
    &collective_amount_table,
    &collective_mark_table,
    &request_table,
    &object_table,
    &window_table,
    &window_lock_table,
    &file_table,
    &object_collective_table,
    &failed_call_table,
    &freed_object_table,
};
const size_t snapshot_table_count = sizeof snapshot_tables / sizeof *snapshot_tables;
