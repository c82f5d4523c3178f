/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The DLL of this build, as the command loads it, for tests and benchmarks of what asks it.
 */
#ifndef MPILENS_TESTS_LIB_OPENED_DLL_H
#define MPILENS_TESTS_LIB_OPENED_DLL_H

#include "collect/collect.h"

/* Opened at the first call, for as long as the program runs; without it the program ends. */
const struct dll *opened_dll(void);

#endif
