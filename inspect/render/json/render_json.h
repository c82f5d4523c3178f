/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of the JSON document, and what is written value by value. For render_json*.c only. What is not known becomes
 * null.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_H

#include "analysis/finding.h"
#include "base/rank_set.h"
#include "model/model.h"
#include "text/json_stream.h"

#include <jansson.h>

json_t *json_text(const char *text);      /* NULL, empty: not known; otherwise as the next */
json_t *json_any_text(const char *text);  /* U+FFFD stands for what is not UTF-8 */
json_t *json_address(uint64_t address);   /* 0: not known */
json_t *json_number(int64_t number);      /* negative: not known */
json_t *json_identifier(uint64_t number); /* 0: none or not known */
/* Of what is equal at all members, such as a communicator: as text, for many readers have no such large numbers. */
json_t *json_unique_id(uint64_t id);      /* 0: none or not known */
json_t *json_tag(bool wild, int32_t tag); /* wild: null */
json_t *json_seconds(double seconds);     /* negative: not known */
json_t *json_peer(int32_t local, int32_t world);
json_t *json_site(const struct site *site, uint64_t address);
json_t *json_members(const struct group *group); /* ranges of world ranks; NULL: not known */
json_t *json_operation(const struct operation *operation);
json_t *json_request(const struct process *process, const struct request *request);
json_t *json_collectives(const struct collective_call *calls, size_t count);
json_t *json_application_object(const struct object *object);
/* Lines, innermost first; NULL: null. */
json_t *json_stack(const struct call_stack *stack);
json_t *json_stack_is_cut(const struct call_stack *stack);
/* What an enum mpilens_object_kind and a serial name. */
json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial, bool with_name);

/* Members of the innermost object that is open: "processes" of these ranks, in full or only what tells them apart;
 * "findings"; "leaks". */
void json_write_processes(struct json_stream *stream, const struct job *job, const struct rank_set *ranks,
                          bool in_full);
void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings);
struct leaks;
void json_write_leaks(struct json_stream *stream, const struct leaks *leaks);
/* "other_threads": those that have not called MPI. */
void json_write_other_threads(struct json_stream *stream, const struct process *process);
/* An item of the innermost array. */
void json_write_communicator(struct json_stream *stream, const struct communicator *communicator);

#endif
