/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library under the name of an MPI library.
 */
int fake_mpi_function(void);

int fake_mpi_function(void)
{
    return 0;
}
