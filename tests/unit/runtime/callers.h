/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every function that the runtime wraps, callable with numbers for arguments. Generated from the runtime's table.
 */
#ifndef TESTS_RUNTIME_CALLERS_H
#define TESTS_RUNTIME_CALLERS_H

#include <stddef.h>
#include <stdint.h>

struct caller {
    const char *name; /* "MPI_Send" */
    const char *kind; /* its template */
    size_t argument_count;
    uint64_t pointers;                           /* bit i: argument i is one */
    int (*call)(const uint64_t *arguments);      /* MPI_ */
    int (*call_pmpi)(const uint64_t *arguments); /* PMPI_ */
};

extern const struct caller callers[];
extern const size_t caller_count;

#endif
