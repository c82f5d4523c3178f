/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the page of a communicator or group.
 */
#include "render/text/handle_page_communicator.h"

#include "base/allocation.h"
#include "handle/handle_describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void write_members(struct page *page, const char *label, const struct handle_members *members)
{
    if (!members->is_known)
        return;
    page_take(page, label, handle_describe_ranges(members->ranges, members->count));
}

/* A list of values of the topology: "0, 1". */
static char *list(const struct handle_topology *topology, size_t first, int32_t count)
{
    enum { MOST_SHOWN = 32 };
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    for (int32_t i = 0; i < count && i < MOST_SHOWN && first + (size_t)i < topology->value_count; i++)
        fprintf(stream, "%s%d", i > 0 ? ", " : "", topology->values[first + (size_t)i]);
    if (count > MOST_SHOWN)
        fputs(", ...", stream);
    fclose(stream);
    return text;
}

static void write_topology(struct page *page, const struct handle_topology *topology)
{
    const struct mpilens_topology_information *information = &topology->information;
    const int32_t first = information->first_count > 0 ? information->first_count : 0;
    const int32_t second = information->second_count > 0 ? information->second_count : 0;
    const size_t step = (size_t)first;
    if (information->kind == MPILENS_TOPOLOGY_NONE)
        return;
    char *sentence = handle_describe_topology(topology);
    page_begin(page, "topology", sentence);
    free(sentence);
    if (information->kind == MPILENS_TOPOLOGY_CARTESIAN) {
        page_take(page, "coordinates", list(topology, 2 * step, first));
    } else if (information->kind == MPILENS_TOPOLOGY_GRAPH) {
        page_take(page, "index", list(topology, 0, first));
        page_take(page, "edges", list(topology, step, second));
    } else {
        page_take(page, "sources", list(topology, 0, first));
        page_take(page, "destinations", list(topology, step, second));
        if (information->weighted) {
            page_take(page, "source weights", list(topology, step + (size_t)second, first));
            page_take(page, "destination weights", list(topology, 2 * step + (size_t)second, second));
        }
    }
    page_end(page);
}

static void write_attributes(struct page *page, const struct handle *handle)
{
    if (handle->attribute_count == 0)
        return;
    char *count = format_text("%zu", handle->attribute_count);
    page_begin(page, "attributes", count);
    for (size_t i = 0; i < handle->attribute_count; i++) {
        const struct handle_attribute *attribute = &handle->attributes[i];
        char *keyval = handle_describe_name(attribute->keyval, attribute->name);
        page_write(page, keyval, "0x%" PRIx64, attribute->value);
        free(keyval);
    }
    page_end(page);
    free(count);
}

void page_communicator(struct page *page, const struct handle *handle)
{
    const struct mpilens_communicator_information *communicator = &handle->of_communicator;
    if (communicator->size >= 0) {
        if (communicator->parent_handle != 0)
            page_take(page, "made from", handle_describe_name(communicator->parent_handle, communicator->parent_name));
        page_write(page, "rank", "%d", communicator->rank);
        write_members(page, "world ranks", &handle->members);
        if (communicator->group != 0)
            page_write(page, "group handle", "0x%" PRIx64, communicator->group);
        write_members(page, "remote world ranks", &handle->remote_members);
        page_write(page, "collective calls", "%" PRIu64, communicator->collective_calls);
        page_write(page, "unique id", "%" PRIu64 " (equal at all members)", communicator->unique_id);
    }
    write_topology(page, &handle->topology);
    write_attributes(page, handle);
}

void page_group(struct page *page, const struct handle *handle)
{
    if (handle->group.rank >= 0)
        page_write(page, "rank", "%d", handle->group.rank);
    else
        page_write(page, "rank", "none: this process is not a member");
    write_members(page, "world ranks", &handle->members);
}
