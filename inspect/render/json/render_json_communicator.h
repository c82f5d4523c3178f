/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators, their operations and collective calls as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_COMMUNICATOR_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_COMMUNICATOR_H

#include "model/model.h"
#include "render/json/json_members.h"
#include "render/json/json_values.h"
#include "text/json_stream.h"

json_t *json_group_members(const struct group *group); /* ranges of world ranks; NULL: not known */
void json_write_operation(const struct json_members *members, const struct operation *operation);

json_t *json_collectives(const struct collective_call *calls, size_t count);

/* An item of the innermost array, with at most so many operations of each queue. */
void json_write_communicator(struct json_stream *stream, const struct communicator *communicator, size_t most);

#endif
