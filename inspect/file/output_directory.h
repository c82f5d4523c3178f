/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The directory in which a file is to be written, opened once: names in it mean the same to the end.
 */
#ifndef MPILENS_INSPECT_FILE_OUTPUT_DIRECTORY_H
#define MPILENS_INSPECT_FILE_OUTPUT_DIRECTORY_H

#include "base/reason.h"

/* Opens the directory of `path`. A symbolic link on the way is followed if it belongs to root or to the caller: anybody
 * else may have planted it. *ret_name: the last part of `path`, in it. 0 and a descriptor that is open for its place
 * only, or -1 and a reason. */
int output_directory_open(const char *path, int *ret_directory, const char **ret_name, struct reason *ret_reason);

#endif
