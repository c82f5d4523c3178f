/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes: from a handle to its record. The size is asked for once, when a type is made or first seen.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_DATATYPE_H
#define MPILENS_RUNTIME_OBJECTS_DATATYPE_H

#include "objects/datatype_contents.h"
#include "objects/datatype_record.h"
#include "thread/handle_cache.h"

/* Records of the predefined datatypes; of those that every library has only where an error would not be `quiet`. At
 * MPI_Init or the first MPI_Session_init. */
void datatypes_initialize(bool quiet);

/* A constructor has returned `handle`. */
void datatype_created(uint32_t function, uint64_t site, MPI_Datatype handle, const struct datatype_contents *contents);

/* MPI_Type_dup has made `handle` of `original`, NULL: not known. After datatype_created. */
void datatype_duplicated(const struct mpilens_datatype *original, uint64_t handle);

/* A call has succeeded and given a datatype that exists already or is a copy of one (MPI_Type_get_contents,
 * MPI_File_get_view): the application must free it once more, unless it is predefined. */
void datatype_given(uint32_t function, uint64_t site, MPI_Datatype handle);

/* MPI_Type_get_contents of `datatype` has succeeded and given these. */
void datatype_contents_given(uint32_t function, uint64_t site, MPI_Datatype datatype, const MPI_Datatype *given);

/* MPI_Type_commit. */
void datatype_committed(uint64_t handle);

/* Before MPI_Type_free: the record, or NULL. It stays while the call lasts. */
struct mpilens_datatype *datatype_freeing(uint64_t handle);

/* After it: the record is withdrawn when the application has freed it as often as it got it, and nothing can refer to
 * it. `record` and `handle` as they were before the call. NULL is fine. */
void datatype_freed(uint32_t function, uint64_t site, struct mpilens_datatype *record, uint64_t handle, bool succeeded);

/* MPI_Type_set_name. */
void datatype_named(uint64_t handle, const char *name);

struct mpilens_datatype *datatype_find_slowly(struct thread *thread, uint64_t handle, bool of_operation) COLD;

/* NULL: not known. `of_operation`: of an operation that is about to begin, and
 * with which MPI looks at its arguments: not with MPI_PROC_NULL. */
INLINE struct mpilens_datatype *datatype_find(struct thread *thread, uint64_t handle, bool of_operation)
{
    const struct handle_cache_entry *entry = handle_cache_place(thread->datatype_cache, DATATYPE_CACHE_ENTRIES, handle);
    if (handle_cache_hit(entry, handle))
        return handle_cache_record(entry);
    return datatype_find_slowly(thread, handle, of_operation);
}

#endif
