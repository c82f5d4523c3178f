/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of the JSON document. For render_json*.c only. What is not known becomes null.
 */
#ifndef INSPECT_RENDER_JSON_H
#define INSPECT_RENDER_JSON_H

#include "model.h"

#include <jansson.h>

json_t *json_text(const char *text);    /* NULL, empty: not known */
json_t *json_address(uint64_t address); /* 0: not known */
json_t *json_number(int64_t number);    /* negative: not known */
json_t *json_seconds(double seconds);   /* negative: not known */
json_t *json_peer(int32_t local, int32_t world);
json_t *json_site(const struct site *site, uint64_t address);
json_t *json_communicator(const struct communicator *communicator);

#endif
