/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prepares the directory of black boxes, and says what is wrong with it before any rank has started.
 */
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

static bool is_network(long magic)
{
    /* The last three, which linux/magic.h lacks: Lustre, GPFS, FUSE. */
    static const unsigned known[] = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,  SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC,
                                     AFS_SUPER_MAGIC, CEPH_SUPER_MAGIC, V9FS_MAGIC,       0x0bd00bd0u,
                                     0x47504653u,     0x65735546u};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((unsigned)magic == known[i])
            return true;
    return false;
}

/* As the runtime does (runtime/memory/box_file.c). */
static int check(int directory, struct reason *ret_reason)
{
    struct stat information;
    struct statfs system;
    if (fstat(directory, &information) != 0 || fstatfs(directory, &system) != 0)
        return reason_set(ret_reason, "no black boxes: %s", strerror(errno));
    if (information.st_uid != geteuid())
        return reason_set(ret_reason, "no black boxes: the directory belongs to another user (uid %lu)",
                          (unsigned long)information.st_uid);
    if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return reason_set(ret_reason, "no black boxes: others may write into the directory: chmod go-w");
    if (faccessat(directory, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return reason_set(ret_reason, "no black boxes: %s", strerror(errno));
    if (is_network((long)system.f_type))
        reason_set(ret_reason, "the directory is on a network file system, to which the black boxes are written while "
                               "the job runs: one of the host's own, such as /dev/shm, costs nothing");
    return 0;
}

char *box_place_prepare(const char *directory, struct reason *ret_reason)
{
    ret_reason->text[0] = '\0';
    if (mkdir(directory, S_IRWXU) != 0 && errno != EEXIST) {
        reason_set(ret_reason, "no black boxes: %s", strerror(errno));
        return NULL;
    }
    const int file = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        struct stat information;
        const bool is_link = lstat(directory, &information) == 0 && S_ISLNK(information.st_mode);
        reason_set(ret_reason, "no black boxes: %s", is_link ? "it is a symbolic link" : strerror(errno));
        return NULL;
    }
    const bool is_good = check(file, ret_reason) == 0;
    close(file);
    return is_good ? realpath(directory, NULL) : NULL;
}
