/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A target out of a snapshot: it answers the questions that were asked when the snapshot was taken.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The range that has this address, NULL: none. */
static struct image_memory *find_memory(const struct snapshot_image *image, uint64_t address)
{
    size_t low = 0;
    for (size_t high = image->memory_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        struct image_memory *memory = &image->memory[middle];
        if (address < memory->address)
            high = middle;
        else if (address - memory->address >= memory->bytes)
            low = middle + 1;
        else
            return memory;
    }
    return NULL;
}

static bool unpack(struct image_memory *memory)
{
    uLongf bytes = (uLongf)memory->bytes;
    if (memory->unpacked != NULL)
        return true;
    memory->unpacked = allocate((size_t)memory->bytes);
    if (uncompress(memory->unpacked, &bytes, memory->content.bytes, (uLong)memory->content.count) == Z_OK &&
        bytes == memory->bytes)
        return true;
    free(memory->unpacked);
    memory->unpacked = NULL;
    return false;
}

static int read_snapshot(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        struct image_memory *memory = find_memory(target->image, address + done);
        if (memory == NULL || !unpack(memory))
            return EFAULT;
        const size_t inside = (size_t)(address + done - memory->address);
        const size_t left = (size_t)memory->bytes - inside;
        const size_t part = count - done < left ? count - done : left;
        memcpy((char *)ret_bytes + done, memory->unpacked + inside, part);
        done += part;
    }
    return 0;
}

static bool find_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    for (size_t i = 0; i < target->image->symbol_count; i++)
        if (strcmp(target->image->symbols[i].name, name) == 0) {
            *ret_address = target->image->symbols[i].address;
            return true;
        }
    return false;
}

static const char *find_runtime(struct target *target)
{
    for (size_t i = 0; i < target->image->module_count; i++)
        if (strstr(target->image->modules[i].path, "/libmpilens-") != NULL)
            return target->image->modules[i].path;
    return NULL;
}

static bool find_place(struct target *target, uint64_t address, struct target_place *ret_place)
{
    size_t low = 0;
    for (size_t high = target->image->place_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const struct image_place *place = &target->image->places[middle];
        if (address == place->address && place->site != NULL) {
            *ret_place = (struct target_place){.module = place->site->module,
                                               .offset = place->offset,
                                               .file_offset = place->site->offset,
                                               .function = place->site->function,
                                               .path = place->site->path,
                                               .line = place->site->line,
                                               .hint = place->site->hint};
            return true;
        }
        if (address < place->address)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static void close_snapshot(struct target *target)
{
    snapshot_image_destroy(target->image);
}

static const struct target_kind snapshot_kind = {.read = read_snapshot,
                                                 .close = close_snapshot,
                                                 .find_symbol = find_symbol,
                                                 .find_runtime = find_runtime,
                                                 .find_place = find_place};

struct target *target_create_snapshot(const struct image_facts *facts, struct snapshot_image *image)
{
    struct target *target = target_create(&snapshot_kind);
    target->image = image;
    target->snapshot_clock = &image->clock;
    target->pid = facts->pid;
    target->pointer_bytes = facts->pointer_bytes;
    target->other_byte_order = facts->other_byte_order;
    snprintf(target->executable, sizeof target->executable, "%s", facts->executable);
    return target;
}

const struct snapshot_image *target_snapshot_image(const struct target *target)
{
    return target->image;
}
