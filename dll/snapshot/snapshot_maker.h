/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking a snapshot.
 *
 * The process may be running meanwhile. What makes the copy consistent:
 *   - The threads are read first and last. If no thread made a call in between, nothing else has changed either.
 *   - Else operations, communicators and other objects are read a second time, and only those that are still the same
 *     ones are kept. What they refer to was read in between; the runtime keeps it as long as it is referred to.
 *   - A record that was being written is read again a few times, then counted and left out.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H

#include "snapshot/snapshot.h"

struct call_requests;

/* What the parts of the snapshot are made with. */
struct snapshot_maker {
    const struct target *target;
    struct root *root;
    const struct function_table *functions;
    struct snapshot *snapshot;
};

/* Takes a copy. `root` was just read. On anything but mqs_ok, *ret_snapshot is empty. */
int snapshot_take(const struct target *target, struct root *root, const struct function_table *functions,
                  struct snapshot *ret_snapshot);

/* Whether any thread has called MPI between two copies of their table. If none has, nothing else has changed either. */
bool snapshot_threads_have_moved(const struct table_copy *before, const struct table_copy *after);

/* The parts of snapshot_take, in its order. Each gives mqs_ok or a code. */
int snapshot_read(const struct snapshot_maker *dll, struct call_requests *ret_requests);
void snapshot_settle_requests(const struct snapshot_maker *maker);
int snapshot_list_communicators(const struct snapshot_maker *maker);
int snapshot_sort_operations(const struct snapshot_maker *maker);
int snapshot_sort_traffic(const struct snapshot_maker *maker);
int snapshot_sort_requests(const struct snapshot_maker *maker);
int snapshot_sort_objects(const struct snapshot_maker *maker);
int snapshot_read_partitions(const struct snapshot_maker *maker);
int snapshot_read_window_locks(const struct snapshot_maker *maker);
int snapshot_view_threads(const struct snapshot_maker *maker, const struct call_requests *requests);

#endif
