/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stacks of all threads of a process, alive or in a core file, and what they tell.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_H
#define MPILENS_INSPECT_STACK_STACK_H

#include "base/reason.h"
#include "stack/machine_registers.h"
#include "stack/stack_system_call.h"
#include "target/site.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Of one thread; outer frames of a longer stack are left out. */
enum { MOST_STACK_FRAMES = 256 };
/* Of all threads of a process, and the processor time that it takes to unwind them. Threads beyond have no frames. */
enum { MOST_PROCESS_FRAMES = 1 << 16, MOST_UNWINDING_MS = 2000 };

/* Registers as they were in a frame. */
struct frame_registers {
    uint64_t stack_pointer; /* 0: not known */
    uint64_t kept[KEPT_REGISTERS];
    uint32_t known; /* a bit for each of them */
};

struct stack_frame {
    uint64_t address;        /* where it stands or, of a caller, where it goes on */
    const struct site *site; /* of the site cache; NULL: in no module */
    bool is_inlined;         /* into the frame after it, which has the same address */
    bool is_python;          /* a function of Python, which the interpreter runs at that address */
    struct frame_registers registers;
};

struct thread_stack {
    pid_t tid;
    char state;                     /* before it was read, as in ps: R, S, D, T, ...; 0: not known, as of cores */
    struct system_call system_call; /* that it is in */
    char kernel_function[48];       /* that it sleeps in; "": not known */
    struct stack_frame *frames;     /* innermost first */
    size_t frame_count;             /* 0: not known */
    uint64_t start_pointer;         /* stack pointer where the outermost frame was called; 0: not known */
    bool is_cut;                    /* outer frames are missing: too many, or impossible to unwind */
    bool is_left_out;               /* it was not unwound: the frames of the others are too many */
};

/* Zero-initialised is empty. */
struct stacks {
    pid_t pid;
    struct thread_stack *threads; /* the main thread first, then by tid */
    size_t thread_count;
    char *reason;    /* why there are no frames; NULL: there are */
    char *end;       /* how its program ends or has ended, in words as of struct process; NULL: that is not known */
    bool has_failed; /* it ends of an exception of Python that nothing has caught */
};

/* Reads the stacks of all threads. A living process is held still while they are unwound, no longer, and what was
 * stopped before stays stopped. Where that is not allowed, or somebody else debugs it, threads have what /proc tells
 * and `reason` says why that is all. Sites are of `sites`: valid until that is cleared. 0, or -1 and a reason: the
 * process is gone, or the core has no stacks, as snapshots have none. */
int stacks_read(struct target *target, struct site_cache *sites, struct stacks *ret_stacks, struct reason *ret_reason);
/* The same in steps, for several processes: begin all, unwind each, release each, finish each. They come to stand still
 * at the same time, and the slowest is waited for, not one after the other; while none runs, the reader has the
 * processors. What was begun is to be released and finished. */
struct stacks_reading;
int stacks_begin(struct target *target, struct stacks_reading **ret_reading, struct reason *ret_reason);
void stacks_unwind(struct stacks_reading *reading);
void stacks_release(struct stacks_reading *reading); /* from then on it runs */
int stacks_finish(struct stacks_reading *reading, struct site_cache *sites, struct stacks *ret_stacks,
                  struct reason *ret_reason);
void stacks_clear(struct stacks *stacks);

#endif
