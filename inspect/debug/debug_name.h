/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of functions as their languages write them.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_NAME_H
#define MPILENS_INSPECT_DEBUG_DEBUG_NAME_H

#include <elfutils/libdw.h>

/* By debug information, with what the function is declared in: "solve", "exchange_module::exchange",
 * "app::Exchanger<double>::exchange", "main::{lambda}". NULL: it has no name. The caller frees it. */
char *debug_function_name(Dwarf_Die *function);

#endif
