/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The integers by which Fortran names what C has handles of: MPI_x_c2f (MPI 4.1, section 19.3.4).
 */
#ifndef MPILENS_RUNTIME_LOADER_FORTRAN_HANDLE_H
#define MPILENS_RUNTIME_LOADER_FORTRAN_HANDLE_H

#include "mpilens/object_kind.h"

#include <stdbool.h>
#include <stdint.h>

/* Finds the library's functions. When MPI is initialized, as often as one likes; before that, only what is the same
 * number in both languages is known. */
void fortran_handles_initialize(void);

/* The integer of Fortran for `handle` (HANDLE_VALUE), which is valid, or null: the library may make one for it. Not on
 * a hot path. False: not known. */
bool fortran_handle_of(enum mpilens_object_kind kind, uint64_t handle, int32_t *ret_fortran);

#endif
