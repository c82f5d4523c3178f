/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that the runtime is linked into (libmpilens-<mpi>.a) instead of being preloaded.
 */
#ifndef MPILENS_INSPECT_BASE_LINKED_RUNTIME_H
#define MPILENS_INSPECT_BASE_LINKED_RUNTIME_H

#include <stdbool.h>

/* Whether the ELF file has the section of the runtime's root, which stripping leaves in it. False also where it cannot
 * be read. */
bool has_linked_runtime(const char *path);

#endif
