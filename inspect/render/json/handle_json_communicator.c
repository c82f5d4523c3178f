/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators that were asked for, as JSON.
 */
#include "render/json/render_json_internal.h"

#include "mpilens/words.h"
#include "render/json/json_values.h"

static json_t *numbers(const struct handle_topology *topology, size_t first, int32_t count)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < count && first + (size_t)i < topology->value_count; i++)
        json_array_append_new(array, json_integer(topology->values[first + (size_t)i]));
    return array;
}

static json_t *truths(const struct handle_topology *topology, size_t first, int32_t count)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < count && first + (size_t)i < topology->value_count; i++)
        json_array_append_new(array, json_boolean(topology->values[first + (size_t)i] != 0));
    return array;
}

static json_t *json_topology(const struct handle_topology *topology)
{
    const struct mpilens_topology_information *information = &topology->information;
    const int32_t first = information->first_count > 0 ? information->first_count : 0;
    const int32_t second = information->second_count > 0 ? information->second_count : 0;
    const size_t step = (size_t)first;
    const char *kind = mpilens_topology_word(information->kind);
    if (information->kind == MPILENS_TOPOLOGY_CARTESIAN)
        return json_pack("{s:s, s:o, s:o, s:o, s:b}", "kind", kind, "dims", numbers(topology, 0, first), "periods",
                         truths(topology, step, first), "coords", numbers(topology, 2 * step, first), "reorder",
                         information->reordered != 0);
    if (information->kind == MPILENS_TOPOLOGY_GRAPH)
        return json_pack("{s:s, s:o, s:o, s:b}", "kind", kind, "index", numbers(topology, 0, first), "edges",
                         numbers(topology, step, second), "reorder", information->reordered != 0);
    if (information->kind != MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        return json_null();
    const size_t weights = step + (size_t)second;
    json_t *graph = json_pack("{s:s, s:o, s:o, s:b, s:b}", "kind", kind, "sources", numbers(topology, 0, first),
                              "destinations", numbers(topology, step, second), "weighted", information->weighted != 0,
                              "reorder", information->reordered != 0);
    json_object_set_new(graph, "source_weights",
                        information->weighted ? numbers(topology, weights, first) : json_null());
    json_object_set_new(graph, "destination_weights",
                        information->weighted ? numbers(topology, weights + step, second) : json_null());
    return graph;
}

static json_t *json_attributes(const struct handle *handle)
{
    json_t *array = json_array();
    for (size_t i = 0; i < handle->attribute_count; i++) {
        const struct handle_attribute *attribute = &handle->attributes[i];
        json_t *value = json_address(attribute->value);
        if (attribute->value == 0)
            value = json_string("0x0"); /* known to be 0 */
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "keyval", json_address(attribute->keyval), "name",
                                               json_text(attribute->name), "value", value));
    }
    return array;
}

json_t *json_handle_communicator(const struct handle *handle)
{
    const struct mpilens_communicator_information *communicator = &handle->of_communicator;
    const bool is_known = communicator->size >= 0;
    json_t *detail =
        json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "id", json_unique_id(handle->object.communicator_id),
                  "rank", is_known ? json_number(communicator->rank) : json_null(), "size",
                  is_known ? json_number(communicator->size) : json_null(), "intercommunicator",
                  (handle->object.flags & MPILENS_COMMUNICATOR_INTER) != 0, "group", json_ranges(&handle->members),
                  "remote_group", json_ranges(&handle->remote_members), "parent",
                  is_known ? json_address(communicator->parent_handle) : json_null(), "topology",
                  json_topology(&handle->topology));
    json_t *rest =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "errhandler", json_address(handle->errhandler),
                  "errhandler_name", json_text(handle->errhandler_name), "attributes", json_attributes(handle),
                  "requests", json_users(handle, MPILENS_OBJECT_REQUEST), "windows",
                  json_users(handle, MPILENS_OBJECT_WINDOW), "files", json_users(handle, MPILENS_OBJECT_FILE), "info",
                  json_texts(handle), "parent_name", is_known ? json_text(communicator->parent_name) : json_null());
    json_object_update(detail, rest);
    json_decref(rest);
    json_object_set_new(detail, "remote_size",
                        is_known && communicator->remote_size > 0 ? json_integer(communicator->remote_size)
                                                                  : json_null());
    json_object_set_new(detail, "group_handle", json_address(communicator->group));
    json_object_set_new(detail, "remote_group_handle", json_address(communicator->remote_group));
    return detail;
}
