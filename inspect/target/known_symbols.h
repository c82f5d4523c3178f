/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where symbols are in files that were searched before, for the next process that has mapped the same file: ranks of a
 * job are searched once, not each for itself. Bounded; may be used by several threads.
 */
#ifndef MPILENS_INSPECT_TARGET_KNOWN_SYMBOLS_H
#define MPILENS_INSPECT_TARGET_KNOWN_SYMBOLS_H

#include "target/mapped_files.h"

/* Of a symbol that the file does not have. */
static const uint64_t symbol_is_absent = UINT64_MAX;

/* False: the file was not searched for that symbol. *ret_offset: from the start of the module, or symbol_is_absent. */
bool known_symbol_find(const struct mapped_file *file, const char *path, const char *symbol, uint64_t *ret_offset);
void known_symbol_add(const struct mapped_file *file, const char *path, const char *symbol, uint64_t offset);

#endif
