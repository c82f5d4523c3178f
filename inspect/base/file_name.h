/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of files.
 */
#ifndef INSPECT_BASE_FILE_NAME_H
#define INSPECT_BASE_FILE_NAME_H

/* The last part of a path. */
const char *file_name(const char *path);

#endif
