/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the parts of mpilens are, relative to this command: in the tree in which they were installed, wherever that was
 * moved to, or in the build tree.
 */
#ifndef MPILENS_INSPECT_BASE_INSTALLATION_H
#define MPILENS_INSPECT_BASE_INSTALLATION_H

#include "base/reason.h"

/* Absolute path of a library; `build_directory` is its directory in the build tree. NULL and a reason when it is in
 * neither. The caller frees it. */
char *installation_find(const char *library, const char *build_directory, struct reason *ret_reason);

#endif
