/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a JSON object that are either kept in memory, for who changes them, or written at once: of objects that
 * there are a hundred thousand of, to make each value costs far more than its text.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_JSON_MEMBERS_H
#define MPILENS_INSPECT_RENDER_JSON_JSON_MEMBERS_H

#include "model/model.h"
#include "text/json_stream.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One of them is set. */
struct json_members {
    json_t *object;             /* that has the members; not owned */
    struct json_stream *stream; /* whose innermost container that is open has them */
};

/* Names are written as they are. What is not known becomes null, as in json_values.h. */
void json_member_null(const struct json_members *members, const char *name);
void json_member_boolean(const struct json_members *members, const char *name, bool value);
void json_member_integer(const struct json_members *members, const char *name, int64_t number);
void json_member_number(const struct json_members *members, const char *name, int64_t number);
void json_member_identifier(const struct json_members *members, const char *name, uint64_t number);
void json_member_text(const struct json_members *members, const char *name, const char *text);
void json_member_address(const struct json_members *members, const char *name, uint64_t address);
void json_member_unique_id(const struct json_members *members, const char *name, uint64_t id);
void json_member_seconds(const struct json_members *members, const char *name, double seconds);
void json_member_tag(const struct json_members *members, const char *name, bool wild, int32_t tag);
void json_member_peer(const struct json_members *members, const char *name, int32_t local, int32_t world);
void json_member_site(const struct json_members *members, const char *name, const struct site *site, uint64_t address);
/* Takes the value. */
void json_member_value(const struct json_members *members, const char *name, json_t *value);

/* The same as values. */
json_t *json_peer(int32_t local, int32_t world);
json_t *json_site(const struct site *site, uint64_t address);

/* A member that is an object, and its members; to be closed before the next member of the outer one. */
struct json_members json_member_open(const struct json_members *members, const char *name);
void json_member_close(const struct json_members *inner);

#endif
