/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of the MPI functions and the real functions: what the generator has made for the MPI that this is compiled
 * for.
 */
#ifndef MPILENS_RUNTIME_MPI_FUNCTIONS_H
#define MPILENS_RUNTIME_MPI_FUNCTIONS_H

#include MPILENS_FUNCTIONS

#endif
