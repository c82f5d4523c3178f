/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of symbols as their languages write them.
 */
#ifndef MPILENS_INSPECT_DEBUG_SYMBOL_NAME_H
#define MPILENS_INSPECT_DEBUG_SYMBOL_NAME_H

#include <stddef.h>

/* By a symbol: "exchange_module::exchange" of __exchange_module_MOD_exchange, "app::exchange" of
 * _ZN3app8exchangeEi. The symbol itself where that is no name of C++ or Fortran. The caller frees it. */
char *plain_symbol_name(const char *symbol);
/* Of a type of C++ by the name that its type_info has: "std::runtime_error" of St13runtime_error. The name itself where
 * it is none of C++. The caller frees it. */
char *type_symbol_name(const char *symbol);

#endif
