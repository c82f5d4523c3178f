/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From addresses in the model to places in the source.
 */
#ifndef MPILENS_INSPECT_MODEL_RESOLVE_SITES_H
#define MPILENS_INSPECT_MODEL_RESOLVE_SITES_H

#include "model/model.h"

/* Looks up the places of all calls and of all operations that are not over. */
void job_resolve_sites(struct job *job);
/* Where libraries make the calls, and the stacks are known: those of the program's calls of the libraries instead. */
void job_resolve_library_sites(struct job *job);
/* Likewise those of operations that are over. */
void job_resolve_completed_sites(struct job *job);
void window_resolve_sites(struct window *window, struct site_cache *cache, struct target *target);

#endif
