/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes members, texts and users of handles as JSON.
 */
#include "render/json/render_json_internal.h"

#include "render/json/json_values.h"

json_t *json_ranges(const struct handle_members *members)
{
    if (!members->is_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < members->count; i++)
        json_array_append_new(array,
                              json_pack("{s:o, s:i, s:i}", "first", json_number(members->ranges[i].first), "stride",
                                        members->ranges[i].count > 1 ? (int)members->ranges[i].stride : 1, "count",
                                        (int)members->ranges[i].count));
    return array;
}

json_t *json_texts(const struct handle *handle)
{
    if (!handle->has_texts)
        return json_null();
    json_t *object = json_object();
    for (size_t i = 0; i < handle->text_count; i++) {
        json_t *key = json_any_text(handle->texts[i].key);
        json_object_set_new(object, json_string_value(key), json_any_text(handle->texts[i].value));
        json_decref(key);
    }
    return object;
}

json_t *json_users(const struct handle *handle, uint32_t kind)
{
    json_t *array = json_array();
    for (size_t i = 0; i < handle->user_count; i++) {
        const struct mpilens_user_information *user = &handle->users[i];
        if (kind == MPILENS_OBJECT_NONE)
            json_array_append_new(
                array, json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", mpilens_object_kind_name((int)user->kind),
                                 "handle", json_address(user->handle), "name", json_text(user->name), "serial",
                                 json_identifier(user->serial), "operation", json_identifier(user->operation_serial)));
        else if (kind == user->kind && user->handle != 0)
            json_array_append_new(array, json_address(user->handle));
    }
    return array;
}
