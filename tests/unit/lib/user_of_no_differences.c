/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Part of every test program, so that it needs the library and the loader gives it to Criterion.
 */
#include "no_differences.h"

__attribute__((used)) int (*const user_of_no_differences)(void) = git_libgit2_init;
