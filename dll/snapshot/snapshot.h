/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One consistent copy of the shadow state of a process, indexed for everything that the entry points answer.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_H

#include "layout/root.h"
#include "layout/table_copy.h"
#include "snapshot/buckets.h"
#include "snapshot/group_ranks.h"
#include "snapshot/thread_polls.h"

struct communicator_view {
    const struct mpilens_communicator *record; /* NULL: stands for all communicators that are not known */
    const struct group_ranks *group;           /* NULL: not known */
    const struct group_ranks *remote_group;    /* likewise; of an intracommunicator */
};

/* The partitions of a partitioned operation. */
struct partition_counts {
    uint32_t count;
    int64_t marked;                         /* -1: not known */
    uint64_t marks;                         /* address in the target: a byte each */
    const struct mpilens_operation *active; /* what was started last, NULL: it is over */
};

/* The locks that this process has on other processes' memory in a window. */
struct window_locks {
    int code; /* mqs_ok, or why they are not known */
    uint32_t count;
    struct mpilens_window_lock *locks;
};

/* What a call waits for. */
struct awaited {
    uint64_t *serials; /* of operations */
    size_t count;
    int code; /* mqs_ok, or why they are not known */
};

/* What a thread is doing. */
struct thread_view {
    const struct mpilens_thread *record;
    const struct mpilens_operation *operation;   /* of the record, NULL: none or not in this copy */
    const struct mpilens_operation *operation_2; /* likewise */
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

/* Of the table of this kind: the published record at this address, else NULL. */
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

/* The second operation of its request; of a persistent request: what was started last with it and is active. NULL:
 * none. */
const struct mpilens_operation *snapshot_partner(const struct snapshot *snapshot,
                                                 const struct mpilens_operation *operation);

/* What operations are sorted by before their serial: their time, if they are of several threads. */
uint64_t snapshot_operation_time(const struct snapshot *snapshot, const struct mpilens_operation *operation);

#endif
