/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_H
#define MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_H

#include "handle/handle.h"

#include <jansson.h>

json_t *json_handle(const struct handle *handle);

#endif
