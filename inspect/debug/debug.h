/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debug information that is elsewhere, names of functions, scopes.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_H
#define MPILENS_INSPECT_DEBUG_DEBUG_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>

/* -- debug_bounds.c -- Bounds for data that libdw unpacks and expands: a malicious file could take all memory.
 */

/* Whether the compressed sections of the file are said to unpack to a gigabyte and to 16 times what they take there, at
 * most: those that compilers make do so to 2 to 6 times. */
bool debug_sections_are_bounded(Elf *elf);
/* Whether .gnu_debugdata, with the symbols of a stripped file, unpacks to at most 32 MB and 16 times its size, and has
 * no unbounded sections. If not, libdwfl will find it empty. `elf` keeps the result. */
bool debug_symbols_are_bounded(Elf *elf);
/* As dwfl_module_addrinfo(), which unpacks such symbols whatever comes out. */
const char *debug_symbol_at(Dwfl_Module *module, GElf_Addr address, GElf_Off *ret_offset, GElf_Sym *ret_symbol);

/* "program.debug is damaged, too large or packed more densely than compilers do, and is not read". The caller frees it.
 */
char *debug_explain_density(const char *what);

/* Whether the line program of the unit (DWARF 5, 6.2), which may make a row of each of its bytes, is at most a
 * megabyte long; large source files have some hundred thousand bytes. */
bool debug_lines_are_bounded(Dwarf_Die *unit);

/* -- debug_declaration.c -- Where things are declared, and in which language.
 */

/* By the unit that has the name: units that are optimized at link time have no language. */
bool debug_is_of_fortran(Dwarf_Die *die);
/* NULL: not known. */
const char *debug_declaration_file(Dwarf_Die *die);
/* Whether this is the line of `subroutine`, `function` or `program` of Fortran, where no call is: gfortran has it
 * for those before which it makes a variable undefined. */
bool debug_is_first_line(Dwarf_Die *procedure, const char *path, int line);

/* -- debug_file.c --
 * Debug information that does not stand in the program or library itself.
 */

/* The find_debuginfo of Dwfl_Callbacks: by build id in the system's directory, by .gnu_debuglink beside the file, then
 * from the servers of DEBUGINFOD_URLS, which get DEBUGINFOD_MAXTIME seconds, or else 10, for all files together. The
 * module's user data is the pid_t of the process whose files are meant, or NULL. Opens regular files only, and none
 * that unpack to too much (debug_bounds.c). */
int debug_file_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, const char *file_name,
                    const char *link, GElf_Word checksum, char **ret_path);

/* Whether libdw, which unpacks files that are packed as a whole, will find nothing of that kind to do. */
bool debug_file_is_plain(int file);
/* Whether libdw may open the path: a regular file that does not unpack to too much, or nothing that can be opened. */
bool debug_file_is_harmless(const char *path);

/* Why what stands where .gnu_debuglink says is not taken: "/opt/app.debug is of another build"; NULL: nothing stands
 * there. The caller frees it. */
char *debug_file_explain_link(Dwfl_Module *module, const char *link, GElf_Word checksum);

/* The debug information of the module; NULL: there is none, or reading it would open what the module names, or take
 * more memory than honest ones do (debug_bounds.c). */
Dwarf *debug_file_of(Dwfl_Module *module, Dwarf_Addr *ret_bias);

/* -- debug_hint.c --
 * Why a place in a program or library has no source line.
 */

/* Advice to its user how to get lines of the module with this path: "compile halo with -g, and do not strip it".
 * `is_live`: it belongs to a process, not to a core file. NULL: it is part of the system or of MPI. The caller frees
 * it. */
char *debug_hint_of(Dwfl_Module *module, const char *path, bool is_live);

/* -- debug_name.c --
 * Names of functions as their languages write them.
 */

/* By debug information, with what the function is declared in: "solve", "exchange_module::exchange",
 * "app::Exchanger<double>::exchange", "main::{lambda}". NULL: it has no name. The caller frees it. */
