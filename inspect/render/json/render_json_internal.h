/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/json/ only. Functions that take a name write one value, NULL in an array; the others
 * write members of the innermost object that is open.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_INTERNAL_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_INTERNAL_H

#include "analysis/analysis.h"
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "handle/handle.h"
#include "model/model.h"
#include "render/json/render_json.h"
#include "text/text.h"

#include <stdbool.h>
#include <stdint.h>

/* -- handle_json.c --
 * Handles as JSON.
 */

void json_write_handle(struct json_stream *stream, const char *name, const struct handle *handle);

/* -- handle_json_communicator.c --
 * Members of the "detail" of a communicator.
 */

void json_write_handle_communicator(struct json_stream *stream, const struct handle *handle);

/* -- handle_json_datatype.c --
 * Members of the "detail" of a datatype.
 */

void json_write_handle_datatype(struct json_stream *stream, const struct handle *handle);

/* -- handle_json_values.c --
 * Parts of what is known of a handle, as JSON.
 */

/* null: not known */
void json_write_members_of_group(struct json_stream *stream, const char *name, const struct handle_members *members);
/* An object; null: not known. */
void json_write_texts(struct json_stream *stream, const char *name, const struct handle *handle);
/* Handles of users of that kind; MPILENS_OBJECT_NONE: of all kinds, as objects that say which. */
void json_write_users(struct json_stream *stream, const char *name, const struct handle *handle, uint32_t kind);

/* -- render_json_communicator.c --
 * Communicators, their operations and collective calls as JSON.
 */

void json_write_operation(struct json_stream *stream, const struct operation *operation);
void json_write_collectives(struct json_stream *stream, const char *name, const struct collective_call *calls,
                            size_t count);
/* An item of the innermost array, with at most `most` operations of each queue. */
void json_write_communicator(struct json_stream *stream, const struct communicator *communicator, size_t most);

/* -- render_json_finding.c --
 * Findings as JSON.
 */

/* "findings", a member of the innermost object that is open. */
void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings);

/* -- render_json_history.c --
 * Calls of the past as JSON.
 */

/* "histories" and "messages", members of the innermost object that is open. */
void json_write_histories(struct json_stream *stream, const struct job *job, const struct rank_set *chosen);

/* -- render_json_leaks.c --
 * Leaks as JSON.
 */

/* "leaks", a member of the innermost object that is open. */
void json_write_leaks(struct json_stream *stream, const struct leaks *leaks);

/* -- render_json_object.c --
 * Objects and requests as JSON.
 */

/* As `show` has it; of a handle that was asked for, without its partitions. */
void json_write_request(struct json_stream *stream, const struct operation *request, const struct site *site,
                        const struct handle *handle);
void json_write_window(struct json_stream *stream, const struct window *window, bool with_local_ranks);
void json_write_file(struct json_stream *stream, const struct file *file);
void json_write_object(struct json_stream *stream, const struct object *object);
/* The object with this enum mpilens_object_kind and serial, with its name. */
void json_write_object_reference(struct json_stream *stream, const char *name, const struct process *process,
                                 uint32_t kind, uint32_t serial);

/* -- render_json_process.c --
 * Processes as JSON.
 */

/* "processes" of these ranks: a member of the innermost object that is open. Those `in_full` (NULL: all; finished) with
 * what they do and have, of which only the first 1,000 of each queue where `in_full` names them; others only with what
 * tells them apart. */
void json_write_processes(struct json_stream *stream, const struct job *job, const struct rank_set *ranks,
                          const struct ranks *in_full);

/* -- render_json_stack.c --
 * Call stacks as JSON.
 */

/* "stack", its lines, innermost first, and "stack_is_cut"; NULL: null. */
void json_write_stack(struct json_stream *stream, const struct call_stack *stack);
/* "other_threads": those that have not called MPI. */
void json_write_other_threads(struct json_stream *stream, const struct process *process);

/* -- render_json_values.c --
 * Values of many objects.
 */

/* Where the value is not known, these write null; open_ returns whether it is, and the container is open. */
bool json_open_object_if(struct json_stream *stream, const char *name, bool is_known);
bool json_open_array_if(struct json_stream *stream, const char *name, bool is_known);
void json_write_boolean_if(struct json_stream *stream, const char *name, bool is_known, bool value);

void json_write_peer(struct json_stream *stream, const char *name, int32_t local, int32_t world);
/* Address 0: null. */
void json_write_site(struct json_stream *stream, const char *name, const struct site *site, uint64_t address);
void json_write_site_members(struct json_stream *stream, const struct site *site, uint64_t address);
/* Where a function was called, and when (NULL: without "age_s"); null without function and address. */
void json_write_call(struct json_stream *stream, const char *name, const char *function, const struct site *site,
                     uint64_t address, const double *age_s);
/* A range of ranks, in an array. */
void json_write_range(struct json_stream *stream, int first, int stride, int count);
/* Ranges of world ranks; NULL: not known. */
void json_write_group(struct json_stream *stream, const char *name, const struct group *group);

#endif
