/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One consistent copy of all tables, indexed; with root and target, what facts are made from.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_H

#include "layout/layout.h"
#include "mpilens/layout.h"
#include "mpilens/object_layout.h"
#include "target/target.h"

#include <stdbool.h>

/* -- buckets.c --
 * Items in the order in which they are shown, split by what they belong to (communicator, or communicator and queue).
 */

struct buckets {
    struct sort_entry *entries; /* `major` is the number of the bucket */
    size_t entry_count;
    size_t *first; /* entries [first[n], first[n + 1]) are bucket n */
    size_t bucket_count;
};

/* A place in one bucket. */
struct bucket_position {
    size_t next;
    size_t end;
};

/* Room for `entry_limit` entries. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int buckets_create(struct buckets *buckets, size_t entry_limit, size_t bucket_count);

/* `bucket` is less than bucket_count. Within a bucket, `middle`, then `minor` give the order. */
void buckets_add(struct buckets *buckets, size_t bucket, uint64_t middle, uint64_t minor, const void *item);

/* Sorts what was added. To be called once. */
int buckets_finish(struct buckets *buckets);

void buckets_free(struct buckets *buckets);

struct bucket_position buckets_begin(const struct buckets *buckets, size_t bucket);

/* The next item, NULL at the end. */
const void *buckets_next(const struct buckets *buckets, struct bucket_position *position);

/* -- group_ranks.c --
 * The members of a group as ranks of MPI_COMM_WORLD.
 */

struct rank_range {
    struct mpilens_range range;
    int32_t end; /* rank in the group after the last of this range */
};

struct group_ranks {
    int code;     /* mqs_ok, or why the members are not known */
    int32_t size; /* of the group */
    uint32_t range_count;
    struct rank_range *ranges;
};

/* Sets the code of groups whose ranges lie in memory of other groups, which no runtime does: `ranks` has an element for
 * each record of the table. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int group_ranks_refuse_shared(const struct root *root, const struct table_copy *groups, struct group_ranks *ranks);

/* Reads and checks the members of one group whose record stands at `address`. Always sets *ret_ranks; returns
 * MPILENS_ERROR_NO_MEMORY, or mqs_ok with what is wrong with this group in ret_ranks->code. */
int group_ranks_read(const struct target *target, const struct root *root, const struct mpilens_group *group,
                     uint64_t address, struct group_ranks *ret_ranks);

void group_ranks_free(struct group_ranks *ranks);

/* Rank in MPI_COMM_WORLD of a member, -1: not known. `ranks` may be NULL. */
int32_t group_ranks_world(const struct group_ranks *ranks, int64_t rank);

/* All of them, `size` of them. mqs_ok, MPILENS_ERROR_CORRUPT (also where `ranks` is NULL), or what group_ranks.code
 * says. */
int group_ranks_list(const struct group_ranks *ranks, int64_t size, int *ret_world_ranks);

/* -- thread_polls.c --
 * The polls of a thread that is in a loop of them.
 */

/* Polls that differ, of one loop. */
enum { MOST_POLLS = 8 };

/* One of them, as struct mpilens_thread has it. */
struct thread_poll {
    uint32_t function;
    uint64_t site;
    uint64_t since;
    uint64_t operation;
    uint64_t communicator;
    uint64_t object;
    uint64_t requests;
    uint64_t request_count;
    int32_t peer;
    int32_t tag;
};

/* Whether the thread has done nothing but fruitless tests and probes since it began to poll. */
bool thread_is_polling(const struct function_table *functions, const struct mpilens_thread *thread);

/* How many different polls are known of the loop that a polling thread is in: 1 to MOST_POLLS. */
size_t thread_poll_count(const struct mpilens_thread *thread);

/* `number`: from 0, in the order in which they were first made. */
struct thread_poll thread_poll_get(const struct mpilens_thread *thread, size_t number);

