/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place of a call that a library has made, as the user of that library knows it.
 */
#ifndef MPILENS_INSPECT_MODEL_LIBRARY_SITE_H
#define MPILENS_INSPECT_MODEL_LIBRARY_SITE_H

#include "model/model.h"

/* Of the thread's call of MPI: the line of the program, and as `called` the outermost function of the libraries, which
 * that line has called. NULL: the program itself calls MPI there, or its stack is not known. */
const struct site *find_library_site(struct site_cache *cache, const struct process *process,
                                     const struct thread *thread);

#endif
