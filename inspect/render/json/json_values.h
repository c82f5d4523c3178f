/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of JSON documents. Unknown values become null.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_JSON_VALUES_H
#define MPILENS_INSPECT_RENDER_JSON_JSON_VALUES_H

#include "analysis/findings/findings.h"
#include "base/base.h"
#include "model/model.h"
#include "text/json_stream.h"

#include <jansson.h>

json_t *json_text(const char *text);      /* NULL, empty: not known; otherwise as the next */
json_t *json_any_text(const char *text);  /* U+FFFD stands for what is not UTF-8 */
json_t *json_address(uint64_t address);   /* 0: not known */
json_t *json_number(int64_t number);      /* negative: not known */
json_t *json_identifier(uint64_t number); /* 0: none or not known */
/* Of what is equal at all members, such as a communicator: as text, for many readers have no such large numbers. */
json_t *json_unique_id(uint64_t id);      /* 0: none or not known */
json_t *json_tag(bool wild, int32_t tag); /* wild: null */
json_t *json_seconds(double seconds);     /* negative: not known */

#endif
