/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where things stand in an MPI_Status of this mpi.h, for readers who have nothing but an address.
 */
#ifndef MPILENS_RUNTIME_MPI_STATUS_LAYOUT_H
#define MPILENS_RUNTIME_MPI_STATUS_LAYOUT_H

#include "mpilens/layout.h"

struct mpilens_status_layout status_layout(void);

#endif
