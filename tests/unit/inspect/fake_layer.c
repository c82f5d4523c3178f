/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library over an MPI library.
 */
int fake_mpi_function(void);
int fake_layer_function(void);

int fake_layer_function(void)
{
    return fake_mpi_function();
}
