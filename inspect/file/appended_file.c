/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens files of others to add to them.
 */
#include "file/file.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int appended_file_open(const char *path, int *ret_descriptor, struct reason *ret_reason)
{
    enum { MODE = 0666 };
    struct stat status;
    const char *name;
    int directory;
    if (output_directory_open(path, &directory, &name, ret_reason) != 0)
        return -1;
    const int file =
        openat(directory, name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, MODE);
    const int error = errno;
    close(directory);
    if (file < 0)
        return error == ELOOP ? reason_set(ret_reason, "%s is a symbolic link, and is not followed", path)
                              : reason_set(ret_reason, "%s: cannot be written: %s", path, strerror(error));
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1) {
        *ret_descriptor = file;
        return 0;
    }
    close(file);
    return reason_set(ret_reason, "%s is no regular file with one name, and is left alone", path);
}
