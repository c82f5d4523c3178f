/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI functions that the benchmarks call, as pointers, so that the same code can call them two ways.
 */
#ifndef MPILENS_BENCH_CALLS_H
#define MPILENS_BENCH_CALLS_H

#include <mpi.h>

struct calls {
#define MPILENS_CALL(name, parameters, arguments) int(*name) parameters;
#include "calls.def"
#undef MPILENS_CALL
};

/* As the dynamic linker has bound them: through whatever is preloaded. */
struct calls calls_linked(void);

/* The MPI library's own, past whatever is preloaded. Ends the program where there is none. */
struct calls calls_direct(void);

#endif
