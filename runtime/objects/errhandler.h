/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error handlers. One lives while an object has it, also after the application has freed it; asking an object for its
 * error handler gives the same handle again, which must be freed once more.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_ERRHANDLER_H
#define MPILENS_RUNTIME_OBJECTS_ERRHANDLER_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* Records of the predefined ones. At initialization, as often as one likes. */
void errhandlers_initialize(void);

/* After a constructor; `user_function`: its address. */
void errhandler_created(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t user_function,
                        enum mpilens_attachable kind);

/* The record that a handle names now, or NULL. */
struct mpilens_errhandler *errhandler_find(uint64_t handle);

/* After MPI_Errhandler_free; `record` and `handle` as they were before. NULL is fine. */
void errhandler_freed(uint32_t function, uint64_t site, struct mpilens_errhandler *record, uint64_t handle);

/* Where an object keeps the address of its error handler's record: the member `errhandler` of `object`, the record of
 * what `handle` names. MPI_FILE_NULL has the one that files begin with. NULL: not known. */
uint64_t *errhandler_place(enum mpilens_attachable kind, void *object, uint64_t handle);

/* The object at `place` has this error handler from now on. NULL `place` is fine. */
void errhandler_attach(uint64_t *place, MPI_Errhandler handle, enum mpilens_attachable kind);

/* The object at `place` was asked for its error handler: that is `handle`. NULL `place` is fine. */
void errhandler_given(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t *place,
                      enum mpilens_attachable kind);

/* A new communicator begins with its parent's. NULL `parent`: not known. */
void errhandler_inherit(struct mpilens_communicator *record, const struct mpilens_communicator *parent);

/* A new file begins with that of MPI_FILE_NULL, a new window with MPI_ERRORS_ARE_FATAL. */
void errhandler_begin_file(struct mpilens_file *record);
void errhandler_begin_window(struct mpilens_window *record);

/* The object at `place` was freed. */
void errhandler_detach(uint64_t *place);

#endif
