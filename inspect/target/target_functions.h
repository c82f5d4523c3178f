/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands at an address: functions and source lines.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_FUNCTIONS_H
#define MPILENS_INSPECT_TARGET_TARGET_FUNCTIONS_H

#include "target/target.h"

/* Of functions that the compiler has inlined the innermost. */
bool target_find_source(struct target *target, uint64_t address, struct target_place *ret_place);
/* The same for all functions that the code at the address is of: those that the compiler has inlined, innermost first,
 * then the one that they were inlined into. Each stands at the line that is current in it: the innermost at that of the
 * code, the others where the one before was inlined. Returns how many, `most` at most; 0: in no module. */
size_t target_find_functions(struct target *target, uint64_t address, struct target_place *ret_places, size_t most);
/* Only the function that has code of its own, by its symbol, which is found sooner than the line. NULL: not known. */
const char *target_find_function(struct target *target, uint64_t address);

#endif
