/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plugin that calls MPI, by names that the fake library also has.
 */
#include <mpi.h>

__attribute__((visibility("default"))) int probe(void);

int probe(void)
{
    MPI_Info info;
    int error = PMPI_Info_create(&info);
    return error == MPI_SUCCESS ? PMPI_Info_free(&info) : error;
}
