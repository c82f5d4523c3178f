/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens regular files only.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(int file)
{
    struct stat information;
    return fstat(file, &information) == 0 && S_ISREG(information.st_mode);
}

/* Checks the kind of the file before opening it: opening a device may have effects, even without waiting. */
int regular_file_open(const char *path)
{
    char link[64];
    const int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", place);
    const bool may_open = is_regular(place);
    const int file = may_open ? open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    const int error = may_open ? errno : 0;
    close(place);
    errno = error;
    return file;
}

bool is_harmless_to_open(const char *path)
{
    const int place = open(path, O_PATH | O_CLOEXEC);
    const bool is_harmless = place < 0 ? errno != EMFILE && errno != ENFILE : is_regular(place);
    if (place >= 0)
        close(place);
    return is_harmless;
}
