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
#include "mpilens/words.h"
#include "render/json/render_json.h"
#include "stack/stack.h"
#include "text/text.h"
#include "words/words.h"

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
void json_write_window(struct json_stream *stream, const struct window *window);
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
/* MPILENS_FILE_* as a list. */
void json_write_file_mode(struct json_stream *stream, const char *name, uint32_t mode);
/* `of_group`: the call that begins an epoch for a group of ranks on this side. */
void json_write_epoch(struct json_stream *stream, const char *name, enum mpilens_epoch epoch, const char *of_group);

/* -- kernel_facts.def, model.def --
 * json_write_X_members writes the members of a struct X that have a form there: FORM_<form> takes its name and value.
 */

/* clang-format off */
#define FORM_none(...)
#define FORM_number(name, value)           json_stream_number(stream, name, value); /* negative: null */
#define FORM_positive(name, value)         json_stream_integer_if(stream, name, (value) > 0, value); /* else null */
#define FORM_signed(name, value)           json_stream_integer_if(stream, name, (value) != -1, value); /* -1: null */
#define FORM_integer(name, value)          json_stream_integer(stream, name, (int64_t)(value));
#define FORM_identifier(name, value)       json_stream_identifier(stream, name, value); /* 0: null, as of the next two */
#define FORM_address(name, value)          json_stream_address(stream, name, value);
#define FORM_unique_id(name, value)        json_stream_unique_id(stream, name, value);
#define FORM_text(name, value)             json_stream_text(stream, name, value); /* "", NULL: null */
#define FORM_boolean(name, value)          json_stream_boolean(stream, name, value);
#define FORM_character(name, value)        FORM_text(name, ((const char[]){value, '\0'}))
#define FORM_seconds(name, value)          json_stream_seconds(stream, name, value); /* negative: null */
#define FORM_group(name, value)            json_write_group(stream, name, value);
#define FORM_site(name, value, address)    json_write_site(stream, name, value, address);
#define FORM_peer(name, local, world)      json_write_peer(stream, name, local, world);
#define FORM_rows(name, row, values, count)                                                                            \
    json_stream_open_array(stream, name);                                                                              \
    for (size_t i = 0; i < (count); i++) {                                                                             \
        json_stream_open_object(stream, NULL);                                                                         \
        json_write_##row##_members(stream, &(values)[i]);                                                              \
        json_stream_close(stream);                                                                                     \
    }                                                                                                                  \
    json_stream_close(stream);
/* Words of enumerations; null where they have none. */
#define FORM_object_kind(name, value)      FORM_text(name, mpilens_object_kind_name((int)(value)))
#define FORM_socket_kind(name, value)      FORM_text(name, socket_kind_name(value))
#define FORM_lock_type(name, value)        FORM_text(name, describe_lock(value))
#define FORM_window_flavor(name, value)    FORM_text(name, mpilens_window_flavor_word(value))
#define FORM_access_epoch(name, value)     json_write_epoch(stream, name, value, "start");
#define FORM_exposure_epoch(name, value)   json_write_epoch(stream, name, value, "post");
#define FORM_amode(name, value)            json_write_file_mode(stream, name, value);
#define FORM_process_state(name, value)    FORM_text(name, describe_state(value))
#define FORM_thread_level(name, value)     FORM_text(name, mpilens_thread_level_word((uint32_t)(value)))
#define FORM_activity(name, value)         FORM_text(name, describe_activity(value))

#define KIND(kind, answer)                 OWN_KIND(kind)
#define OWN_KIND(kind)                                                                                                 \
    static inline void json_write_##kind##_members(struct json_stream *stream, const struct kind *of)                  \
    {                                                                                                                  \
        (void)stream, (void)of;
#define NUMBER(kind, type, member, json)   FORM_##json(#member, of->member)
#define TRUTH(kind, member, json)          FORM_##json(#member, of->member)
#define TEXT(kind, member, json)           FORM_##json(#member, of->member)
#define ID(kind, other, json)              FORM_##json(#other, of->other##_id)
#define PEER(kind, peer, json)             FORM_##json(#peer, of->peer##_local, of->peer##_world)
#define SITE(kind, place, json)            FORM_##json(#place, of->place, of->place##_address)
#define AGE(kind, member, from, json)      FORM_##json(#member, of->member)
#define KEPT(kind, type, member, json)     FORM_##json(#member, of->member)
#define LIMITED(kind, type, member, last, json) FORM_##json(#member, of->member)
#define UNSAVED(kind, type, member, json)  FORM_##json(#member, of->member)
#define ROWS(kind, row, rows, count, json) FORM_##json(#rows, row, of->rows, of->count)
#define NUMBERS(...)
#define QUEUE(...)
#define ONE(...)
#define SHARED(...)
#define END(kind)                          }
#define OWN_END(kind)                      }
#include "kernel/kernel_facts.def"
#include "model/model.def"
/* clang-format on */

#endif
