/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dynamic symbols of a loaded object out of its memory: for objects whose file has been replaced since.
 */
#ifndef MPILENS_INSPECT_TARGET_LOADED_SYMBOLS_H
#define MPILENS_INSPECT_TARGET_LOADED_SYMBOLS_H

#include "target/target.h"

/* Address of a symbol that the object loaded at `base` defines. False: there is none, or the memory makes no sense.
 * 64-bit objects of this byte order only. */
bool find_loaded_symbol(struct target *target, uint64_t base, const char *name, uint64_t *ret_address);

#endif
