/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place of a call that a library has made, as the user of that library knows it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LIBRARY_PLACE_H
#define MPILENS_INSPECT_ANALYSIS_LIBRARY_PLACE_H

#include "model/model.h"

/* " in H5Dwrite, called at store.c:12", of the thread's call of MPI: the outermost function of the libraries, and the
 * line of the program that has called it. NULL: the program itself calls MPI there, or its stack is not known. The
 * caller frees it. */
char *describe_library_place(const struct process *process, const struct thread *thread);

#endif
