/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects and requests as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_OBJECT_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_OBJECT_H

#include "model/model.h"
#include <jansson.h>

json_t *json_request(const struct process *process, const struct request *request);
json_t *json_application_object(const struct object *object);

/* What an enum mpilens_object_kind and a serial name. */
json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial, bool with_name);

#endif
