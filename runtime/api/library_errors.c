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
