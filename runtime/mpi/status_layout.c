/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills in the offsets of the fields of MPI_Status, by mpi.h.
 */
#include "mpi/mpi_traits.h"

struct mpilens_status_layout status_layout(void)
{
    return (struct mpilens_status_layout)
    {
        .bytes = sizeof(MPI_Status), .source = offsetof(MPI_Status, MPI_SOURCE), .tag = offsetof(MPI_Status, MPI_TAG),
        .error = offsetof(MPI_Status, MPI_ERROR),
#if defined(MPICH_VERSION)
        .encoding = MPILENS_STATUS_PACKED, .count = offsetof(MPI_Status, count_lo),
        .cancelled = offsetof(MPI_Status, count_hi_and_cancelled),
#elif defined(OPEN_MPI)
        .encoding = sizeof(MPI_Status){0}._ucount == sizeof(uint64_t) ? MPILENS_STATUS_SEPARATE : MPILENS_STATUS_OPAQUE,
        .count = offsetof(MPI_Status, _ucount), .cancelled = offsetof(MPI_Status, _cancelled),
#else
        .encoding = MPILENS_STATUS_OPAQUE,
#endif
    };
}
