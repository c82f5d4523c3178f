/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the threads of a process do in Python: read out of the memory of CPython's interpreter, 3.9 to 3.14, which need
 * not stand still.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_STACKS_H
#define MPILENS_INSPECT_PYTHON_PYTHON_STACKS_H

#include "python/python_frame.h"
#include "text/text_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct target;

/* Of one thread; outer frames of a longer stack are left out. */
enum { MOST_PYTHON_FRAMES = 256 };

struct python_thread {
    pid_t tid;                   /* 0: not known */
    struct python_frame *frames; /* innermost first */
    size_t frame_count;
    bool is_cut;          /* outer frames are missing: too many, or they changed while they were read */
    const char *handling; /* the exception that it handles, in words; NULL: none */
};

/* Zero-initialised is empty. */
struct python_stacks {
    struct python_thread *threads;
    size_t thread_count;
    bool is_ending;       /* the interpreter shuts down */
    bool has_ended;       /* and nothing of it is left */
    const char *uncaught; /* the exception that has ended the program, in words; NULL: none, or not known */
    struct text_pool texts;
};

/* False: there is no interpreter in it that can be read. */
bool python_stacks_read(struct target *target, struct python_stacks *ret_stacks);
void python_stacks_clear(struct python_stacks *stacks);

/* NULL: the thread is in no Python. */
const struct python_thread *python_find_thread(const struct python_stacks *stacks, pid_t tid);
/* Whether the function is of Python's own library, or of mpi4py. */
bool python_is_of_library(const struct python_frame *frame);
/* Where the thread is for its user: the innermost frame that is neither of Python's own library nor of mpi4py, or else
 * the innermost one. NULL: there is none. */
const struct python_frame *python_find_place(const struct python_thread *thread);

#endif
