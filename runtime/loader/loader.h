/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The real MPI functions; whose code a call comes from; symbols that lead debuggers to the DLL.
 */
#ifndef MPILENS_RUNTIME_LOADER_LOADER_H
#define MPILENS_RUNTIME_LOADER_LOADER_H

#include "mpilens/object_kind.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* -- caller.c -- Finds the library that a call comes from. A call inside another one is the MPI library's own or one of
 * the user's callbacks: the object with the return address decides, without a lock if that object was seen before.
 */

enum caller_class {
    CALLER_APPLICATION, /* whatever is none of the others: the program, its libraries, code made at run time */
    CALLER_MPI_LIBRARY,
    CALLER_FORTRAN_BINDING, /* calls on behalf of the application */
    CALLER_TOOL,            /* another tool, which our wrappers call instead of the MPI library */
};

/* Classifies the code at `caller`. Any thread. */
enum caller_class caller_classify(const void *caller);

/* Classifies the loaded object with this path (NULL: none) by its name. */
enum caller_class caller_class_of_path(const char *path);

/* The object that has `address` is of this class whatever its name: where the MPI functions lie (in a program that is
 * linked statically that is the program itself: then every call inside another one counts as the library's), and where
 * another tool lies. Nothing happens where no object has it, or too many were declared. */
void caller_declare(const void *address, enum caller_class caller_class);

/* Where the loaded object that has `address` begins; 0: in none. */
uintptr_t caller_object(const void *address);

/* -- debugger_symbols.c --
 * The symbols by which debuggers find the DLL. They are set when the library is loaded.
 */

/* After MPI_Init, which may have changed them: where an MPI library has variables of the same names, it uses ours. */
void debugger_symbols_restore(void);

/* -- elf_object.c --
 * Symbols of a loaded object, out of its own tables: no lock, no memory, no trace in dlerror.
 */

struct elf_object {
    uintptr_t base;            /* load bias of its addresses */
    const ElfW(Dyn) * dynamic; /* its dynamic section */
    const char *path;          /* the loader's, as long as the object stays; "" of the program itself */
};

/* The object of the program's namespace that has code or data at `address`. False: there is none. */
bool elf_object_at(const void *address, struct elf_object *ret_object);

/* The object whose addresses are relative to `base`. False: it is not there, or not any more. */
bool elf_object_with_base(uintptr_t base, struct elf_object *ret_object);

/* The library's own name (DT_SONAME), else the name of its file. */
const char *elf_object_name(const struct elf_object *object);

/* Whether it defines a symbol, of any kind. */
bool elf_object_defines(const struct elf_object *object, const char *name);

/* The function that it defines and exports under the name, in its default version; NULL: none. May be called before
 * anything else in the process: it calls nothing. */
void *elf_object_function(const struct elf_object *object, const char *name);

/* -- fortran_handle.c --
 * The integers by which Fortran names what C has handles of: MPI_x_c2f (MPI 4.1, section 19.3.4).
 */

/* Finds the library's functions. When MPI is initialized, as often as one likes; before that, only what is the same
 * number in both languages is known. */
void fortran_handles_initialize(void);

/* The integer of Fortran for `handle` (HANDLE_VALUE), which is valid, or null: the library may make one for it. Not on
 * a hot path. False: not known. */
bool fortran_handle_of(enum mpilens_object_kind kind, uint64_t handle, int32_t *ret_fortran);

/* -- handed_out.c -- The results of dlsym and dlvsym for names of MPI: the wrapper of a function of the MPI library, so
 * that programs which load MPI by dlopen are tracked like linked programs, with the same address in both.
 */

/* For dlsym.S: the same as the next dlsym and dlvsym (next_dlsym.c) give to `caller`, or the wrapper of that. dlerror
 * says what it says after these. */
void *mpilens__hand_out(void *handle, const char *name, const void *caller) __attribute__((visibility("hidden")));
void *mpilens__hand_out_version(void *handle, const char *name, const char *version, const void *caller)
    __attribute__((visibility("hidden")));

/* -- loader_index.c -- The loader's own index of loaded objects: always correct, and read without a lock. glibc before
 * 2.35 has none.
 */

/* Before the others; one thread at a time. */
void loader_index_find(void);

bool loader_index_exists(void);

/* Path of the object that has the address (the loader's, as long as the object stays), and where it begins. NULL: in
 * none. Only where there is an index. */
const char *loader_index_name(uintptr_t address, uintptr_t *ret_start);

/* -- mpi_library.c -- The MPI library that a process uses by dlopen: the first one whose functions it asked dlsym for.
 * Before that, a process may open several libraries, also with other interfaces.
 */

/* Whether wrappers may stand for the functions of this library: they call it, or, as it is the first one that could be
 * theirs, will call it. Any thread. dlerror tells nothing afterwards. */
bool mpi_library_accept(const struct elf_object *library);

/* The library that has been accepted. False: there is none, or it was unloaded. */
bool mpi_library_find(struct elf_object *ret_library);

/* From now on, wrappers call the library that has `function`. */
void mpi_library_settle(const void *function);

/* -- next_dlsym.c --
 * dlsym and dlvsym as they are without this library, which has functions of these names itself (dlsym.S).
 */

/* RTLD_NEXT means: behind this library. */
void *next_dlsym(void *handle, const char *name);
void *next_dlvsym(void *handle, const char *name, const char *version);

/* For dlsym.S: the functions themselves; NULL: not looked for yet. */
typedef void *dlsym_function(void *, const char *);
typedef void *dlvsym_function(void *, const char *, const char *);
extern dlsym_function *mpilens__next_dlsym __attribute__((visibility("hidden")));
extern dlvsym_function *mpilens__next_dlvsym __attribute__((visibility("hidden")));

/* Finds them for dlsym.S, in any thread: in the next object in the order of loading, as the dynamic linker would
 * (another tool's, else the C library's). Calls nothing: it may run in the first call of a process, or of an allocator
 * or sanitizer that is not ready. */
void mpilens__find_next_dlsym(void) __attribute__((visibility("hidden")));

/* -- resolve.c -- The real MPI functions, and functions of other tools that come after this one.
 */

/* Finds the real PMPI_ functions once, or MPI_x where their library has no PMPI_x: in the library that the program uses
 * by dlsym (mpi_library.c), else the next definition after this library, else the one that `caller`'s object sees, else
 * in any loaded MPI library (Python and others load MPI privately). A missing function becomes one that says so and
 * aborts; for the runtime's own calls, one that refuses. Where another tool has the function MPI_x after this library,
 * wrappers called as MPI_x call that. False: no MPI library was found. */
bool resolve_functions(const void *caller);

/* Looks again for the constants of MPI that are addresses and were not found: a library that passes calls on may load
 * MPI only when it is initialized. */
void resolve_constants(const void *caller);

/* Any symbol of the MPI library or of its bindings, looked for in the same way; NULL: there is none. */
void *resolve_symbol(const char *symbol, const void *caller);

/* There is such another tool. Known to the entries of PMPI_ functions. */
extern bool mpilens__tools_behind __attribute__((visibility("hidden")));

#endif
