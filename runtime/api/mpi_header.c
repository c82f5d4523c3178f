/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preprocessed, this is where the generator finds the prototypes of an MPI.
 */
#include <mpi.h>
