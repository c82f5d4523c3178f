/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of the MPI functions and the real functions, generated for the MPI of this build.
 */
#ifndef MPILENS_RUNTIME_MPI_FUNCTIONS_H
#define MPILENS_RUNTIME_MPI_FUNCTIONS_H

#include MPILENS_FUNCTIONS

#endif
