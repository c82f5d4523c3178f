/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of the JSON document. For render_json*.c only. What is not known becomes null.
 */
#ifndef INSPECT_RENDER_JSON_H
#define INSPECT_RENDER_JSON_H

#include "analysis/finding.h"
#include "model.h"

#include <jansson.h>

json_t *json_text(const char *text);      /* NULL, empty: not known */
json_t *json_address(uint64_t address);   /* 0: not known */
json_t *json_number(int64_t number);      /* negative: not known */
json_t *json_identifier(uint64_t number); /* 0: none or not known */
json_t *json_tag(bool wild, int32_t tag); /* wild: null */
json_t *json_seconds(double seconds);     /* negative: not known */
json_t *json_peer(int32_t local, int32_t world);
json_t *json_site(const struct site *site, uint64_t address);
json_t *json_members(const struct group *group); /* ranges of world ranks; NULL: not known */
json_t *json_communicator(const struct communicator *communicator);
json_t *json_operation(const struct operation *operation);
json_t *json_request(const struct process *process, const struct request *request);
json_t *json_findings(const struct findings *findings);
struct leaks;
json_t *json_leaks(const struct leaks *leaks);
json_t *json_application_object(const struct object *object);
/* What an enum mpilens_object_kind and a serial name. */
json_t *json_object_reference(const struct process *process, uint32_t kind, uint32_t serial, bool with_name);

#endif
