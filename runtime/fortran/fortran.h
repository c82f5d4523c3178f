/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that Fortran bindings implement without calling C; requests as integers of Fortran.
 */
#ifndef MPILENS_RUNTIME_FORTRAN_FORTRAN_H
#define MPILENS_RUNTIME_FORTRAN_FORTRAN_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "thread/thread.h"

/* -- fortran_object.c --
 * Fortran functions that make keyvals and error handlers or set attributes. Some bindings do that without any C
 * function; then nobody else sees it. Functions with those names (generated) come before the binding's and call these
 * here.
 */

/* One of them. */
struct fortran_function {
    const char *name;  /* of the binding's function */
    void *real;        /* that function; NULL: not looked for yet */
    uint32_t function; /* number of the C function that does the same */
    enum mpilens_attachable kind;
    bool plain_integer; /* attributes are default integers, as in MPI-1 */
};

/* Each calls the binding's function with the given arguments, and records the result unless a C function did. `site`:
 * the caller. `error` may be NULL. */
void fortran_create_keyval(struct fortran_function *function, const void *site, void *copy_function,
                           void *delete_function, MPI_Fint *keyval, const void *extra_state, MPI_Fint *error);
void fortran_create_errhandler(struct fortran_function *function, const void *site, void *user_function,
                               MPI_Fint *errhandler, MPI_Fint *error);
void fortran_set_attribute(struct fortran_function *function, const void *site, const MPI_Fint *object,
                           const MPI_Fint *keyval, const void *value, MPI_Fint *error);

/* -- fortran_request.c -- Maps the integers by which a Fortran program names requests to requests, where these integers
 * are not the C handles. Only requests of Fortran statements are noted; programs in other languages pay nothing.
 */

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
