/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls MPI_Init_thread, also in place of MPI_Init.
 */
#include "unexpected/unexpected.h"

#include "mpi/functions.h"

#include <stdbool.h>

static bool is_told;
static int told_level;

int level_initialize(int *argc, char ***argv, int required, int *ret_provided)
{
    int provided = MPI_THREAD_SINGLE;
    const int error = mpilens__library.MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (error != MPI_SUCCESS)
        return error;
    told_level = required < provided ? required : provided;
    is_told = true;
    if (ret_provided != NULL)
        *ret_provided = told_level;
    taker_begin(provided);
    return MPI_SUCCESS;
}

int level_query(int *ret_provided)
{
    const int error = mpilens__library.MPI_Query_thread(ret_provided);
    if (error == MPI_SUCCESS && is_told)
        *ret_provided = told_level;
    return error;
}
