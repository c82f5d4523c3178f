/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symbols of a loaded object, out of its own tables: no lock, no memory, no trace in dlerror.
 */
#ifndef MPILENS_RUNTIME_LOADER_ELF_OBJECT_H
#define MPILENS_RUNTIME_LOADER_ELF_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct elf_object {
    uintptr_t base;            /* what its addresses are relative to */
    const ElfW(Dyn) * dynamic; /* its dynamic section */
    const char *path;          /* the loader's, as long as the object stays; "" of the program itself */
};

/* The object of the program's namespace that has code or data at `address`. False: there is none. */
bool elf_object_at(const void *address, struct elf_object *ret_object);

/* The object whose addresses are relative to `base`. False: it is not there, or not any more. */
bool elf_object_with_base(uintptr_t base, struct elf_object *ret_object);

/* What a library calls itself (DT_SONAME), else the name of its file. */
const char *elf_object_name(const struct elf_object *object);

/* Whether it defines a symbol, of any kind. */
bool elf_object_defines(const struct elf_object *object, const char *name);

/* The function that it defines and exports under the name, in its default version; NULL: none. May be called before
 * anything else in the process: it calls nothing. */
void *elf_object_function(const struct elf_object *object, const char *name);

#endif
