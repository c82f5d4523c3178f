/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the runtime: mappings of its own, so that it is in core files and never in the application's heap. What
 * debuggers read comes from the black box (black_box.h) as long as there is one with room.
 */
#ifndef MPILENS_RUNTIME_MEMORY_MEMORY_H
#define MPILENS_RUNTIME_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the limit (MPILENS_MEMORY_LIMIT: bytes, with suffix K, M or G; default 1G; 0: none). */
void memory_read_limit(void);

/* `bytes` of zeroed memory, or NULL where the limit or the system says no. Counted in mpilens_process.memory_bytes. */
void *memory_map(size_t bytes);

/* The same for what debuggers read. */
void *memory_map_shown(size_t bytes);

/* The same for what is never given back: as long as there is room, all of it is in one mapping,
 * so that they can fetch it together. `bytes`: whole pages. */
void *memory_map_together(size_t bytes);

/* Gives it back. NULL is fine. */
void memory_unmap(void *memory, size_t bytes);

/* The system may take these pages of memory_map_together, whose contents mean nothing any more. */
void memory_give_back_pages(void *memory, size_t bytes);

/* Makes *memory hold at least `bytes`; the contents are lost. For what is not larger than arrays of the application:
 * the limit does not hold for it. False: unchanged. */
bool memory_reserve(void **memory, size_t *capacity_bytes, size_t bytes);

/* The same for what debuggers read. */
bool memory_reserve_shown(void **memory, size_t *capacity_bytes, size_t bytes);

#endif
