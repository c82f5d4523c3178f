/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the facts that objects of all kinds have: the calls that made and freed them, their users, texts; and the
 * members and topologies of communicators and groups.
 */
#include "handle/handle.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* More of these are not looked at. */
enum {
    MOST_USERS = 1 << 16,
    MOST_TEXTS = 1 << 16,
    MOST_ATTRIBUTES = 1 << 16,
    MOST_RANGES = 1 << 20,
    MOST_VALUES = 1 << 20
};

static void collect_users(const struct collection *collection, struct handle *handle)
{
    int code = collection->dll->mpilens_setup_user_iterator(collection->handle);
    while (code == mqs_ok && handle->user_count < MOST_USERS) {
        struct mpilens_user_information user = {.struct_size = sizeof user};
        code = collection->dll->mpilens_next_user(collection->handle, &user);
        if (code != mqs_ok)
            break;
        handle->users = array_append(handle->users, &handle->user_count, sizeof *handle->users);
        handle->users[handle->user_count - 1] = user;
    }
}

static void collect_texts(const struct collection *collection, struct handle *handle)
{
    char key[512], value[4096];
    int code = mqs_ok;
    while (code == mqs_ok && handle->text_count < MOST_TEXTS) {
        code = collection->dll->mpilens_get_text_pair(collection->handle, handle->text_count, key, sizeof key, value,
                                                      sizeof value);
        if (code != mqs_ok)
            break;
        handle->texts = array_append(handle->texts, &handle->text_count, sizeof *handle->texts);
        handle->texts[handle->text_count - 1] = (struct handle_text){.key = text_pool_add(collection->names, key),
                                                                     .value = text_pool_add(collection->names, value)};
    }
    handle->has_texts = handle->text_count > 0 || code == mqs_end_of_list;
}

struct handle_sentence handle_collect_sentence(const struct collection *collection)
{
    struct mpilens_summary_information summary = {.struct_size = sizeof summary};
    collection->dll->mpilens_get_summary(collection->handle, &summary);
    const bool has_function = (uint64_t)summary.function_offset + summary.function_bytes <= strlen(summary.text);
    return (struct handle_sentence){.text = text_pool_add(collection->names, summary.text),
                                    .function_offset = has_function ? summary.function_offset : 0,
                                    .function_bytes = has_function ? summary.function_bytes : 0};
}

void handle_collect_common(const struct collection *collection, struct handle *handle)
{
    handle->kind = handle->object.kind;
    handle->age_s = tick_clock_age(&collection->clock, handle->object.created);
    handle->more = (struct mpilens_handle_information){.struct_size = sizeof handle->more};
    collection->dll->mpilens_get_handle(collection->handle, &handle->more);
    handle->sentence = handle_collect_sentence(collection);
    handle_collect_page(collection, collection->dll->mpilens_setup_object_page(collection->handle), handle);
    collect_users(collection, handle);
    collect_texts(collection, handle);
}

struct handle_members handle_collect_members(const struct collection *collection, bool remote)
{
    struct handle_members members = {0};
    size_t count = 0;
    int code = collection->dll->mpilens_get_members(collection->handle, remote, NULL, 0, &count);
    if (code != mqs_ok)
        return members;
    count = count < MOST_RANGES ? count : MOST_RANGES;
    members.ranges = allocate((count > 0 ? count : 1) * sizeof *members.ranges);
    code = collection->dll->mpilens_get_members(collection->handle, remote, members.ranges, count, &members.count);
    members.is_known = code == mqs_ok;
    if (members.count > count || code != mqs_ok)
        members.count = code == mqs_ok ? count : 0;
    return members;
}

static void collect_topology(const struct collection *collection, struct handle_topology *topology)
{
    struct mpilens_topology_information information = {.struct_size = sizeof information};
    if (collection->dll->mpilens_get_topology(collection->handle, &information) != mqs_ok)
        return;
    topology->information = information;
    const size_t capacity = information.value_count < MOST_VALUES ? information.value_count : MOST_VALUES;
    if (information.kind == MPILENS_TOPOLOGY_NONE || capacity == 0)
        return;
    topology->values = allocate(capacity * sizeof *topology->values);
    size_t count = 0;
    if (collection->dll->mpilens_get_topology_values(collection->handle, topology->values, capacity, &count) == mqs_ok)
        topology->value_count = count < capacity ? count : capacity;
}

static void collect_attributes(const struct collection *collection, struct handle *handle)
{
    int code = collection->dll->mpilens_setup_attribute_iterator(collection->handle);
    while (code == mqs_ok && handle->attribute_count < MOST_ATTRIBUTES) {
        struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
        code = collection->dll->mpilens_next_attribute(collection->handle, &attribute);
        if (code != mqs_ok)
            break;
        handle->attributes = array_append(handle->attributes, &handle->attribute_count, sizeof *handle->attributes);
        handle->attributes[handle->attribute_count - 1] =
            (struct handle_attribute){.keyval = attribute.keyval_handle, .name = "", .value = attribute.value};
    }
}

void handle_collect_communicator(const struct collection *collection, struct handle *handle)
{
    handle->members = handle_collect_members(collection, false);
    handle->remote_members = handle_collect_members(collection, true);
    collect_topology(collection, &handle->topology);
    collect_attributes(collection, handle);
    handle->of_communicator = (struct mpilens_communicator_information){
        .struct_size = sizeof handle->of_communicator, .rank = -1, .size = -1};
    collection->dll->mpilens_get_communicator_object(collection->handle, &handle->of_communicator);
    handle->errhandler = handle->of_communicator.errhandler;
}
