/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files: how they come to be known, what is done with them, and how their records end.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_FILE_H
#define MPILENS_RUNTIME_OBJECTS_FILE_H

#include "objects/communicator.h"
#include "thread/refusal.h"

enum { FILE_NO_OFFSET = -1 }; /* of an operation: at the file pointer */

/* In MPI_File_open and MPI_File_set_view: notes what all members must give alike. NULL communicators and files are
 * fine.
 */
void file_agree(struct mpilens_communicator *communicator, const struct mpilens_collective *call, const char *name,
                int mode);
void file_agree_on_view(struct thread *thread, struct mpilens_file *file, const struct mpilens_collective *call,
                        MPI_Datatype etype, const char *representation);

/* After MPI_File_open; `handle` is what it gave, `mode` MPI_MODE_*. */
void file_opened(struct thread *thread, const struct communicator_derivation *derivation, MPI_File handle,
                 const char *name, int mode);

/* After MPI_File_close; `record` and `handle` as they were before. NULL is fine. */
void file_closed(uint32_t function, uint64_t site, struct mpilens_file *record, uint64_t handle);

/* The record that a handle names now, or NULL. */
struct mpilens_file *file_find(uint64_t handle);

/* MPI_File_set_view has succeeded. The datatypes' records are kept while the file refers to them. NULL `file` is fine.
 */
void file_viewed(struct thread *thread, struct mpilens_file *file, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype, const char *representation);

/* A nonblocking operation on the file is over. NULL is fine. */
void file_operation_over(struct mpilens_file *record);

/* A read or write begins on `file`. NULL is fine. Threads may do so at the same time. */
INLINE void file_count_operation(struct mpilens_file *file)
{
    if (file != NULL)
        __atomic_fetch_add(&file->operations, 1, __ATOMIC_RELAXED);
}

/* It has returned `error`. If MPI has refused it, it does not count. */
INLINE void file_operation_returned(struct mpilens_file *file, int error)
{
    if (error_is_refusal(error) && file != NULL)
        __atomic_fetch_sub(&file->operations, 1, __ATOMIC_RELAXED);
}

#endif
