/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators that were asked for, as JSON.
 */
#include "render/json/render_json_internal.h"

#include "mpilens/words.h"

static void write_numbers(struct json_stream *stream, const char *name, const struct handle_topology *topology,
                          size_t first, int32_t count)
{
    json_stream_open_array(stream, name);
    for (int32_t i = 0; i < count && first + (size_t)i < topology->value_count; i++)
        json_stream_integer(stream, NULL, topology->values[first + (size_t)i]);
    json_stream_close(stream);
}

static void write_truths(struct json_stream *stream, const char *name, const struct handle_topology *topology,
                         size_t first, int32_t count)
{
    json_stream_open_array(stream, name);
    for (int32_t i = 0; i < count && first + (size_t)i < topology->value_count; i++)
        json_stream_boolean(stream, NULL, topology->values[first + (size_t)i] != 0);
    json_stream_close(stream);
}

static void write_weights(struct json_stream *stream, const char *name, const struct handle_topology *topology,
                          size_t first, int32_t count)
{
    if (topology->information.weighted)
        write_numbers(stream, name, topology, first, count);
    else
        json_stream_null(stream, name);
}

static void write_topology(struct json_stream *stream, const struct handle_topology *topology)
{
    const struct mpilens_topology_information *information = &topology->information;
    const int32_t first = information->first_count > 0 ? information->first_count : 0;
    const int32_t second = information->second_count > 0 ? information->second_count : 0;
    const size_t step = (size_t)first, weights = step + (size_t)second;
    const bool is_cartesian = information->kind == MPILENS_TOPOLOGY_CARTESIAN;
    const bool is_graph = information->kind == MPILENS_TOPOLOGY_GRAPH;
    const bool is_distributed = information->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH;
    if (!json_open_object_if(stream, "topology", is_cartesian || is_graph || is_distributed))
        return;
    json_stream_text(stream, "kind", mpilens_topology_word(information->kind));
    if (is_cartesian) {
        write_numbers(stream, "dims", topology, 0, first);
        write_truths(stream, "periods", topology, step, first);
        write_numbers(stream, "coords", topology, 2 * step, first);
    } else {
        write_numbers(stream, is_graph ? "index" : "sources", topology, 0, first);
        write_numbers(stream, is_graph ? "edges" : "destinations", topology, step, second);
    }
    if (is_distributed) {
        json_stream_boolean(stream, "weighted", information->weighted != 0);
        write_weights(stream, "source_weights", topology, weights, first);
        write_weights(stream, "destination_weights", topology, weights + step, second);
    }
    json_stream_boolean(stream, "reorder", information->reordered != 0);
    json_stream_close(stream);
}

static void write_attributes(struct json_stream *stream, const struct handle *handle)
{
    json_stream_open_array(stream, "attributes");
    for (size_t i = 0; i < handle->attribute_count; i++) {
        json_stream_open_object(stream, NULL);
        json_stream_address(stream, "keyval", handle->attributes[i].keyval);
        json_stream_text(stream, "name", handle->attributes[i].name);
        json_stream_any_address(stream, "value", handle->attributes[i].value);
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

void json_write_handle_communicator(struct json_stream *stream, const struct handle *handle)
{
    const struct mpilens_communicator_information *communicator = &handle->of_communicator;
    const bool is_known = communicator->size >= 0;
    const bool is_between = (handle->object.flags & MPILENS_COMMUNICATOR_INTER) != 0;
    json_stream_unique_id(stream, "id", handle->object.communicator_id);
    json_stream_number(stream, "rank", is_known ? communicator->rank : -1);
    json_stream_number(stream, "size", communicator->size);
    json_stream_boolean(stream, "intercommunicator", is_between);
    json_write_members_of_group(stream, "group", &handle->members);
    json_write_members_of_group(stream, "remote_group", &handle->remote_members);
    json_stream_address(stream, "parent", is_known ? communicator->parent : 0);
    write_topology(stream, &handle->topology);
    json_stream_address(stream, "errhandler", handle->errhandler);
    json_stream_text(stream, "errhandler_name", handle->errhandler_name);
    write_attributes(stream, handle);
    json_write_users(stream, "requests", handle, MPILENS_OBJECT_REQUEST);
    json_write_users(stream, "windows", handle, MPILENS_OBJECT_WINDOW);
    json_write_users(stream, "files", handle, MPILENS_OBJECT_FILE);
    json_write_texts(stream, "info", handle);
    json_stream_text(stream, "parent_name", is_known ? communicator->parent_name : NULL);
    json_stream_integer_if(stream, "remote_size", is_known && communicator->remote_size > 0, communicator->remote_size);
    json_stream_address(stream, "group_handle", communicator->group);
    json_stream_address(stream, "remote_group_handle", communicator->remote_group);
}
