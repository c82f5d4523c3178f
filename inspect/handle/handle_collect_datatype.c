/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a datatype: its constructors, recursively, and its type map.
 */
#include "handle/handle.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Where the reading of one datatype stops. */
enum { MOST_DEPTH = 16, MOST_PARTS = 4096, MOST_ARGUMENTS = 1 << 16, MOST_ENTRIES = 1024 };

static void collect_contents(const struct collection *collection, struct handle_datatype *datatype)
{
    const struct dll *dll = collection->dll;
    datatype->information =
        (struct mpilens_datatype_information){.struct_size = sizeof datatype->information, .size = -1};
    dll->mpilens_get_datatype(collection->handle, &datatype->information);
    datatype->contents = (struct mpilens_datatype_contents){.struct_size = sizeof datatype->contents};
    datatype->has_contents = dll->mpilens_get_datatype_contents(collection->handle, &datatype->contents) == mqs_ok;
    datatype->combiner = dll->mpilens_combiner_name(datatype->contents.combiner);
    const uint64_t wanted = (uint64_t)datatype->contents.integer_count + datatype->contents.address_count;
    const size_t capacity = wanted < MOST_ARGUMENTS ? (size_t)wanted : MOST_ARGUMENTS;
    if (!datatype->has_contents || capacity == 0)
        return;
    datatype->arguments = allocate(capacity * sizeof *datatype->arguments);
    size_t count = 0;
    if (dll->mpilens_get_datatype_arguments(collection->handle, datatype->arguments, capacity, &count) == mqs_ok)
        datatype->argument_count = count < capacity ? count : capacity;
}

/* Reads the datatype that is the current object, and makes others current. `left`: how many parts may still be read. */
static void collect_tree(const struct collection *collection, struct handle_datatype *datatype, int depth, size_t *left)
{
    datatype->sentence = handle_collect_sentence(collection);
    collect_contents(collection, datatype);
    if (depth == 0 || !datatype->has_contents)
        return;
    for (size_t i = 0; *left > 0; i++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        const int code = collection->dll->mpilens_get_datatype_argument(collection->handle, i, &object);
        if (code != mqs_ok && code != mqs_no_information)
            break;
        if (code == mqs_no_information && i >= datatype->contents.datatype_count)
            break;
        --*left;
        datatype->parts = array_append(datatype->parts, &datatype->part_count, sizeof *datatype->parts);
        datatype->parts[datatype->part_count - 1] = (struct handle_datatype){
            .object = object, .information.size = -1, .combiner = "unknown", .sentence.text = ""};
    }
    for (size_t i = 0; i < datatype->part_count; i++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        const uint32_t serial = datatype->parts[i].object.serial;
        if (serial != 0 && collection->dll->mpilens_find_object_by_serial(collection->handle, MPILENS_OBJECT_DATATYPE,
                                                                          serial, &object) == mqs_ok)
            collect_tree(collection, &datatype->parts[i], depth - 1, left);
    }
}

/* The same in no more memory than it takes. */
static void *shrink(void *array, size_t bytes)
{
    void *smaller = allocate(bytes > 0 ? bytes : 1);
    memcpy(smaller, array, bytes);
    free(array);
    return smaller;
}

/* Its type map written out, and its holes. */
static void collect_runs(const struct collection *collection, struct handle_type_map *map)
{
    int runs_are_cut = 0, holes_are_cut = 0;
    map->runs = allocate(MOST_ENTRIES * sizeof *map->runs);
    map->holes = allocate(MOST_ENTRIES * sizeof *map->holes);
    map->is_known = collection->dll->mpilens_get_element_runs(collection->handle, map->runs, MOST_ENTRIES,
                                                              &map->run_count, &runs_are_cut) == mqs_ok;
    map->has_holes = collection->dll->mpilens_get_type_holes(collection->handle, map->holes, MOST_ENTRIES,
                                                             &map->hole_count, &holes_are_cut) == mqs_ok;
    map->is_cut = runs_are_cut != 0;
    map->runs = shrink(map->runs, map->run_count * sizeof *map->runs);
    map->holes = shrink(map->holes, map->hole_count * sizeof *map->holes);
}

static void collect_type_map(const struct collection *collection, struct handle_type_map *map)
{
    int code = collection->dll->mpilens_setup_type_map_iterator(collection->handle);
    while (code == mqs_ok && map->count < MOST_ENTRIES) {
        struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
        code = collection->dll->mpilens_next_type_map_entry(collection->handle, &entry);
        if (code != mqs_ok)
            break;
        map->entries = array_append(map->entries, &map->count, sizeof *map->entries);
        map->entries[map->count - 1] = entry;
    }
    collect_runs(collection, map);
}

void handle_collect_datatype(const struct collection *collection, struct handle *handle)
{
    size_t left = MOST_PARTS;
    collect_type_map(collection, &handle->type_map);
    handle->datatype.object = handle->object;
    collect_tree(collection, &handle->datatype, MOST_DEPTH, &left);
}
