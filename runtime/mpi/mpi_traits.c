/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks this MPI library how many bytes a completed message had, by its status.
 */
#include "mpi/mpi_traits.h"

#include "mpi/functions.h"

uint64_t mpilens__preallocated_requests[PREALLOCATED_REQUESTS];

uint64_t mpilens__status_bytes(const MPI_Status *status)
{
    MPI_Count count = 0;
    if (mpilens__asked.MPI_Get_elements_x(status, MPI_BYTE, &count) != MPI_SUCCESS || count == MPI_UNDEFINED)
        return 0;
    return (uint64_t)count;
}
