/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose code a call comes from. A call inside another one is the library's own or one of the user's callbacks: the
 * object that the return address lies in tells them apart, without a lock where that object has been seen before.
 */
#ifndef MPILENS_RUNTIME_LOADER_CALLER_H
#define MPILENS_RUNTIME_LOADER_CALLER_H

#include <stdint.h>

enum caller_class {
    CALLER_APPLICATION, /* whatever is none of the others: the program, its libraries, code made at run time */
    CALLER_MPI_LIBRARY,
    CALLER_FORTRAN_BINDING, /* calls on behalf of the application */
    CALLER_TOOL,            /* another tool, which our wrappers call instead of the MPI library */
};

/* Of the code at `caller`. Any thread. */
enum caller_class caller_classify(const void *caller);

/* Of the loaded object with this path (NULL: none), as its name says. */
enum caller_class caller_class_of_path(const char *path);

/* The object that has `address` is of this class whatever its name: where the MPI functions lie (in a program that is
 * linked statically that is the program itself: then every call inside another one counts as the library's), and where
 * another tool lies. Nothing happens where no object has it, or too many were declared. */
void caller_declare(const void *address, enum caller_class caller_class);

/* Where the loaded object that has `address` begins; 0: in none. */
uintptr_t caller_object(const void *address);

#endif
