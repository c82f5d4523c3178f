/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands before the functions by which MPI libraries raise errors, so that a failed call is known before its error
 * handler ends the job. An MPI library that has none of them, or binds them to itself, never comes here.
 *
 * Their types are the library's own. Arguments are passed on unchanged, in registers; only the error code and the name
 * of MPI's function are read.
 */
#include "loader/loader.h"
#include "operations/operations.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef uintptr_t word;
typedef int library_function(word, word, word, word, word, word);

/* Where a library has no such function, nobody calls it. */
#define RAISES(symbol, code, name)                                                                                     \
    EXPORT int symbol(word a, word b, word c, word d, word e, word f);                                                 \
    EXPORT int symbol(word a, word b, word c, word d, word e, word f)                                                  \
    {                                                                                                                  \
        static library_function *next;                                                                                 \
        library_function *function = __atomic_load_n(&next, __ATOMIC_ACQUIRE);                                         \
        if (function == NULL) {                                                                                        \
            *(void **)&function = resolve_symbol(#symbol, __builtin_return_address(0));                                \
            if (function == NULL)                                                                                      \
                return (int)(code);                                                                                    \
            __atomic_store_n(&next, function, __ATOMIC_RELEASE);                                                       \
        }                                                                                                              \
        struct raised_call failed = {.record = NULL};                                                                  \
        if ((int)(code) != MPI_SUCCESS)                                                                                \
            failed = failed_call_raised((const char *)(name), (int)(code));                                            \
        const int result = function(a, b, c, d, e, f);                                                                 \
        failed_call_handled(failed, (const char *)(name));                                                             \
        return result;                                                                                                 \
    }

#ifdef OPEN_MPI
RAISES(ompi_errhandler_invoke, d, e)
#else
RAISES(MPIR_Err_return_comm, c, b)
RAISES(MPIR_Err_return_win, c, b)
#endif
#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) && !defined(MPICH_VERSION)
/* Open MPI's library of the standard ABI has Open MPI's own error classes inside. */
static int standard_class(int own_class)
{
    static const struct {
        int own, standard;
    } different[] = {
        {18, MPI_ERR_IN_STATUS},
        {19, MPI_ERR_PENDING},
        {46, MPI_ERR_RMA_CONFLICT},
        {47, MPI_ERR_RMA_SYNC},
        {48, MPI_ERR_SERVICE},
        {49, MPI_ERR_SIZE},
        {50, MPI_ERR_SPAWN},
        {51, MPI_ERR_UNSUPPORTED_DATAREP},
        {52, MPI_ERR_UNSUPPORTED_OPERATION},
        {53, MPI_ERR_WIN},
        {68, MPI_ERR_RMA_RANGE},
        {69, MPI_ERR_RMA_ATTACH},
        {70, MPI_ERR_RMA_FLAVOR},
        {71, MPI_ERR_RMA_SHARED},
        {74, MPI_ERR_PROC_ABORTED},
        {78, MPI_ERR_SESSION},
        {79, MPI_ERR_VALUE_TOO_LARGE},
        {80, MPI_ERR_ERRHANDLER},
        {83, MPI_ERR_ABI},
    };
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        if (different[i].own == own_class)
            return different[i].standard;
    /* Classes of its tools, of which it raises none, and its own. */
    return own_class >= 54 && own_class <= 77 ? MPI_ERR_OTHER : own_class;
}
RAISES(ompi_errhandler_invoke, standard_class((int)d), e)
#endif
