/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of files.
 */
#ifndef MPILENS_INSPECT_BASE_FILE_NAME_H
#define MPILENS_INSPECT_BASE_FILE_NAME_H

/* The last part of a path. */
const char *file_name(const char *path);

#endif
