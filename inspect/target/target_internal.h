/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of target/ only.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_INTERNAL_H
#define MPILENS_INSPECT_TARGET_TARGET_INTERNAL_H

#include "target/target.h"

#include <elfutils/libdwfl.h>

/* -- debug_sharing.c --
 * Debug information that targets share. Ranks of a job have mapped the same files: through the first of them that has
 * opened the debug information of one the others look it up, too, as long as that target is open. Bounded; targets of
 * different threads share nothing, as libdwfl does not stand several threads.
 */

/* A module with the code at `address` of the target, of the target itself or of another one, and what the address is in
 * that one; NULL: in no module. Valid until one of both targets is closed. */
Dwfl_Module *debug_sharing_find(struct target *target, uint64_t address, uint64_t *ret_there);
/* Others may use the debug information of the module with that code, which was opened, unless `module` is of another
 * target. */
void debug_sharing_offer(struct target *target, uint64_t address, const Dwfl_Module *module);
/* Before the modules of the target go. */
void debug_sharing_end(const struct target *target);

/* -- known_symbols.c --
 * Where symbols are in files that were searched before, for the next process that has mapped the same file: ranks of a
 * job are searched once, not each for itself. Bounded; may be used by several threads.
 */

/* Stands for a symbol that the file does not have. */
static const uint64_t symbol_is_absent = UINT64_MAX;

/* False: the file was not searched for that symbol. *ret_offset: from the start of the module, or symbol_is_absent. */
bool known_symbol_find(const struct mapped_file *file, const char *path, const char *symbol, uint64_t *ret_offset);
void known_symbol_add(const struct mapped_file *file, const char *path, const char *symbol, uint64_t offset);

/* -- loaded_symbols.c --
 * Dynamic symbols of a loaded object out of its memory: for objects whose file has been replaced since.
 */

/* Address of a symbol that the object loaded at `base` defines. False: there is none, or the memory makes no sense.
 * 64-bit objects of this byte order only. */
bool find_loaded_symbol(struct target *target, uint64_t base, const char *name, uint64_t *ret_address);

/* -- target_functions.c -- Functions and source lines at an address.
 */

/* Names the innermost of functions that the compiler has inlined. */
bool target_find_source(struct target *target, uint64_t address, struct target_place *ret_place);
/* As target_find_source, for all functions that have the code at the address: inlined ones, innermost first, then the
 * function that they were inlined into. The innermost has the line of the code, the others the line where the one
 * before was inlined. Returns their number, `most` at most; 0: in no module. */
size_t target_find_functions(struct target *target, uint64_t address, struct target_place *ret_places, size_t most);
/* Only the function that has code of its own, by its symbol, which is found sooner than the line. NULL: not known. */
const char *target_find_function(struct target *target, uint64_t address);

#endif
