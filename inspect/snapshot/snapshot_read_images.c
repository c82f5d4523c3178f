/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the recorded memory, symbols and places of processes.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* The processes that have an image; the others have pid -1. */
struct image_reading {
    struct snapshot_reader *reader;
    struct image_facts *facts; /* by number of the process - 1 */
    struct snapshot_image **images;
    size_t count;
};

/* Appends a row to an array of an image. NULL: there is no such image. */
typedef void *append_function(struct snapshot_image *image);

static void *append_module(struct snapshot_image *image)
{
    image->modules = array_append(image->modules, &image->module_count, sizeof *image->modules);
    return &image->modules[image->module_count - 1];
}

static void *append_place(struct snapshot_image *image)
{
    image->places = array_append(image->places, &image->place_count, sizeof *image->places);
    return &image->places[image->place_count - 1];
}

static void *append_symbol(struct snapshot_image *image)
{
    image->symbols = array_append(image->symbols, &image->symbol_count, sizeof *image->symbols);
    return &image->symbols[image->symbol_count - 1];
}

static void *append_memory(struct snapshot_image *image)
{
    image->memory = array_append(image->memory, &image->memory_count, sizeof *image->memory);
    return &image->memory[image->memory_count - 1];
}

static bool is_possible(const struct image_facts *facts)
{
    return facts->pointer_bytes == 4 || facts->pointer_bytes == 8;
}

/* The row of the table image: the only one of its process. */
static int read_facts(struct image_reading *reading, const struct snapshot_rows *rows, size_t place)
{
    struct image_facts *facts = &reading->facts[place];
    if (reading->images[place] != NULL)
        return snapshot_file_damaged(reading->reader->file, "a process has two images");
    if (snapshot_rows_take(reading->reader, rows, facts) != 0)
        return -1;
    if (!is_possible(facts))
        return snapshot_file_damaged(reading->reader->file, "an image makes no sense");
    reading->images[place] = allocate(sizeof *reading->images[place]);
    reading->images[place]->clock = (struct tick_clock){
        .known = facts->clock_known && facts->clock_now >= 0 && facts->clock_ticks_per_ns > 0,
        .now = facts->clock_now,
        .ticks_per_ns = facts->clock_ticks_per_ns,
    };
    return 0;
}

/* A table that is being read: `append` NULL: the images themselves. */
struct table_reading {
    struct image_reading *reading;
    append_function *append;
};

static int read_row(void *context, const struct snapshot_rows *rows)
{
    const struct table_reading *of = context;
    struct image_reading *reading = of->reading;
    int64_t process;
    if (!snapshot_value_integer(rows->values[1], 1, (int64_t)reading->count, &process))
        return snapshot_file_damaged(reading->reader->file, "an image has no process");
    if (of->append == NULL)
        return read_facts(reading, rows, (size_t)process - 1);
    if (reading->images[process - 1] == NULL)
        return snapshot_file_damaged(reading->reader->file, "a part of an image has no image");
    return snapshot_rows_take(reading->reader, rows, of->append(reading->images[process - 1]));
}

static int read_rows(struct image_reading *reading, const struct snapshot_table *table, append_function *append)
{
    struct table_reading of = {reading, append};
    int64_t count;
    return snapshot_rows_read(reading->reader, table, read_row, &of, &count);
}

static int compare_places(const void *left, const void *right)
{
    const uint64_t left_address = ((const struct image_place *)left)->address;
    const uint64_t right_address = ((const struct image_place *)right)->address;
    return left_address < right_address ? -1 : left_address > right_address;
}

static int compare_memory(const void *left, const void *right)
{
    const uint64_t left_address = ((const struct image_memory *)left)->address;
    const uint64_t right_address = ((const struct image_memory *)right)->address;
    return left_address < right_address ? -1 : left_address > right_address;
}

/* Sorts what is looked up; false: the memory makes no sense. */
static bool put_in_order(struct snapshot_image *image)
{
    if (image->place_count > 1)
        qsort(image->places, image->place_count, sizeof *image->places, compare_places);
    if (image->memory_count > 1)
        qsort(image->memory, image->memory_count, sizeof *image->memory, compare_memory);
    for (size_t i = 0; i < image->memory_count; i++) {
        const struct image_memory *memory = &image->memory[i];
        if (memory->bytes == 0 || memory->bytes > SNAPSHOT_MEMORY_BYTES ||
            memory->address > UINT64_MAX - memory->bytes || memory->content.bytes == NULL ||
            (i > 0 && memory[-1].address + memory[-1].bytes > memory->address))
            return false;
    }
    return true;
}

static int open_targets(struct image_reading *reading)
{
    struct job *job = reading->reader->job;
    for (size_t i = 0; i < reading->count; i++) {
        if (reading->images[i] == NULL)
            continue;
        if (!put_in_order(reading->images[i]))
            return snapshot_file_damaged(reading->reader->file, "memory makes no sense");
        job->processes[i].target = target_create_snapshot(&reading->facts[i], reading->images[i]);
        reading->images[i] = NULL;
    }
    return 0;
}

int snapshot_read_images(struct snapshot_reader *reader)
{
    const size_t count = reader->job->process_count;
    struct image_reading reading = {.reader = reader,
                                    .facts = allocate(count * sizeof *reading.facts),
                                    .images = allocate(count * sizeof(struct snapshot_image *)),
                                    .count = count};
    int result = read_rows(&reading, &snapshot_image_table, NULL);
    if (result == 0)
        result = read_rows(&reading, &snapshot_module_table, append_module);
    if (result == 0)
        result = read_rows(&reading, &snapshot_place_table, append_place);
    if (result == 0)
        result = read_rows(&reading, &snapshot_symbol_table, append_symbol);
    if (result == 0)
        result = read_rows(&reading, &snapshot_memory_table, append_memory);
    if (result == 0)
        result = open_targets(&reading);
    for (size_t i = 0; i < count; i++)
        snapshot_image_destroy(reading.images[i]);
    free(reading.images);
    free(reading.facts);
    return result;
}
