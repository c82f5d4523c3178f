/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the members of the model's structs that a snapshot has: requests that stand in no queue, and objects.
 */
#include "snapshot/snapshot_fields.h"

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

#define ROW object
static const struct snapshot_field object_fields[] = {
    FIELD(kind),  FIELD(serial),   FIELD(handle),       FIELD(name), FIELD(references), FIELD(users),
    FIELD(freed), FIELD(function), FIELD(site_address), FIELD(site), FIELD(age_s),      FIELD(communicator_id),
};
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

const struct snapshot_table snapshot_request_table = {.name = "request",
                                                      ROWS_OF(snapshot_process_table, process, requests, request_count),
                                                      FIELDS(struct request, request_fields)};
const struct snapshot_table snapshot_object_table = {.name = "object",
                                                     ROWS_OF(snapshot_process_table, process, objects, object_count),
                                                     FIELDS(struct object, object_fields)};
const struct snapshot_table snapshot_window_table = {
    .name = "window", ONE_OF(snapshot_object_table, object, window), FIELDS(struct window, window_fields)};
const struct snapshot_table snapshot_window_lock_table = {.name = "window_lock",
                                                          ROWS_OF(snapshot_window_table, window, locks, lock_count),
                                                          FIELDS(struct window_lock, lock_fields)};
const struct snapshot_table snapshot_file_table = {
    .name = "file", ONE_OF(snapshot_object_table, object, file), FIELDS(struct file, file_fields)};
