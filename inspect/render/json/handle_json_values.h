/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of what is known of a handle, as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_VALUES_H
#define MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_VALUES_H

#include "handle/handle.h"

#include <jansson.h>

json_t *json_ranges(const struct handle_members *members); /* null: not known */
json_t *json_texts(const struct handle *handle);           /* an object; null: not known */
/* Handles of users of that kind; MPILENS_OBJECT_NONE: of all kinds, as objects that say which. */
json_t *json_users(const struct handle *handle, uint32_t kind);

#endif
