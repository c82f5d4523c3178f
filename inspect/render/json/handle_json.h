/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles as JSON. For handle_json*.c and render_json.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_H
#define MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_H

#include "handle/handle.h"
#include "render/json/render_json.h"

json_t *json_handle(const struct handle *handle);

/* "detail" of some kinds. */
json_t *json_handle_communicator(const struct handle *handle);
json_t *json_handle_datatype(const struct handle *handle);

/* Parts of details. */
json_t *json_ranges(const struct handle_members *members); /* null: not known */
json_t *json_texts(const struct handle *handle);           /* an object; null: not known */
/* Handles of users of that kind; MPILENS_OBJECT_NONE: of all kinds, as objects that say which. */
json_t *json_users(const struct handle *handle, uint32_t kind);

#endif
