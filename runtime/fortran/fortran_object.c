/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records keyvals, error handlers and attributes that a Fortran binding makes without calling a C function.
 */
#include "fortran/fortran.h"

#include "loader/loader.h"
#include "objects/objects.h"
#include "thread/thread.h"

#include <string.h>

/* The C handle (HANDLE_VALUE) of a Fortran one that the library has just accepted. 0: not known. Without a function to
 * convert it, it is the same number. */
#define DEFINE_C_HANDLE(type, conversion)                                                                              \
    static uint64_t c_handle_of_##type(MPI_Fint handle, const void *site)                                              \
    {                                                                                                                  \
        type (*convert)(MPI_Fint);                                                                                     \
        void *address = resolve_symbol(conversion, site);                                                              \
        memcpy(&convert, &address, sizeof convert);                                                                    \
        if (address == NULL)                                                                                           \
            return sizeof(type) == sizeof(MPI_Fint) ? (uint64_t)(uint32_t)handle : 0;                                  \
        type converted = convert(handle);                                                                              \
        return HANDLE_VALUE(converted);                                                                                \
    }

DEFINE_C_HANDLE(MPI_Comm, "PMPI_Comm_f2c")
DEFINE_C_HANDLE(MPI_Datatype, "PMPI_Type_f2c")
DEFINE_C_HANDLE(MPI_Win, "PMPI_Win_f2c")
DEFINE_C_HANDLE(MPI_Errhandler, "PMPI_Errhandler_f2c")

static uint64_t c_handle_of(enum mpilens_attachable kind, MPI_Fint handle, const void *site)
{
    switch (kind) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return c_handle_of_MPI_Comm(handle, site);
    case MPILENS_ATTACHABLE_DATATYPE:
        return c_handle_of_MPI_Datatype(handle, site);
    case MPILENS_ATTACHABLE_WINDOW:
        return c_handle_of_MPI_Win(handle, site);
    default:
        return 0;
    }
}

static void *find_real(struct fortran_function *function, const void *site)
{
    void *real = __atomic_load_n(&function->real, __ATOMIC_RELAXED);
    if (real == NULL) {
        real = fortran_find_function(function->name, site);
        __atomic_store_n(&function->real, real, __ATOMIC_RELAXED);
    }
    return real;
}

/* As an entry does; then it can be asked whether a C function was called. */
static struct fortran_watch begin(const void *site, void *frame)
{
    mpilens__thread = &mpilens__other_way;
    return fortran_watch_begin((struct fortran_statement){site, (uint64_t)(uintptr_t)frame});
}

/* Whether it is left to us to record what the function has done. Inside another function of the binding it is not. */
static bool is_ours(struct fortran_watch before, const void *site, MPI_Fint error)
{
    bool was_taken = fortran_watch_end(before);
    return !was_taken && error == MPI_SUCCESS && caller_classify(site) != CALLER_FORTRAN_BINDING;
}

/* Marks records made in between as made by a Fortran statement. Returns the previous state. */
static bool set_from_fortran(bool from_fortran)
{
    struct thread *thread = thread_if_known();
    bool before = thread != NULL && thread->from_fortran;
    if (thread != NULL)
        thread->from_fortran = from_fortran;
    return before;
}

/* An integer argument of the kind that attributes have in this function. */
static uint64_t attribute_at(const struct fortran_function *function, const void *place)
{
    return function->plain_integer ? (uint64_t) * (const MPI_Fint *)place : (uint64_t) * (const MPI_Aint *)place;
}

void fortran_create_keyval(struct fortran_function *function, const void *site, void *copy_function,
                           void *delete_function, MPI_Fint *keyval, const void *extra_state, MPI_Fint *error)
{
    void (*real)(void *, void *, MPI_Fint *, const void *, MPI_Fint *);
    void *address = find_real(function, site);
    memcpy(&real, &address, sizeof real);
    MPI_Fint own_error = MPI_SUCCESS;
    MPI_Fint *result = error != NULL ? error : &own_error;
    struct fortran_watch before = begin(site, __builtin_frame_address(0));
    real(copy_function, delete_function, keyval, extra_state, result);
    if (!is_ours(before, site, *result))
        return;
    bool was_from_fortran = set_from_fortran(true);
    keyval_created(function->function, (uint64_t)(uintptr_t)site, *keyval,
                   &(struct keyval_arguments){
                       .copy_function = (uint64_t)(uintptr_t)copy_function,
                       .delete_function = (uint64_t)(uintptr_t)delete_function,
                       .extra_state = attribute_at(function, extra_state),
                       .kind = function->kind,
                   });
    set_from_fortran(was_from_fortran);
}

void fortran_create_errhandler(struct fortran_function *function, const void *site, void *user_function,
                               MPI_Fint *errhandler, MPI_Fint *error)
{
    void (*real)(void *, MPI_Fint *, MPI_Fint *);
    void *address = find_real(function, site);
    memcpy(&real, &address, sizeof real);
    MPI_Fint own_error = MPI_SUCCESS;
    MPI_Fint *result = error != NULL ? error : &own_error;
    struct fortran_watch before = begin(site, __builtin_frame_address(0));
    real(user_function, errhandler, result);
    if (!is_ours(before, site, *result))
        return;
    uint64_t handle = c_handle_of_MPI_Errhandler(*errhandler, site);
    bool was_from_fortran = set_from_fortran(true);
    if (handle)
        errhandler_created(function->function, (uint64_t)(uintptr_t)site, (MPI_Errhandler)(uintptr_t)handle,
                           (uint64_t)(uintptr_t)user_function, function->kind);
    set_from_fortran(was_from_fortran);
}

void fortran_set_attribute(struct fortran_function *function, const void *site, const MPI_Fint *object,
                           const MPI_Fint *keyval, const void *value, MPI_Fint *error)
{
    void (*real)(const MPI_Fint *, const MPI_Fint *, const void *, MPI_Fint *);
    void *address = find_real(function, site);
    memcpy(&real, &address, sizeof real);
    MPI_Fint own_error = MPI_SUCCESS;
    MPI_Fint *result = error != NULL ? error : &own_error;
    struct mpilens_keyval *record = keyval_find(HANDLE_VALUE(*keyval));
    struct fortran_watch before = begin(site, __builtin_frame_address(0));
    real(object, keyval, value, result);
    struct thread *thread = thread_if_known();
    if (!is_ours(before, site, *result) || thread == NULL)
        return;
    attribute_set(function->kind, attachable_find(thread, function->kind, c_handle_of(function->kind, *object, site)),
                  record, *keyval, attribute_at(function, value), (uint64_t)(uintptr_t)site);
}
