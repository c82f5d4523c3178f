/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One frame of Python: the function and the line that it stands in.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_FRAME_H
#define MPILENS_INSPECT_PYTHON_PYTHON_FRAME_H

#include "python/python_memory.h"
#include "text/text_pool.h"

#include <stdbool.h>
#include <stdint.h>

struct python_frame {
    const char *function; /* "<module>" of what stands in none */
    const char *path;     /* of the source file, as it was compiled; "<stdin>", "<frozen runpy>" */
    int line;             /* 0: not known */
    bool is_entry;        /* of the frames that one loop of the interpreter runs it is the outermost */
};

/* The frame at `address` and its caller's, 0: it is the outermost. What only stands for the return into C is skipped:
 * then `ret_is_real` is false, and the frame before is an entry. Texts are of the pool. False: it is no frame. */
bool python_read_frame(struct python_memory *memory, uint64_t address, struct text_pool *texts,
                       struct python_frame *ret_frame, bool *ret_is_real, uint64_t *ret_previous);
/* The same of a call of a traceback, the traceback object at an address. */
bool python_read_call(struct python_memory *memory, uint64_t traceback, struct text_pool *texts,
                      struct python_frame *ret_frame);
/* "exchange (solver.py:41)"; the caller frees it. */
char *python_describe_frame(const struct python_frame *frame);

#endif
