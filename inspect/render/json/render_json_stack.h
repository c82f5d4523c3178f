/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_STACK_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_STACK_H

#include "model/model.h"
#include "text/json_stream.h"
#include <jansson.h>

/* Lines, innermost first; NULL: null. */
json_t *json_stack(const struct call_stack *stack);
json_t *json_stack_is_cut(const struct call_stack *stack);

/* "other_threads": those that have not called MPI. */
void json_write_other_threads(struct json_stream *stream, const struct process *process);

#endif
