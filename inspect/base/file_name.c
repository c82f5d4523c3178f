/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes file names apart.
 */
#include "base/base.h"

#include <string.h>

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
