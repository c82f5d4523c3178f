/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the MPI library questions that may be errors, with its error handlers silenced.
 */
#include "mpi/mpi_traits.h"

#include "mpi/functions.h"

static MPI_Errhandler replace(MPI_Comm communicator)
{
    MPI_Errhandler saved = MPI_ERRHANDLER_NULL;
    if (mpilens__asked.MPI_Comm_get_errhandler(communicator, &saved) != MPI_SUCCESS)
        return MPI_ERRHANDLER_NULL;
    mpilens__asked.MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    return saved;
}

static void restore(MPI_Comm communicator, MPI_Errhandler *saved)
{
    if (*saved == MPI_ERRHANDLER_NULL)
        return;
    mpilens__asked.MPI_Comm_set_errhandler(communicator, *saved);
    mpilens__asked.MPI_Errhandler_free(saved); /* getting it made one more reference */
}

struct quiet_errors quiet_errors_begin(void)
{
    return (struct quiet_errors){.of_self = replace(MPI_COMM_SELF), .of_world = replace(MPI_COMM_WORLD)};
}

void quiet_errors_end(struct quiet_errors *saved)
{
    restore(MPI_COMM_WORLD, &saved->of_world);
    restore(MPI_COMM_SELF, &saved->of_self);
}
