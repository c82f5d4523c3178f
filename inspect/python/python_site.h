/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames of Python as places in programs.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_SITE_H
#define MPILENS_INSPECT_PYTHON_PYTHON_SITE_H

#include "python/python_stacks.h"
#include "target/site.h"

/* The place of a frame, of the cache; its module is the source file. */
const struct site *python_site(const struct python_frame *frame, struct site_cache *sites);
/* "exchange (solver.py:41) < <module> (solver.py:60)": the thread's functions from its place on, those of Python's own
 * library left out; long ones are cut. NULL: there is none. The caller frees it. */
char *python_describe_stack(const struct python_thread *thread);

#endif
