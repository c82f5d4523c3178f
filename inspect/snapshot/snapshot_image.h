/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a snapshot has of a process besides the model: enough of its memory, symbols and places for the DLL to read it
 * again.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_IMAGE_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_IMAGE_H

#include "snapshot/snapshot_reader.h"
#include "snapshot/snapshot_writer.h"
#include "target/target.h"
#include "target/target_recording.h"
#include "target/tick_clock.h"

/* Rows of the tables image, module, place, symbol and memory. Texts are the job's. */
struct image_facts {
    int32_t pid;
    int32_t pointer_bytes;
    bool other_byte_order;
    const char *executable;
    bool clock_known; /* struct tick_clock */
    double clock_now;
    double clock_ticks_per_ns;
};

struct image_module {
    uint64_t start;
    uint64_t end;
    const char *path;
    struct snapshot_bytes build_id;
};

struct image_place {
    uint64_t address;
    uint64_t offset; /* from where the module is loaded */
    const struct site *site;
};

struct image_symbol {
    const char *name;
    uint64_t address;
};

struct image_memory {
    uint64_t address;
    uint64_t bytes;
    struct snapshot_bytes content; /* packed by zlib */
    unsigned char *unpacked;       /* NULL: nobody has read it yet; no column */
};

/* Of one row of memory at most. */
enum { SNAPSHOT_MEMORY_BYTES = TARGET_RECORDING_RANGE };

struct snapshot_image {
    struct tick_clock clock;
    struct image_module *modules;
    size_t module_count;
    struct image_place *places; /* by address */
    size_t place_count;
    struct image_symbol *symbols;
    size_t symbol_count;
    struct image_memory *memory; /* by address, no two overlap */
    size_t memory_count;
};

/* Their tables; the rows stand nowhere in the model. */
extern const struct snapshot_table snapshot_image_table, snapshot_module_table, snapshot_place_table,
    snapshot_symbol_table, snapshot_memory_table;

void snapshot_image_destroy(struct snapshot_image *image);

#endif
