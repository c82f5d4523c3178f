/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which frames are the system's, and what its functions are called.
 */
#ifndef MPILENS_INSPECT_DEBUG_SYSTEM_MODULE_H
#define MPILENS_INSPECT_DEBUG_SYSTEM_MODULE_H

#include <stdbool.h>

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
