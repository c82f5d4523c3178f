/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger with one image and one process, a fake target. It counts what the DLL asks for and can be told to fail.
 *
 * The debugger is the process and the image of the interface at once. The interface's allocator has no context, so the
 * counts of memory are global: one debugger at a time.
 */
#ifndef MPILENS_FAKE_DEBUGGER_H
#define MPILENS_FAKE_DEBUGGER_H

#include "fake_target.h"
#include "mpilens/extension.h"

struct fake_debugger {
    struct fake_target *target;

    /* Switches, 0: off. Reads and allocations are counted from 1. */
    uint64_t fail_read;        /* this read fails ... */
    bool fail_later_reads;     /* ... and all after it */
    bool fill_before_failing;  /* half of what a failing read was to get is written all the same */
    uint64_t unreadable_begin; /* reads that touch [begin, end) fail */
    uint64_t unreadable_end;
    uint64_t hole_begin; /* [begin, end) is mapped and was never written */
    uint64_t hole_end;
    bool no_symbol;
    bool no_optional_callbacks; /* mqs_dprints_fp, mqs_errorstring_fp and what is of no use without DWARF are NULL */
    uint64_t fail_allocation;   /* this allocation and all after it fail */
    size_t allocation_limit;    /* larger ones fail */
    /* May change the target; called before every read, or, with slice_bytes, before every such slice of it. */
    void (*before_read)(struct fake_debugger *, uint64_t address, size_t bytes);
    size_t slice_bytes;
    void *context; /* the caller's */

    /* Counts. */
    uint64_t reads;
    uint64_t bytes_read;
    uint64_t symbol_lookups;
    uint64_t type_lookups; /* must stay 0: the DLL needs no debug information */

    mqs_image_info *image_info;
    mqs_process_info *process_info;
    mqs_basic_callbacks basic;
    mqs_image_callbacks image;
    mqs_process_callbacks process;
};

/* Makes the callback tables. Switches and counts are zero afterwards. */
void fake_debugger_init(struct fake_debugger *debugger, struct fake_target *target);

/* Goes through the interface up to mqs_process_has_queues. The first code that is not mqs_ok, or mqs_ok. */
int fake_debugger_open(struct fake_debugger *debugger);

/* Calls the destroy functions. Returns how many allocations the DLL has not freed. */
uint64_t fake_debugger_close(struct fake_debugger *debugger);

mqs_process *fake_process(struct fake_debugger *debugger);
mqs_image *fake_image(struct fake_debugger *debugger);

/* Allocations of all debuggers so far, and those not freed. */
uint64_t fake_allocations(void);
uint64_t fake_allocations_held(void);

#endif
