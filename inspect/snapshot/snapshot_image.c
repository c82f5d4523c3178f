/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes the tables for a process's recorded memory, symbols and places.
 */
#include "snapshot/snapshot_internal.h"

#include <stdlib.h>

#define ROW image_facts
static const struct snapshot_field facts_fields[] = {
    FIELD(pid),         FIELD(pointer_bytes), FIELD(other_byte_order),   FIELD(executable),
    FIELD(clock_known), FIELD(clock_now),     FIELD(clock_ticks_per_ns),
};
#undef ROW

#define ROW image_module
static const struct snapshot_field module_fields[] = {FIELD(start), FIELD(end), FIELD(path), FIELD(build_id)};
#undef ROW

#define ROW image_place
static const struct snapshot_field place_fields[] = {FIELD(address), FIELD(offset), FIELD(site)};
#undef ROW

#define ROW image_symbol
static const struct snapshot_field symbol_fields[] = {FIELD(name), FIELD(address)};
#undef ROW

#define ROW image_memory
static const struct snapshot_field memory_fields[] = {FIELD(address), FIELD(bytes), FIELD(content)};
#undef ROW

const struct snapshot_table snapshot_image_table = {
    .name = "image", .parent = &snapshot_process_table, FIELDS(struct image_facts, facts_fields)};
const struct snapshot_table snapshot_module_table = {
    .name = "module", .parent = &snapshot_process_table, FIELDS(struct image_module, module_fields)};
const struct snapshot_table snapshot_place_table = {
    .name = "place", .parent = &snapshot_process_table, FIELDS(struct image_place, place_fields)};
const struct snapshot_table snapshot_symbol_table = {
    .name = "symbol", .parent = &snapshot_process_table, FIELDS(struct image_symbol, symbol_fields)};
const struct snapshot_table snapshot_memory_table = {
    .name = "memory", .parent = &snapshot_process_table, FIELDS(struct image_memory, memory_fields)};

void snapshot_image_destroy(struct snapshot_image *image)
{
    if (image == NULL)
        return;
    for (size_t i = 0; i < image->module_count; i++)
        free(image->modules[i].build_id.bytes);
    for (size_t i = 0; i < image->memory_count; i++) {
        free(image->memory[i].content.bytes);
        free(image->memory[i].unpacked);
    }
    free(image->modules);
    free(image->places);
    free(image->symbols);
    free(image->memory);
    free(image);
}
