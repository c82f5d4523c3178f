/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of files.
 */

#include "memory/memory.h"
#include "objects/objects_internal.h"

#include <string.h>

static void give_back_memory(void *record)
{
    struct mpilens_file *file = record;
    texts_give_back(file->hints);
    if (file->arguments != 0)
        collective_arguments_give_back(&file->arguments);
}

static struct object_kind files = OBJECT_KIND(MPILENS_TABLE_FILES, give_back_memory);

static const struct {
    int mpi;
    uint32_t flag;
    size_t length;
    char name[16];
} modes[] = {
#define MODE(name, flag)                                                                                               \
    {                                                                                                                  \
        MPI_MODE_##name, MPILENS_FILE_##flag, sizeof #name - 1, #name                                                  \
    }
    MODE(CREATE, CREATE),           MODE(RDONLY, READ_ONLY),      MODE(WRONLY, WRITE_ONLY),
    MODE(RDWR, READ_WRITE),         MODE(EXCL, EXCLUSIVE),        MODE(DELETE_ON_CLOSE, DELETE_ON_CLOSE),
    MODE(UNIQUE_OPEN, UNIQUE_OPEN), MODE(SEQUENTIAL, SEQUENTIAL), MODE(APPEND, APPEND),
#undef MODE
};

static uint32_t mode_of(int mode)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (mode & modes[i].mpi)
            flags |= modes[i].flag;
    return flags;
}

/* Whole arrays are copied, which is quicker; `ret_names` has room for that behind the last name. */
static void name_modes(int mode, char *ret_names)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if ((mode & modes[i].mpi) == 0)
            continue;
        if (length > 0)
            ret_names[length++] = '+';
        memcpy(ret_names + length, modes[i].name, sizeof modes[i].name);
        length += modes[i].length;
    }
    ret_names[length] = '\0';
}

void file_agree(struct mpilens_communicator *communicator, const struct mpilens_collective *call, const char *name,
                int mode)
{
    char names[sizeof modes / sizeof modes[0] * sizeof modes[0].name];
    name_modes(mode, names);
    const char *slash = name != NULL ? strrchr(name, '/') : NULL;
    const struct agreed_argument agreed[] = {
        {AGREED_NAME("mode"), .text = names},
        {AGREED_NAME("file"), .text = slash != NULL ? slash + 1 : name, .may_differ = true}, /* of the same file */
    };
    if (communicator != NULL && name != NULL)
        collective_agree(&communicator->arguments, call, agreed, sizeof agreed / sizeof agreed[0]);
}

void file_agree_on_view(struct thread *thread, struct mpilens_file *file, const struct mpilens_collective *call,
                        MPI_Datatype etype, const char *representation)
{
    const struct mpilens_datatype *record = datatype_find(thread, HANDLE_VALUE(etype), false);
    const struct agreed_argument agreed[] = {
        {AGREED_NAME("etype of extent"), .value = record != NULL ? record->extent : MPI_UNDEFINED},
        {AGREED_NAME("representation"), .text = representation},
    };
    if (file != NULL && representation != NULL)
        collective_agree(&file->arguments, call, agreed, sizeof agreed / sizeof agreed[0]);
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
    collectives_clear(record->recent_collectives);
    record->arguments = 0;
    record->info = 0;
    info_give_hints(derivation->info, record->hints, &record->info);
    set_view(thread, record, 0, MPI_BYTE, MPI_BYTE, "native");
    copy_end(record->name, sizeof record->name, name);
    errhandler_begin_file(record);
    object_publish(&files, record);
}

void file_closed(uint32_t function, uint64_t site, struct mpilens_file *record, uint64_t handle)
{
    if (record != NULL) {
        errhandler_detach(&record->errhandler);
        freed_objects_note((const struct mpilens_communicator *)(uintptr_t)record->communicator,
                           FREED_OBJECT(MPILENS_OBJECT_FILE, record, function, site));
    }
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
