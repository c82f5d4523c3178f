/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes what the targets of a job have recorded, or have out of other snapshots.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A table that is being written. */
struct insertion {
    struct snapshot_writer *writer;
    const struct snapshot_table *table;
    sqlite3_stmt *statement;
    int64_t number; /* of the last row */
    int result;     /* of the first row that failed */
};

/* All tables, and the process that is being written. */
struct image_writing {
    struct insertion images, modules, places, symbols, memory;
    struct job *job;
    struct target *target;
    int64_t process; /* its number */
};

static void begin(struct insertion *insertion, struct snapshot_writer *writer, const struct snapshot_table *table)
{
    *insertion = (struct insertion){.writer = writer, .table = table};
    insertion->result = snapshot_create_table(writer->file, table, &insertion->statement);
}

static int insert(struct insertion *insertion, int64_t process, const void *row)
{
    if (insertion->result != 0)
        return insertion->result;
    sqlite3_bind_int64(insertion->statement, 1, ++insertion->number);
    sqlite3_bind_int64(insertion->statement, 2, process);
    insertion->result = snapshot_bind_row(insertion->writer, insertion->statement, 3, insertion->table, row);
    if (insertion->result == 0)
        insertion->result = snapshot_file_step(insertion->writer->file, insertion->statement);
    return insertion->result;
}

static int write_facts(struct image_writing *writing, const struct tick_clock *clock)
{
    const struct target *target = writing->target;
    const char *executable = target_executable(target);
    const struct image_facts facts = {
        .pid = target_pid(target),
        .pointer_bytes = target_pointer_bytes(target),
        .other_byte_order = target_is_other_byte_order(target),
        .executable = executable != NULL ? executable : "",
        .clock_known = clock->known,
        .clock_now = clock->known ? clock->now : -1,
        .clock_ticks_per_ns = clock->known ? clock->ticks_per_ns : -1,
    };
    return insert(&writing->images, writing->process, &facts);
}

static void write_module(void *context, const struct target_module *module)
{
    struct image_writing *writing = context;
    unsigned char build_id[64];
    const size_t bytes = module->build_id_bytes < sizeof build_id ? module->build_id_bytes : sizeof build_id;
    if (bytes > 0)
        memcpy(build_id, module->build_id, bytes);
    const struct image_module row = {.start = module->start,
                                     .end = module->end,
                                     .path = text_pool_add(&writing->job->names, module->path),
                                     .build_id = {.bytes = bytes > 0 ? build_id : NULL, .count = bytes}};
    insert(&writing->modules, writing->process, &row);
}

static int write_place(void *context, uint64_t address)
{
    struct image_writing *writing = context;
    struct target_place place;
    const struct site *sites = NULL;
    if (!target_find_module(writing->target, address, &place))
        return 0;
    site_find_inlined(&writing->job->sites, writing->target, address + 1, &sites);
    const struct image_place row = {.address = address, .offset = place.offset, .site = sites};
    return insert(&writing->places, writing->process, &row);
}

static int write_symbol(void *context, const char *name, uint64_t address)
{
    struct image_writing *writing = context;
    const struct image_symbol row = {.name = text_pool_add(&writing->job->names, name), .address = address};
    return insert(&writing->symbols, writing->process, &row);
}

static int write_memory(void *context, uint64_t address, const void *bytes, size_t count)
{
    struct image_writing *writing = context;
    uLongf packed_bytes = compressBound((uLong)count);
    struct image_memory row = {.address = address, .bytes = count, .content = {.bytes = allocate(packed_bytes)}};
    int result = -1;
    if (compress2(row.content.bytes, &packed_bytes, bytes, (uLong)count, Z_BEST_SPEED) == Z_OK) {
        row.content.count = packed_bytes;
        result = insert(&writing->memory, writing->process, &row);
    } else {
        reason_set(writing->memory.writer->file->reason, "memory cannot be packed");
    }
    free(row.content.bytes);
    return result;
}

static int write_recording(struct image_writing *writing, struct target_recording *recording)
{
    int result = write_facts(writing, target_recording_clock(recording));
    if (result == 0)
        target_for_each_module(writing->target, write_module, writing);
    result = result == 0 ? writing->modules.result : result;
    if (result == 0)
        result = target_recording_for_each_place(recording, write_place, writing);
    if (result == 0)
        result = target_recording_for_each_symbol(recording, write_symbol, writing);
    return result == 0 ? target_recording_for_each_range(recording, write_memory, writing) : result;
}

/* As it was read. */
static int write_image(struct image_writing *writing, const struct snapshot_image *image)
{
    int result = write_facts(writing, &image->clock);
    for (size_t i = 0; result == 0 && i < image->module_count; i++)
        result = insert(&writing->modules, writing->process, &image->modules[i]);
    for (size_t i = 0; result == 0 && i < image->place_count; i++)
        result = insert(&writing->places, writing->process, &image->places[i]);
    for (size_t i = 0; result == 0 && i < image->symbol_count; i++)
        result = insert(&writing->symbols, writing->process, &image->symbols[i]);
    for (size_t i = 0; result == 0 && i < image->memory_count; i++)
        result = insert(&writing->memory, writing->process, &image->memory[i]);
    return result;
}

static int write_process(void *context, void *row, int64_t number, int64_t parent_number)
{
    struct image_writing *writing = context;
    const struct process *process = row;
    (void)parent_number;
    if (process->target == NULL || process->reason != NULL)
        return 0;
    struct target_recording *recording = target_recording(process->target);
    const struct snapshot_image *image = target_snapshot_image(process->target);
    writing->target = process->target;
    writing->process = number;
    if (image != NULL)
        return write_image(writing, image);
    return recording != NULL ? write_recording(writing, recording) : 0;
}

int snapshot_write_images(struct snapshot_writer *writer, struct job *job)
{
    struct image_writing writing = {.job = job};
    struct insertion *const insertions[] = {&writing.images, &writing.modules, &writing.places, &writing.symbols,
                                            &writing.memory};
    const struct snapshot_table *const tables[] = {&snapshot_image_table, &snapshot_module_table, &snapshot_place_table,
                                                   &snapshot_symbol_table, &snapshot_memory_table};
    const size_t count = sizeof tables / sizeof *tables;
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        begin(insertions[i], writer, tables[i]);
        result = insertions[i]->result;
    }
    if (result == 0)
        result = snapshot_for_each_row(job, snapshot_image_table.parent, write_process, &writing);
    for (size_t i = 0; i < count; i++)
        sqlite3_finalize(insertions[i]->statement);
    return result;
}
