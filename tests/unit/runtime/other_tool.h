/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another tool that wraps some MPI_ functions.
 */
#ifndef TESTS_RUNTIME_OTHER_TOOL_H
#define TESTS_RUNTIME_OTHER_TOOL_H

#include <mpi.h>

/* How often it was called. */
struct other_tool {
    unsigned sends;
    unsigned isends;
    unsigned duplicates;
};

extern struct other_tool other_tool;

#endif
