/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects and requests as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_OBJECT_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_OBJECT_H

#include "model/model.h"
#include "render/json/json_members.h"

#include <jansson.h>

void json_write_request(const struct json_members *members, const struct request *request);
json_t *json_application_object(const struct object *object);

/* What an enum mpilens_object_kind and a serial name, with its name. */
json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial);

#endif
