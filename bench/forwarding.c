/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What does it cost to be interposed at all? A preload library whose wrappers do nothing but jump to the real function:
 * the baseline of instruction counts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

#define MPILENS_CALL(name, parameters, arguments)                                                                      \
    static int(*real_##name) parameters;                                                                               \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        return real_##name arguments;                                                                                  \
    }
#include "calls.def"
#undef MPILENS_CALL

__attribute__((constructor)) static void find_real_functions(void)
{
#define MPILENS_CALL(name, parameters, arguments)                                                                      \
    memcpy(&real_##name, &(void *){dlsym(RTLD_NEXT, "PMPI_" #name)}, sizeof(void *));
#include "calls.def"
#undef MPILENS_CALL
}
