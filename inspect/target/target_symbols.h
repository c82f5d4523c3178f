/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symbols of a target, and the runtime that it has loaded.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_SYMBOLS_H
#define MPILENS_INSPECT_TARGET_TARGET_SYMBOLS_H

#include "target/target.h"

/* Address of a dynamic symbol; runtimes of mpilens are searched first. False: there is none. */
bool target_find_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* The same of an interpreter that the process runs, as a program or as a library; other modules are not searched. */
bool target_find_interpreter_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* Address of a symbol of the program that it exports or that is in its symbol table, unless that is stripped. */
bool target_find_program_symbol(struct target *target, const char *name, uint64_t *ret_address);

/* Path of the runtime of mpilens that is loaded; NULL: none. Valid until the target is closed. */
const char *target_find_runtime(struct target *target);

#endif
