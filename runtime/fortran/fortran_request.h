/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that a Fortran program names by integers which are not the C handles: what each integer stands for. Only
 * what Fortran statements start is noted; programs in other languages pay nothing.
 */
#ifndef MPILENS_RUNTIME_FORTRAN_FORTRAN_REQUEST_H
#define MPILENS_RUNTIME_FORTRAN_FORTRAN_REQUEST_H

#include "thread/thread.h"

void fortran_request_begun(struct thread *thread, uint64_t request) COLD;

/* A Fortran statement has started an operation, or made a persistent one, and got `request` for it. */
INLINE void fortran_request_started(struct thread *thread, uint64_t request)
{
    if (!FORTRAN_IS_C)
        fortran_request_begun(thread, request);
}

/* From now on the integer is `request`, of the operation with the serial `posted` (0: not known). */
void fortran_request_note(int32_t fortran, uint64_t request, uint64_t posted);

#endif
