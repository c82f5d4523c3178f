/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of attribute keys.
 */
#include "objects/objects.h"

#include "memory/memory.h"

#include <dlfcn.h>
#include <string.h>

static struct object_kind keyvals = OBJECT_KIND(MPILENS_TABLE_KEYVALS, NULL);

/* MPI 4.1 deprecates MPI_HOST. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static const struct {
    int keyval;
    enum mpilens_attachable kind;
    const char *name;
} predefined[] = {
#define OF_COMMUNICATORS(name)                                                                                         \
    {                                                                                                                  \
        name, MPILENS_ATTACHABLE_COMMUNICATOR, #name                                                                   \
    }
#define OF_WINDOWS(name)                                                                                               \
    {                                                                                                                  \
        name, MPILENS_ATTACHABLE_WINDOW, #name                                                                         \
    }
    OF_COMMUNICATORS(MPI_TAG_UB),          OF_COMMUNICATORS(MPI_IO),          OF_COMMUNICATORS(MPI_HOST),
    OF_COMMUNICATORS(MPI_WTIME_IS_GLOBAL), OF_COMMUNICATORS(MPI_APPNUM),      OF_COMMUNICATORS(MPI_LASTUSEDCODE),
    OF_COMMUNICATORS(MPI_UNIVERSE_SIZE),   OF_WINDOWS(MPI_WIN_BASE),          OF_WINDOWS(MPI_WIN_SIZE),
    OF_WINDOWS(MPI_WIN_DISP_UNIT),         OF_WINDOWS(MPI_WIN_CREATE_FLAVOR), OF_WINDOWS(MPI_WIN_MODEL),
};
#pragma GCC diagnostic pop

/* Functions that copy nothing are constants in some MPIs, functions of the library in others: MPI_NULL_COPY_FN,
 * OMPI_C_MPI_COMM_NULL_COPY_FN, ... */
static bool is_named_null_copy(uint64_t copy_function)
{
    static const char ending[] = "NULL_COPY_FN";
    Dl_info found;
    if (!dladdr((const void *)(uintptr_t)copy_function, &found) || found.dli_sname == NULL)
        return false;
    size_t length = strlen(found.dli_sname);
    return length >= sizeof ending - 1 && strcmp(found.dli_sname + length - (sizeof ending - 1), ending) == 0;
}

/* The search among all symbols of a library is long, and programs have few such functions: the answers are kept, each
 * with its function in one word. */
static bool copies_nothing(uint64_t copy_function)
{
    enum { ANSWERS = 16 };
    static uint64_t answers[ANSWERS];
    if (copy_function == 0)
        return true;
    uint64_t *answer = &answers[copy_function / 16 % ANSWERS];
    uint64_t known = __atomic_load_n(answer, __ATOMIC_RELAXED);
    if (known >> 1 != copy_function) {
        known = copy_function << 1 | is_named_null_copy(copy_function);
        __atomic_store_n(answer, known, __ATOMIC_RELAXED);
    }
    return known & 1;
}

static struct mpilens_keyval *take(int keyval, enum mpilens_attachable kind, uint32_t function, uint64_t site,
                                   uint32_t flags)
{
    struct mpilens_keyval *record = object_take(&keyvals, HANDLE_VALUE(keyval), function, site, flags);
    if (record == NULL)
        return NULL;
    record->copy_function = 0;
    record->delete_function = 0;
    record->extra_state = 0;
    record->object_kind = kind;
    memset(record->name, 0, sizeof record->name);
    return record;
}

void keyvals_initialize(void)
{
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++) {
        if (object_find(&keyvals, HANDLE_VALUE(predefined[i].keyval)) != NULL)
            continue;
        struct mpilens_keyval *record = take(predefined[i].keyval, predefined[i].kind, 0, 0, MPILENS_OBJECT_PREDEFINED);
        if (record == NULL)
            return;
        text_copy(record->name, sizeof record->name, predefined[i].name);
        record->fortran_handle = predefined_key_in_fortran(predefined[i].keyval);
        record->flags |= MPILENS_OBJECT_HAS_FORTRAN_HANDLE;
        object_publish(&keyvals, record);
    }
}

void keyval_created(uint32_t function, uint64_t site, int keyval, const struct keyval_arguments *arguments)
{
    uint32_t flags = copies_nothing(arguments->copy_function) ? MPILENS_KEYVAL_NOT_COPIED : 0;
    struct mpilens_keyval *record = take(keyval, arguments->kind, function, site, flags);
    if (record == NULL)
        return;
    record->copy_function = arguments->copy_function;
    record->delete_function = arguments->delete_function;
    record->extra_state = arguments->extra_state;
    object_publish(&keyvals, record);
}

struct mpilens_keyval *keyval_find(uint64_t handle)
{
    return object_find(&keyvals, handle);
}

struct mpilens_keyval *keyval_discover(int keyval, enum mpilens_attachable kind)
{
    struct mpilens_keyval *record = take(keyval, kind, 0, 0, MPILENS_OBJECT_ORIGIN_UNSEEN);
    return record != NULL ? object_publish_or_reference(&keyvals, record, NULL) : NULL;
}

void keyval_freed(uint32_t function, uint64_t site, struct mpilens_keyval *record, uint64_t handle)
{
    object_released(&keyvals, record, handle, function, site);
}

struct mpilens_keyval *keyval_use(struct mpilens_keyval *record)
{
    return object_use(record);
}

void keyval_unuse(struct mpilens_keyval *record)
{
    object_unuse(&keyvals, record);
}
