/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening what somebody else has named: whoever did may have put anything there, and opening a FIFO or a device could
 * block, or do something.
 */
#ifndef MPILENS_INSPECT_BASE_REGULAR_FILE_H
#define MPILENS_INSPECT_BASE_REGULAR_FILE_H

#include <stdbool.h>

/* For reading. -1: it cannot be opened, as errno says, or is no regular file (errno 0). */
int regular_file_open(const char *path);

/* Whether opening it neither blocks nor does anything: it is a regular file, or cannot be opened. */
bool is_harmless_to_open(const char *path);

#endif
