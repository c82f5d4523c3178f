/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of files.
 */
#include "objects/file.h"

#include "memory/texts.h"
#include "objects/communicator_id.h"
#include "objects/datatype.h"
#include "objects/errhandler.h"
#include "objects/info.h"
#include "objects/object.h"

#include <string.h>

static void give_back_hints(void *record)
{
    texts_give_back(((struct mpilens_file *)record)->hints);
}

static struct object_kind files = OBJECT_KIND(MPILENS_TABLE_FILES, give_back_hints);

static uint32_t mode_of(int mode)
{
    static const struct {
        int mpi;
        uint32_t flag;
    } modes[] = {
        {MPI_MODE_CREATE, MPILENS_FILE_CREATE},           {MPI_MODE_RDONLY, MPILENS_FILE_READ_ONLY},
        {MPI_MODE_WRONLY, MPILENS_FILE_WRITE_ONLY},       {MPI_MODE_RDWR, MPILENS_FILE_READ_WRITE},
        {MPI_MODE_EXCL, MPILENS_FILE_EXCLUSIVE},          {MPI_MODE_DELETE_ON_CLOSE, MPILENS_FILE_DELETE_ON_CLOSE},
        {MPI_MODE_UNIQUE_OPEN, MPILENS_FILE_UNIQUE_OPEN}, {MPI_MODE_SEQUENTIAL, MPILENS_FILE_SEQUENTIAL},
        {MPI_MODE_APPEND, MPILENS_FILE_APPEND},
    };
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (mode & modes[i].mpi)
            flags |= modes[i].flag;
    return flags;
}

/* The end of a path says more than its beginning. */
static void copy_end(char *field, size_t bytes, const char *text)
{
    size_t length = text != NULL ? strlen(text) : 0;
    text_copy(field, bytes, length < bytes ? text : text + length - (bytes - 1));
}

struct mpilens_file *file_find(uint64_t handle)
{
    return object_find(&files, handle);
}

static void set_view(struct thread *thread, struct mpilens_file *file, MPI_Offset displacement, MPI_Datatype etype,
                     MPI_Datatype filetype, const char *representation)
{
    file->view_displacement = displacement;
    file->view_etype = (uint64_t)(uintptr_t)datatype_find(thread, HANDLE_VALUE(etype), false);
    file->view_filetype = (uint64_t)(uintptr_t)datatype_find(thread, HANDLE_VALUE(filetype), false);
    text_copy(file->view_representation, sizeof file->view_representation, representation);
}

void file_opened(struct thread *thread, const struct communicator_derivation *derivation, MPI_File handle,
                 const char *name, int mode)
{
    if (handle == MPI_FILE_NULL)
        return;
    uint64_t value = HANDLE_VALUE(handle);
    struct mpilens_file *stale = object_find(&files, value);
    if (stale != NULL) /* closed by a call that was not seen, or that has not returned yet */
        file_closed(0, 0, stale, value);
    struct mpilens_file *record = object_take(&files, value, derivation->function, derivation->site, 0);
    if (record == NULL)
        return;
    record->communicator = (uint64_t)(uintptr_t)derivation->parent;
    record->unique_id = object_unique_id(MPILENS_TABLE_FILES, derivation);
    record->mode = mode_of(mode);
    record->atomicity = 0;
    record->split_collective = 0;
    record->split_site = 0;
    record->operations = 0;
    record->collective_count = 0;
    memset(record->recent_collectives, 0, sizeof record->recent_collectives);
    record->info = 0;
    info_give_hints(derivation->info, record->hints, &record->info);
    set_view(thread, record, 0, MPI_BYTE, MPI_BYTE, "native");
    copy_end(record->name, sizeof record->name, name);
    errhandler_begin_file(record);
    object_publish(&files, record);
}

void file_closed(uint32_t function, uint64_t site, struct mpilens_file *record, uint64_t handle)
{
    if (record != NULL)
        errhandler_detach(&record->errhandler);
    object_released(&files, record, handle, function, site);
}

void file_viewed(struct thread *thread, struct mpilens_file *file, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype, const char *representation)
{
    if (file != NULL)
        set_view(thread, file, displacement, etype, filetype, representation);
}

void file_operation_over(struct mpilens_file *record)
{
    object_unuse(&files, record);
}
