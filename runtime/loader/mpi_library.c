/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the base of the library, and looks whether it is still there: it is not kept from being unloaded before MPI is
 * called.
 */
#include "loader/loader.h"

#include "mpi/mpi_traits.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* Bases; 0: none. */
static uintptr_t accepted;
static uintptr_t settled;

static bool defines(const void *library, const char *symbol)
{
    return elf_object_defines(library, symbol);
}

static bool may_be_called(const struct elf_object *library)
{
    const char *name = elf_object_name(library);
    return !is_fortran_binding(name) && elf_object_defines(library, "MPI_Init") &&
           has_this_interface(name, defines, library);
}

/* Whether the wrappers would call another one without having been told: the one that the program is linked with. */
static bool is_behind_another(const struct elf_object *library)
{
    struct elf_object linked;
    void *address = next_dlsym(RTLD_NEXT, "PMPI_Init");
    if (address == NULL)
        dlerror();
    return address != NULL && elf_object_at(address, &linked) && linked.base != library->base && may_be_called(&linked);
}

bool mpi_library_find(struct elf_object *ret_library)
{
    struct elf_object library;
    const uintptr_t base = __atomic_load_n(&accepted, __ATOMIC_ACQUIRE);
    if (base == 0 || !elf_object_with_base(base, &library) || !may_be_called(&library))
        return false;
    *ret_library = library;
    return true;
}

bool mpi_library_accept(const struct elf_object *library)
{
    const uintptr_t called = __atomic_load_n(&settled, __ATOMIC_ACQUIRE);
    struct elf_object other;
    uintptr_t known = __atomic_load_n(&accepted, __ATOMIC_ACQUIRE);
    if (called != 0)
        return library->base == called || (library->base == known && may_be_called(library));
    if (!may_be_called(library))
        return false;
    if (known == library->base)
        return true;
    if (mpi_library_find(&other)) /* another thread may have accepted it just now */
        return other.base == library->base;
    if (is_behind_another(library))
        return false;
    return __atomic_compare_exchange_n(&accepted, &known, library->base, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
           known == library->base;
}

void mpi_library_settle(const void *function)
{
    struct elf_object library;
    if (elf_object_at(function, &library))
        __atomic_store_n(&settled, library.base, __ATOMIC_RELEASE);
}
