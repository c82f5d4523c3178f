/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the parts of mpilens. Meson defines LIBRARY_DIRECTORY: the directory of the libraries relative to the command's
 * directory in an installed tree.
 */
#include "base/base.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *installation_find(const char *library, const char *build_directory, struct reason *ret_reason)
{
    char command[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    if (length <= 0) {
        reason_set(ret_reason, "/proc/self/exe: %s", strerror(errno));
        return NULL;
    }
    command[length] = '\0';
    *strrchr(command, '/') = '\0';
    char *candidates[] = {format_text("%s/" LIBRARY_DIRECTORY "/%s", command, library),
                          format_text("%s/../%s/%s", command, build_directory, library)};
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (found == NULL)
            found = realpath(candidates[i], NULL);
        free(candidates[i]);
    }
    if (found == NULL)
        reason_set(ret_reason, "%s is not installed (looked in %s/" LIBRARY_DIRECTORY ")", library, command);
    return found;
}