/* Whether the thread has made no call since `before`, or goes round in the same loop of polls. */
bool thread_stays(const struct function_table *functions, const struct mpilens_thread *before,
                  const struct mpilens_thread *thread);

/* -- snapshot.c --
 * One consistent copy of the shadow state of a process, indexed for everything that the entry points answer.
 */

struct communicator_view {
    const struct mpilens_communicator *record; /* NULL: stands for all communicators that are not known */
    const struct group_ranks *group;           /* NULL: not known */
    const struct group_ranks *remote_group;    /* NULL: not known, or an intracommunicator */
};

/* The partitions of a partitioned operation. */
struct partition_counts {
    uint32_t count;
    int64_t marked;                         /* -1: not known */
    uint64_t marks;                         /* address in the target: a byte each */
    const struct mpilens_operation *active; /* the operation started last, NULL: it is over */
};

/* The locks that this process has on other processes' memory in a window. */
struct window_locks {
    int code; /* mqs_ok, or why they are not known */
    uint32_t count;
    struct mpilens_window_lock *locks;
};

/* The operations that a call waits for. */
struct awaited {
    uint64_t *serials; /* of operations */
    size_t count;
    int code; /* mqs_ok, or why they are not known */
};

/* The state of a thread. */
struct thread_view {
    const struct mpilens_thread *record;
    const struct mpilens_operation *operation;   /* of the record, NULL: none or not in this copy */
    const struct mpilens_operation *operation_2; /* of the record, NULL: none or not in this copy */
    struct awaited awaited[MOST_POLLS];          /* by its current call, the first; or, by number, by its polls */
};

/* Queues of one communicator; bucket number: place in the list * QUEUE_COUNT + queue. */
enum queue { QUEUE_SENDS, QUEUE_RECEIVES, QUEUE_COMPLETED, QUEUE_COUNT };

struct snapshot {
    struct table_copy tables[MPILENS_TABLE_COUNT];
    struct group_ranks *groups;              /* by record number */
    struct communicator_view *communicators; /* in the order in which they are listed */
    size_t communicator_count;
    size_t *communicator_places;         /* by record number: place in that list, or no_record */
    struct sort_entry *communicator_ids; /* records by unique_id (major) */
    size_t communicator_id_count;
    struct buckets operations; /* of struct mpilens_operation */
    struct buckets channels;   /* of struct mpilens_channel, by communicator; `middle` is the peer */
    struct buckets messages;   /* of struct mpilens_message, by communicator */
    struct buckets unexpected; /* of struct mpilens_unexpected, by communicator, in the order of arrival */
    struct buckets requests;   /* of struct mpilens_operation: all but active messages; one bucket */
    struct buckets objects;    /* of records, by enum mpilens_object_kind */
    /* Partitions of requests and locks of windows; `major` is where the record of the copy stands in our memory. */
    struct sort_entry *partitioned; /* of struct partition_counts */
    struct partition_counts *partitions;
    size_t partitioned_count;
    struct sort_entry *locked_windows; /* of struct window_locks */
    struct window_locks *window_locks;
    size_t locked_window_count;
    struct thread_view *threads;
    size_t thread_count;
    uint64_t torn_records;
    bool still;      /* no thread went on while it was taken */
    bool one_thread; /* all operations were started by the same thread */
};

/* Takes an empty (zeroed) one too and leaves an empty one. */
void snapshot_free(struct snapshot *snapshot);

/* The record that stands at this address of the target if it is published in this copy, else NULL. */
const struct mpilens_communicator *snapshot_communicator(const struct snapshot *snapshot, uint64_t address);
const struct mpilens_operation *snapshot_operation(const struct snapshot *snapshot, uint64_t address);
const struct mpilens_datatype *snapshot_datatype(const struct snapshot *snapshot, uint64_t address);
const struct mpilens_keyval *snapshot_keyval(const struct snapshot *snapshot, uint64_t address);
const struct group_ranks *snapshot_group(const struct snapshot *snapshot, uint64_t address);
/* 0: not known. */
uint64_t snapshot_communicator_id(const struct snapshot *snapshot, uint64_t address);
uint64_t snapshot_errhandler_handle(const struct snapshot *snapshot, uint64_t address);

