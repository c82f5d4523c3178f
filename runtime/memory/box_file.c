/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, opens again, extends and removes the file of the black box.
 */
#include "memory/memory.h"

#include "mpilens/black_box.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* A signal that comes again and again, such as a profiler's, must not keep it from ever getting done. */
enum { MOST_INTERRUPTIONS = 1000 };

static char path[PATH_MAX];
static dev_t device;
static ino_t inode;

static bool is_private(int directory)
{
    struct stat information;
    if (fstat(directory, &information) != 0)
        return false;
    errno = EPERM;
    return information.st_uid == geteuid() && (information.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Names of hosts are nothing that a path can be made of as they come. */
static void write_name(char *name, size_t bytes, const char *host, long pid, uint64_t started)
{
    size_t length = 0;
    for (; host[length] != '\0' && length < bytes / 2; length++)
        name[length] = isalnum((unsigned char)host[length]) || host[length] == '-' ? host[length] : '_';
    snprintf(name + length, bytes - length, "-%ld-%llu%s", pid, (unsigned long long)started, MPILENS_BOX_SUFFIX);
}

static bool note_identity(int file)
{
    struct stat information;
    if (fstat(file, &information) != 0)
        return false;
    device = information.st_dev;
    inode = information.st_ino;
    return true;
}

static bool write_path(const char *directory, const char *name)
{
    char real[PATH_MAX];
    errno = ENAMETOOLONG;
    return realpath(directory, real) != NULL && snprintf(path, sizeof path, "%s/%s", real, name) < (int)sizeof path;
}

static int open_in(const char *directory, const struct mpilens_box_process *process, int flags)
{
    char name[128];
    write_name(name, sizeof name, process->host, (long)process->pid, process->started);
    const int place = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0)
        return -1;
    int file = -1;
    if (is_private(place) && write_path(directory, name))
        file = openat(place, name, flags | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0 && !note_identity(file)) {
        close(file);
        file = -1;
    }
    const int error = errno;
    close(place);
    errno = error;
    return file;
}

int box_file_create(const char *directory, const struct mpilens_box_process *process)
{
    return open_in(directory, process, O_CREAT | O_EXCL);
}

int box_file_find(const char *directory, const struct mpilens_box_process *process)
{
    return open_in(directory, process, 0);
}

int box_file_reopen(void)
{
    struct stat information;
    const int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return -1;
    if (fstat(file, &information) == 0 && information.st_dev == device && information.st_ino == inode)
        return file;
    close(file);
    errno = ESTALE;
    return -1;
}

/* Beyond the limit, the system does not only refuse: it sends a signal that ends the program. */
static bool is_within_limit(uint64_t end)
{
    struct rlimit limit;
    errno = EFBIG;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur;
}

/* Writes zeros, which also reserves the space. */
static bool fill(int file, uint64_t offset, uint64_t bytes)
{
    static const char zeros[4096];
    for (uint64_t done = 0; done < bytes;) {
        const size_t part = bytes - done < sizeof zeros ? (size_t)(bytes - done) : sizeof zeros;
        const ssize_t written = pwrite(file, zeros, part, (off_t)(offset + done));
        if (written < 0 && errno != EINTR)
            return false;
        done += written > 0 ? (uint64_t)written : 0;
    }
    return true;
}

/* Memory is for MPI's own shared segments first, where libraries do not expect to find none. */
static bool leaves_half(int file, uint64_t bytes)
{
    struct statfs system;
    if (fstatfs(file, &system) != 0 ||
        ((uint32_t)system.f_type != TMPFS_MAGIC && (uint32_t)system.f_type != RAMFS_MAGIC) || system.f_blocks == 0)
        return true;
    const uint64_t blocks = (bytes + (uint64_t)system.f_bsize - 1) / (uint64_t)system.f_bsize;
    errno = ENOSPC;
    return blocks <= system.f_bavail && system.f_bavail - blocks >= system.f_blocks / 2;
}

bool box_file_allocate(int file, uint64_t offset, uint64_t bytes)
{
    if (!is_within_limit(offset + bytes) || !leaves_half(file, bytes))
        return false;
    for (int i = 0; i < MOST_INTERRUPTIONS; i++) {
        if (fallocate(file, 0, (off_t)offset, (off_t)bytes) == 0)
            return true;
        if (errno != EINTR)
            break;
    }
    return (errno == EOPNOTSUPP || errno == ENOSYS) && fill(file, offset, bytes);
}

bool box_file_remove(void)
{
    struct stat information;
    return lstat(path, &information) == 0 && information.st_dev == device && information.st_ino == inode &&
           unlink(path) == 0;
}
