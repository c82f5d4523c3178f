/* SPDX-License-Identifier: BSD-3-Clause
 *
 * "detail" of a datatype.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_DATATYPE_H
#define MPILENS_INSPECT_RENDER_JSON_HANDLE_JSON_DATATYPE_H

#include "handle/handle.h"
#include <jansson.h>

json_t *json_handle_datatype(const struct handle *handle);

#endif