/* The published record at this address in the table of this kind, else NULL. */
const void *snapshot_record(const struct snapshot *snapshot, enum mpilens_table_kind kind, uint64_t address);

/* The locks of a window of this copy, NULL: it has none. */
const struct window_locks *snapshot_window_locks(const struct snapshot *snapshot, const struct mpilens_window *window);

/* Partitions of an operation of this copy, NULL: it has none, or they are not known. */
const struct partition_counts *snapshot_partitions(const struct snapshot *snapshot,
                                                   const struct mpilens_operation *operation);

/* The view of a communicator record, which need not be listed; NULL: of all that are not known. */
struct communicator_view snapshot_communicator_view(const struct snapshot *snapshot,
                                                    const struct mpilens_communicator *record);

/* The communicator with this unique_id, NULL: none. */
const struct mpilens_communicator *snapshot_communicator_by_id(const struct snapshot *snapshot, uint64_t unique_id);

/* The second operation of its request; for a persistent request, its active operation. NULL: none. */
const struct mpilens_operation *snapshot_partner(const struct snapshot *snapshot,
                                                 const struct mpilens_operation *operation);

/* The sort key of operations before their serial: the time, if they belong to several threads. */
uint64_t snapshot_operation_time(const struct snapshot *snapshot, const struct mpilens_operation *operation);

/* Everything known of one process at one time; facts are made from it. */

struct reading {
    struct target target; /* for what is not copied */
    struct root root;
    struct function_table functions;
    struct snapshot snapshot; /* of the tables that were copied; the others are empty */
};

/* -- call_requests.c --
 * The request handles that threads in completion calls have been given.
 */

/* The request handles that one call waits for. */
struct thread_requests {
    uint64_t *handles; /* NULL: the call has none, or they could not be read */
    size_t count;
    int code;
};

/* Those of a thread: of its current call, the first; or, by number, of its polls. */
struct thread_calls {
    struct thread_requests calls[MOST_POLLS];
};

/* The threads as they were first read, and what their calls wait for. */
struct call_requests {
    struct table_copy threads;       /* all zero where one made a call while they were read */
    bool have_moved;                 /* that, or it went round in a loop of polls */
    struct thread_calls *of_threads; /* by record number */
};

/* Whether any thread has made a call between two copies of the threads. */
bool threads_have_moved(const struct table_copy *before, const struct table_copy *after);

/* Reads them; of the second, nothing where the target is read ahead: those who do that do not ask for threads. On
 * anything but mqs_ok nothing is kept. */
int call_requests_read(struct reading *reading, struct call_requests *ret_requests);

/* Reads the threads once more, and forgets of `requests` those that do not stay as they are in `threads`. */
int call_requests_confirm(struct reading *reading, const struct table_copy *threads, struct call_requests *requests);

/* Takes a zeroed one too. */
void call_requests_free(struct call_requests *requests);

/* -- communicator_list.c --
 * The communicators of a snapshot, in the order in which they are listed.
 */

/* mqs_ok or a code. */
int snapshot_list_communicators(struct reading *reading);

/* -- object_kinds.c --
 * Kinds of objects, and the tables that hold them.
 */

/* The table of objects of a kind (enum mpilens_object_kind); MPILENS_TABLE_COUNT: there is no such kind. */
enum mpilens_table_kind object_table(int kind);

/* -- object_list.c --
 * The lists of objects, by kind.
 */

/* mqs_ok or a code. */
int snapshot_sort_objects(struct reading *reading);

/* -- operation_kinds.c --
 * Predicates on operation records: live, a message, to nobody, complete.
 */

