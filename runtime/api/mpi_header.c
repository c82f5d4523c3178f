/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preprocessed, this is where the generator finds the prototypes of an MPI.
 */
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
