/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds MPI functions in a table that is made from the runtime's table.
 */
#include "stack/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NAME_BYTES = 128 };

static int compare_name(const void *name, const void *function)
{
    return strcasecmp(name, ((const struct mpi_function *)function)->name);
}

const struct mpi_function *mpi_function_called(const char *name)
{
    return bsearch(name, mpi_functions, mpi_function_count, sizeof *mpi_functions, compare_name);
}

static const char *skip_profiling(const char *symbol)
{
    return symbol[0] == 'P' || symbol[0] == 'p' ? symbol + 1 : symbol;
}

bool mpi_symbol_is_of_c(const char *symbol)
{
    const char *name = skip_profiling(symbol);
    return (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0) &&
           strpbrk(name, "abcdefghijklmnopqrstuvwxyz") != NULL;
}

/* Cuts what compilers and libraries append to names of Fortran. */
static void cut_endings(char *name)
{
    static const char *const endings[] = {"_f08ts", "_f08", "_f"};
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == '_')
        name[--length] = '\0';
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t bytes = strlen(endings[i]);
        if (length > bytes && strcasecmp(name + length - bytes, endings[i]) == 0) {
            name[length - bytes] = '\0';
            return;
        }
    }
}

/* Open MPI's bindings of Fortran have names of their own: pompi_recv_f. */
static bool is_of_fortran_in_openmpi(const char *symbol)
{
    const size_t length = strlen(symbol);
    return strncmp(symbol, "ompi_", 5) == 0 && strcmp(symbol + length - 2, "_f") == 0;
}

const struct mpi_function *mpi_function_of_symbol(const char *symbol)
{
    char name[MOST_NAME_BYTES];
    const char *plain = skip_profiling(symbol);
    plain += is_of_fortran_in_openmpi(plain) ? 1 : 0;
    if (strncasecmp(plain, "mpi", 3) != 0 || strlen(plain) >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%s", plain);
    if (!mpi_symbol_is_of_c(symbol))
        cut_endings(name);
    return mpi_function_called(name);
}

const struct mpi_function *mpi_function_of_helper(const char *symbol)
{
    static const char prefix[] = "ompi_"; /* before the name of the function, in lower case */
    return strncmp(symbol, prefix, strlen(prefix)) == 0 ? mpi_function_called(symbol + strlen(prefix)) : NULL;
}
