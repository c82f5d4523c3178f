/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loader's own index of loaded objects: what it says is always so, and it is asked without a lock. Some libraries
 * have none (glibc before 2.35).
 */
#ifndef MPILENS_RUNTIME_LOADER_LOADER_INDEX_H
#define MPILENS_RUNTIME_LOADER_LOADER_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* Before the others; one thread at a time. */
void loader_index_find(void);

bool loader_index_exists(void);

/* Path of the object that has the address (the loader's, as long as the object stays), and where it begins. NULL: in
 * none. Only where there is an index. */
const char *loader_index_name(uintptr_t address, uintptr_t *ret_start);

#endif
