/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions (MPI-4). A program may have several at a time, and need not call MPI_Init.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_SESSION_H
#define MPILENS_RUNTIME_OBJECTS_SESSION_H

#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stdbool.h>

/* The record that a handle names now, or NULL. */
struct mpilens_session *session_find(uint64_t handle);

/* Something of the runtime that comes from the session refers to its record (by address, 0: none) from now on, or no
 * more; the latter also under the lock of give_back functions (object.h). The first returns its argument. */
uint64_t session_retain(uint64_t session);
void session_release(uint64_t session);
void session_release_locked(uint64_t session);

/* That of a communicator's record (by address, 0: none). */
uint64_t session_of_communicator(uint64_t communicator);

/* The group of mpi://WORLD, from any session that is up; the caller frees it. False: there is none, or MPI would not
 * say. */
bool session_world_group(MPI_Group *ret_group);

/* Whether the threads of a program with the sessions that it has had may be in MPI at the same time. */
bool session_threads_multiple(void);

/* MPI_Session_init is about to be called. */
void session_initializing(void);

#ifdef HAS_MPI_Session_init

/* It has returned `handle`, which may be asked from now on. Returns the level of thread support (0 single ... 3
 * multiple, -1: not known). */
int32_t session_ask(MPI_Session handle);

/* Then, once the process knows of it: its record, with this level. */
void session_initialized(uint32_t function, uint64_t site, MPI_Errhandler errhandler, MPI_Session handle,
                         int32_t level);

/* MPI_Session_finalize is about to be called: nobody asks the session any more. Returns its record, or NULL. */
struct mpilens_session *session_finalizing(MPI_Session handle);

/* It has returned; `record` and `handle` as they were before. `over`: the session is. */
void session_finalized(uint32_t function, uint64_t site, struct mpilens_session *record, MPI_Session handle, bool over);

#endif

#endif
