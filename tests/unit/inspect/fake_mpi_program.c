/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that needs a library.
 */
int fake_mpi_function(void);

int main(void)
{
    return fake_mpi_function();
}
