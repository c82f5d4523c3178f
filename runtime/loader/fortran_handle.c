/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Converts C handles to Fortran integers.
 */
#include "loader/loader.h"

#include "mpi/functions.h"
#include "mpi/mpi_traits.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define DEFINE_CONVERSION(type)                                                                                        \
    static int32_t convert_##type(void *address, uint64_t handle)                                                      \
    {                                                                                                                  \
        MPI_Fint (*convert)(type);                                                                                     \
        memcpy(&convert, &address, sizeof(convert));                                                                   \
        return (int32_t)convert((type)(uintptr_t)handle);                                                              \
    }

DEFINE_CONVERSION(MPI_Comm)
DEFINE_CONVERSION(MPI_Group)
DEFINE_CONVERSION(MPI_Datatype)
DEFINE_CONVERSION(MPI_Op)
DEFINE_CONVERSION(MPI_Errhandler)
DEFINE_CONVERSION(MPI_Info)
DEFINE_CONVERSION(MPI_Win)
DEFINE_CONVERSION(MPI_File)
DEFINE_CONVERSION(MPI_Message)
DEFINE_CONVERSION(MPI_Request)
#ifdef HAS_MPI_Session_init
DEFINE_CONVERSION(MPI_Session)
#endif

static struct conversion {
    const char *name; /* of the function without PMPI_ and _c2f */
    int32_t (*convert)(void *address, uint64_t handle);
    void *address; /* of the function; NULL: not known */
} conversions[] = {
    [MPILENS_OBJECT_COMMUNICATOR] = {"Comm", convert_MPI_Comm, NULL},
    [MPILENS_OBJECT_GROUP] = {"Group", convert_MPI_Group, NULL},
    [MPILENS_OBJECT_DATATYPE] = {"Type", convert_MPI_Datatype, NULL},
    [MPILENS_OBJECT_OP] = {"Op", convert_MPI_Op, NULL},
    [MPILENS_OBJECT_ERRHANDLER] = {"Errhandler", convert_MPI_Errhandler, NULL},
    [MPILENS_OBJECT_INFO] = {"Info", convert_MPI_Info, NULL},
#ifdef HAS_MPI_Session_init
    [MPILENS_OBJECT_SESSION] = {"Session", convert_MPI_Session, NULL},
#endif
    [MPILENS_OBJECT_WINDOW] = {"Win", convert_MPI_Win, NULL},
    [MPILENS_OBJECT_FILE] = {"File", convert_MPI_File, NULL},
    [MPILENS_OBJECT_MESSAGE] = {"Message", convert_MPI_Message, NULL},
    [MPILENS_OBJECT_REQUEST] = {"Request", convert_MPI_Request, NULL},
};

/* Keys of attributes are integers in both languages. */
static bool is_same_number(enum mpilens_object_kind kind)
{
    return kind == MPILENS_OBJECT_KEYVAL || (FORTRAN_IS_C && kind != MPILENS_OBJECT_FILE);
}

/* In the MPI 5 ABI PMPI_x_toint says the same. */
static void *find(const char *name)
{
    static const char *const endings[] = {"c2f", "toint"};
    const void *library; /* any function of it */
    memcpy(&library, mpilens__real_pointers[FUNCTION_MPI_Init], sizeof library);
    void *address = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && address == NULL; i++) {
        char symbol[48];
        snprintf(symbol, sizeof symbol, "PMPI_%s_%s", name, endings[i]);
        address = resolve_symbol(symbol, library);
    }
    return address;
}

void fortran_handles_initialize(void)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++)
        if (conversions[i].name != NULL && conversions[i].address == NULL &&
            !is_same_number((enum mpilens_object_kind)i))
            __atomic_store_n(&conversions[i].address, find(conversions[i].name), __ATOMIC_RELEASE);
}

bool fortran_handle_of(enum mpilens_object_kind kind, uint64_t handle, int32_t *ret_fortran)
{
    /* Some libraries' tables of files have no lock. */
    static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;
    if (is_same_number(kind)) {
        *ret_fortran = (int32_t)handle;
        return true;
    }
    if ((size_t)kind >= sizeof conversions / sizeof conversions[0])
        return false;
    void *address = __atomic_load_n(&conversions[kind].address, __ATOMIC_ACQUIRE);
    if (address == NULL)
        return false;
    if (kind == MPILENS_OBJECT_FILE)
        pthread_mutex_lock(&files_mutex); /* the conversion calls nobody */
    int32_t fortran = conversions[kind].convert(address, handle);
    if (kind == MPILENS_OBJECT_FILE)
        pthread_mutex_unlock(&files_mutex);
    if (fortran < 0) /* it would not */
        return false;
    *ret_fortran = fortran;
    return true;
}
