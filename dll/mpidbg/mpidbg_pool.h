/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Answers that own all that they refer to: blocks of the debugger's memory behind one object.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_POOL_H
#define MPILENS_DLL_MPIDBG_MPIDBG_POOL_H

#include "mpidbg/mpidbg_call.h"

/* A zeroed object; NULL: no memory. The functions here take it. */
void *pool_begin(size_t bytes);

/* Zeroed memory of the object, NULL where `count` is 0; NULL without memory, and then it has failed. */
void *pool_take(void *object, size_t count, size_t item_bytes);

/* A copy of the text; never NULL. */
char *pool_text(void *object, const char *text);

bool pool_has_failed(const void *object);

/* Frees all of it, with the callbacks in use. */
void pool_end(void *object);

/* The same as an entry point. */
int pool_handle_free(void *object);

#endif
