/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/json/ only.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_INTERNAL_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_INTERNAL_H

#include "analysis/analysis.h"
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "handle/handle.h"
#include "model/model.h"
#include "render/json/json_values.h"
#include "render/json/render_json.h"
#include "text/json_stream.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* -- handle_json.c --
 * Handles as JSON.
 */

json_t *json_handle(const struct handle *handle);

/* -- handle_json_communicator.c --
 * "detail" of a communicator.
 */

json_t *json_handle_communicator(const struct handle *handle);

/* -- handle_json_datatype.c --
 * "detail" of a datatype.
 */

json_t *json_handle_datatype(const struct handle *handle);

/* -- handle_json_values.c --
 * Parts of what is known of a handle, as JSON.
 */

json_t *json_ranges(const struct handle_members *members); /* null: not known */
json_t *json_texts(const struct handle *handle);           /* an object; null: not known */
/* Handles of users of that kind; MPILENS_OBJECT_NONE: of all kinds, as objects that say which. */
json_t *json_users(const struct handle *handle, uint32_t kind);

/* -- json_members.c --
 * Members of a JSON object that are either kept in memory, for who changes them, or written at once: of objects that
 * there are a hundred thousand of, to make each value costs far more than its text.
 */

/* One of them is set. */
struct json_members {
    json_t *object;             /* that has the members; not owned */
    struct json_stream *stream; /* whose innermost container that is open has them */
};

/* Names are written as they are. Unknown values become null, as in json_values.h. */
void json_member_null(const struct json_members *members, const char *name);
void json_member_boolean(const struct json_members *members, const char *name, bool value);
void json_member_integer(const struct json_members *members, const char *name, int64_t number);
void json_member_number(const struct json_members *members, const char *name, int64_t number);
void json_member_identifier(const struct json_members *members, const char *name, uint64_t number);
void json_member_text(const struct json_members *members, const char *name, const char *text);
void json_member_address(const struct json_members *members, const char *name, uint64_t address);
void json_member_unique_id(const struct json_members *members, const char *name, uint64_t id);
void json_member_seconds(const struct json_members *members, const char *name, double seconds);
void json_member_tag(const struct json_members *members, const char *name, bool wild, int32_t tag);
void json_member_peer(const struct json_members *members, const char *name, int32_t local, int32_t world);
void json_member_site(const struct json_members *members, const char *name, const struct site *site, uint64_t address);
/* Takes the value. */
void json_member_value(const struct json_members *members, const char *name, json_t *value);

/* As the members above, as values. */
json_t *json_peer(int32_t local, int32_t world);
json_t *json_site(const struct site *site, uint64_t address);

/* A member that is an object, and its members; to be closed before the next member of the outer one. */
struct json_members json_member_open(const struct json_members *members, const char *name);
void json_member_close(const struct json_members *inner);

/* -- render_json_communicator.c --
 * Communicators, their operations and collective calls as JSON.
 */

json_t *json_group_members(const struct group *group); /* ranges of world ranks; NULL: not known */
void json_write_operation(const struct json_members *members, const struct operation *operation);

json_t *json_collectives(const struct collective_call *calls, size_t count);

/* An item of the innermost array, with at most `most` operations of each queue. */
void json_write_communicator(struct json_stream *stream, const struct communicator *communicator, size_t most);

/* -- render_json_finding.c --
 * Findings as JSON.
 */

/* "findings", a member of the innermost object that is open. */
void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings);

/* -- render_json_leaks.c --
 * Leaks as JSON.
 */

/* "leaks", a member of the innermost object that is open. */
void json_write_leaks(struct json_stream *stream, const struct leaks *leaks);

/* -- render_json_object.c --
 * Objects and requests as JSON.
 */

void json_write_request(const struct json_members *members, const struct operation *request, const struct site *site);
json_t *json_application_object(const struct object *object);

/* The object with this enum mpilens_object_kind and serial, with its name. */
json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial);

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

/* Lines, innermost first; NULL: null. */
json_t *json_stack(const struct call_stack *stack);
json_t *json_stack_is_cut(const struct call_stack *stack);

/* "other_threads": those that have not called MPI. */
void json_write_other_threads(struct json_stream *stream, const struct process *process);

#endif