/* Whether the operation has been started and not collected. */
bool operation_is_live(const struct mpilens_operation *operation);

/* Whether it is a send or a receive. */
bool operation_is_message(const struct mpilens_operation *operation);

/* Whether it has no peer: such a message needs nobody else, and no queue shows it. Peers of other classes are none. */
bool operation_is_to_nobody(const struct mpilens_operation *operation, int32_t proc_null);

/* The request that a copied operation had until it was freed or over; 0: none. */
uint64_t operation_former_request(const struct mpilens_operation *operation);

/* Whether it is known to be complete. */
bool operation_is_complete(const struct mpilens_operation *operation);

/* -- operation_queues.c --
 * Queues of operations, and message counts, by communicator.
 */

/* mqs_ok or a code. */
int snapshot_sort_operations(struct reading *reading);
int snapshot_sort_traffic(struct reading *reading);

/* -- operation_requests.c --
 * Requests of operations in a snapshot.
 */

/* As far as the snapshot knows them. */
void snapshot_settle_requests(struct reading *reading);

/* -- partitions.c --
 * The partitions of partitioned operations.
 */

/* mqs_ok or a code. */
int snapshot_read_partitions(struct reading *reading);

/* Runs of equal marks among the partitions, as the target has them now: up to `capacity` of *ret_count. mqs_ok,
 * mqs_no_information: they are too many, or a code. */
int partition_runs_read(const struct target *target, const struct partition_counts *counts,
                        struct mpilens_partition_run *ret_runs, size_t capacity, size_t *ret_count);

/* -- request_list.c --
 * The list of requests.
 */

/* mqs_ok or a code. */
int snapshot_sort_requests(struct reading *reading);

/* -- snapshot_maker.c --
 * Taking a snapshot.
 */

/* Takes a copy of the tables of reading->target, whose root was just read. On anything but mqs_ok, the snapshot is
 * empty; the previous one is lost. */
int snapshot_take(struct reading *reading);

/* -- snapshot_read.c --
 * Reading the tables of a snapshot.
 *
 * The process may be running meanwhile. The copy is consistent because:
 *   - The threads are read first and last. If no thread made a call in between, nothing else has changed either.
 *   - Else operations, communicators and other objects are read a second time, and only those that are still the same
 *     ones are kept. Records that these refer to were read in between; the runtime keeps them as long as they have
 *     users.
 *   - A record that was being written is read again a few times, then counted and left out.
 */

/* Also reads the handles that the threads' calls wait for. mqs_ok or a code. */
int snapshot_read(struct reading *reading, struct call_requests *ret_requests);

/* -- thread_views.c -- The calls, polls and waits of a snapshot's threads.
 */

/* mqs_ok or a code. */
int snapshot_view_threads(struct reading *reading, const struct call_requests *requests);

/* -- waiting.c --
 * Finds the operations that request handles stand for.
 */

/* Live operations with a request, by handle, then oldest first. */
struct request_index {
    struct sort_entry *operations; /* `major` is the handle */
    size_t count;
    uint8_t *is_second; /* by record number of the operation: it has no request of its own */
    size_t *taken;      /* at the first entry of each handle: how many of them this call has taken */
};

int request_index_create(const struct snapshot *snapshot, struct request_index *ret_index);
void request_index_free(struct request_index *index);

/* Adds (there is room for two per handle) what the handles stand for and is not complete. Handles
 * that are equal stand for different operations, oldest first. */
void request_index_collect(struct reading *reading, struct request_index *index, const struct thread_requests *requests,
                           struct awaited *awaited);

/* Adds the operation if it is one that a call can still wait for. `operation` may be NULL. */
void waiting_add(struct reading *reading, struct awaited *awaited, const struct mpilens_operation *operation);

/* -- window_locks.c --
 * The locks that the process has in windows.
 */

/* mqs_ok or a code. */
int snapshot_read_window_locks(struct reading *reading);

#endif
