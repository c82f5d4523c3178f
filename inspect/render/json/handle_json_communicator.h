/* SPDX-License-Identifier: BSD-3-Clause
 *
 * "detail" of a communicator.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_COMMUNICATOR_H
#define MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_COMMUNICATOR_H

#include "handle/handle.h"
#include <jansson.h>

json_t *json_handle_communicator(const struct handle *handle);

#endif