char *debug_function_name(Dwarf_Die *function);

/* -- debug_scopes.c -- The scopes around code, or around a declaration, in debug information.
 */

/* Deeper nesting is not followed. */
enum { MOST_SCOPES = 64 };

/* Innermost first, without the unit. */
struct debug_scopes {
    Dwarf_Die items[MOST_SCOPES];
    size_t count; /* 0: none, or not known */
};

/* The scopes of the code at `address` (without bias): blocks, functions that were inlined there and the blocks around
 * them, the function that they were inlined into, and what that is declared in: functions, types, modules, namespaces.
 * `unit` has the functions themselves (target_find_content). */
void debug_scopes_of_code(Dwarf_Die *unit, Dwarf_Addr address, struct debug_scopes *ret_scopes);

/* The nearest type, module, namespace or function that it is declared in. False: there is none, or it is not known. */
bool debug_find_parent(Dwarf_Die *die, Dwarf_Die *ret_parent);

/* Goes to the next sibling. False: no more. Ends also for damaged files. */
bool debug_next_sibling(Dwarf_Die *die);

/* -- debug_server.c --
 * Debug information from the servers that the user has named in DEBUGINFOD_URLS.
 */

/* Takes the servers out of the environment, where libdwfl would find them whenever a file is missing, and wait for them
 * without a limit. Before any file is looked for. */
void debug_server_take(void);
/* Puts them back, for a program that this process becomes. */
void debug_server_give_back(void);

/* As find_debuginfo of Dwfl_Callbacks. -1 also when the time for all files is over. */
int debug_server_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **ret_path);

/* -- debug_type.c -- Types of C by name, from debug information, for debugger libraries of MPI vendors.
 */

/* The first struct, union, enumeration, basic type or typedef of this name that a compiled file of the program or of an
 * MPI library defines. False: there is none. */
bool debug_find_type(Dwfl *dwfl, const char *program, const char *name, Dwarf_Die *ret_type);
/* Offset of a member in bytes; -1: the type has none of this name. */
int debug_field_offset(const Dwarf_Die *type, const char *name);
/* In bytes; -1: not known. */
int debug_type_size(const Dwarf_Die *type);

/* -- symbol_name.c --
 * Names of symbols as their languages write them.
 */

/* By a symbol: "exchange_module::exchange" of __exchange_module_MOD_exchange, "app::exchange" of
 * _ZN3app8exchangeEi. The symbol itself where that is no name of C++ or Fortran. The caller frees it. */
char *plain_symbol_name(const char *symbol);
/* The name of a type of C++ by the name that its type_info has: "std::runtime_error" of St13runtime_error. The name
 * itself where it is none of C++. The caller frees it. */
char *type_symbol_name(const char *symbol);

/* -- system_module.c --
 * Which frames are the system's, and what its functions are called.
 */

/* Whether the module is part of the system, of MPI or of mpilens: not what the user has written. */
bool is_system_module(const char *module);
/* Whether the function is of the library of C++, whose templates are compiled into the programs that use them. NULL:
 * not known. */
bool is_system_function(const char *function);
/* Whether it is part of MPI, of what MPI stands on, or of mpilens. */
bool is_mpi_module(const char *module);
/* Whether it is an interpreter, which runs what the user has written. */
bool is_interpreter_module(const char *module);
/* Whether it is a library that only passes on what Python calls to a function of C. */
bool is_binding_module(const char *module);
/* Whether it is the program itself, no library. */
bool is_program_module(const char *module);

/* A function of the system as programs call it: "pthread_mutex_lock" where it is ___pthread_mutex_lock or
 * __GI___pthread_mutex_lock, "sem_wait" where it is __new_sem_wait@@GLIBC_2.34, without what compilers append
 * (".part.0"). The caller frees it. */
char *system_function_name(const char *function);

#endif
