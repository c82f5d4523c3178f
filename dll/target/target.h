/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The debugger's callbacks and allocator; memory of the target, bounded and untrusted.
 */
#ifndef MPILENS_DLL_TARGET_TARGET_H
#define MPILENS_DLL_TARGET_TARGET_H

#include "mpilens/extension.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sort_entry;
struct target;

/* -- allocator.c --
 * Memory from the debugger, whichever interface it has come through.
 */

struct allocator {
    void *(*allocate)(size_t bytes); /* not 0; NULL: there is none */
    void (*release)(void *memory);   /* not NULL */
};

/* Puts another one into use and returns the previous one, NULL: none. */
const struct allocator *allocator_exchange(const struct allocator *given);

/* Memory for `count` elements, uninitialised. NULL: none, or the size is not representable. */
void *allocate_array(size_t count, size_t element_bytes);

/* Takes NULL. */
void release(void *memory);

/* -- callbacks.c --
 * The debugger's basic callbacks: memory, and what hangs on images and processes.
 */

/* The callbacks given to mqs_setup_basic_callbacks; NULL if there are none or a required one is missing. */
const mqs_basic_callbacks *basic_callbacks(void);

/* Puts other callbacks into use, also as the allocator, and returns the previous ones. For the calls of another
 * interface, which has its own. */
const mqs_basic_callbacks *basic_callbacks_exchange(const mqs_basic_callbacks *given);

/* -- copy_budget.c -- Limits the memory that one copy of a process takes. The process cannot be trusted: its tables may
 * claim any length, and memory that was never written costs the process nothing.
 */

struct copy_budget {
    uint64_t left;      /* bytes */
    uint64_t written;   /* of those that were copied: in pages that have anything in them */
    uint64_t unwritten; /* the others */
};

/* Begins a new copy of a process whose runtime claims `runtime_bytes` of mapped memory. */
void copy_budget_begin(struct copy_budget *budget, uint64_t runtime_bytes);

/* So many bytes more. mqs_ok or MPILENS_ERROR_BEYOND_BUDGET. */
int copy_budget_take(struct copy_budget *budget, uint64_t bytes);

/* These have come, of a table. The same. */
int copy_budget_note(struct copy_budget *budget, const uint8_t *bytes, size_t count);

/* Whether one fetch of the target's memory has an order: words at lower addresses are loaded before those at higher
 * ones. So it is where the processor, which is the target's, keeps loads in order; elsewhere only what one fetch gives
 * was loaded before what the next one gives. Tests also build the DLL for the other kind. */

#if !defined(LOADS_ARE_ORDERED)
#if defined(__x86_64__) || defined(__i386__) || defined(__s390x__)
#define LOADS_ARE_ORDERED 1
#else
#define LOADS_ARE_ORDERED 0
#endif
#endif

/* -- object_block.c --
 * Memory of the target that the current object refers to, fetched when it is asked for and kept as long as the object
 * is the current one: the last piece that was asked for.
 */

/* Zero-initialised: none. */
struct object_block {
    uint64_t address;
    size_t count; /* bytes */
    uint8_t *bytes;
    int code; /* where there are none: why, not to be tried again; mqs_ok: nothing was asked for */
};

/* Larger blocks are treated as corrupt. */
#define MOST_OBJECT_BLOCK_BYTES (UINT64_C(1) << 26)

/* The `count` bytes at `address`, valid until the next call. mqs_ok, MPILENS_ERROR_CORRUPT, _UNREADABLE or _NO_MEMORY.
 */
int object_block_read(struct object_block *block, const struct target *target, uint64_t address, uint64_t count,
                      const uint8_t **ret_bytes);

void object_block_free(struct object_block *block);

/* -- read_ahead.c --
 * Memory of the target that is fetched in few large pieces before it is asked for piece by piece.
 *
 * While a target has one, target_read takes from it what it holds and asks the debugger for the rest. So all that is
 * read through it is as old as the pieces: it is for processes that do not run meanwhile.
 */

/* Memory of the target as it was. */
struct ahead_piece {
    uint64_t address;
    size_t count; /* bytes */
    uint8_t *bytes;
};

enum { MOST_AHEAD_PIECES = 16 };

/* Zero-initialised: nothing. */
struct read_ahead {
    struct ahead_piece pieces[MOST_AHEAD_PIECES];
    size_t count;
};

/* A copy of bytes that were read already. Without memory for it nothing is kept: reading ahead never fails. */
void read_ahead_keep(struct read_ahead *ahead, uint64_t address, size_t count, const void *bytes);

/* Fetches ranges of the target (`major`: address, `middle`: bytes), which it sorts, joining near ones with the bytes
 * between them. Unreadable ranges are left to later reads. */
void read_ahead_fetch(struct read_ahead *ahead, const struct target *target, struct sort_entry *ranges, size_t count);

/* Whether one piece has all of it. NULL: only to know. The last fetch counts. */
bool read_ahead_get(const struct read_ahead *ahead, uint64_t address, size_t count, void *ret_bytes);

/* Whether all of it is the same still, fetched once more. */
bool read_ahead_is_steady(const struct read_ahead *ahead, const struct target *target);

/* Forgets everything. */
void read_ahead_free(struct read_ahead *ahead);

/* -- sort.c --
 * Sorting with memory of the debugger (qsort of the C library takes its own).
 */

struct sort_entry {
    uint64_t major;
    uint64_t middle;
    uint64_t minor;
    const void *item;
};

/* By major, then middle, then minor; equal ones keep their order. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int sort_entries(struct sort_entry *entries, size_t count);

/* Place of the first sorted entry whose major is not less; `count`: there is none. */
size_t sorted_place(const struct sort_entry *entries, size_t count, uint64_t major);

/* Item of the first sorted entry with this major, NULL: there is none. */
const void *sorted_item(const struct sort_entry *entries, size_t count, uint64_t major);

/* -- target.c --
 * Memory of the target process. Everything that comes from there is untrusted.
 */

/* How a debugger gives access to a process, whichever interface it has come through. */
struct target_access {
    /* mqs_ok, or anything else: not readable. */
    int (*fetch)(const struct target *target, mqs_taddr_t address, int bytes, void *ret_bytes);
    /* mqs_ok or a code. */
    int (*find_symbol)(const struct target *target, const char *name, mqs_taddr_t *ret_address);
};

struct target {
    const struct target_access *access;
    void *process;         /* the debugger's name for it */
    const void *callbacks; /* of the debugger, as `access` takes them; NULL: it takes none */
    uint32_t word_size;    /* bytes of a pointer of the target: 4 or 8 */
    const struct read_ahead
        *ahead; /* memory fetched ahead, which target_read uses before it asks the debugger; NULL: none */
    struct copy_budget *budget; /* of the copy that is being taken */
};

/* Whether [address, address + bytes) can exist in the target: not at 0, not past the end of its address space. */
int target_range_is_possible(const struct target *target, uint64_t address, uint64_t bytes);

/* Asks the debugger for `bytes` bytes as they stand in the target. mqs_ok, MPILENS_ERROR_UNREADABLE, or
 * MPILENS_ERROR_CORRUPT where the range is not possible; the buffer is then undefined. */
int target_fetch(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

/* -- target_read.c --
 * Reads memory of the target, from what was fetched ahead where that has it.
 */

/* As target_fetch. */
int target_read(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

/* As target_read, for memory that a copy keeps; MPILENS_ERROR_BEYOND_BUDGET: nothing was read. */
int target_copy(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

#endif
