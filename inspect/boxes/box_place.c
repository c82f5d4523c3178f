/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds and prepares the directories of black boxes, and says what is wrong with one before any rank has started.
 */
#include "boxes/boxes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
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

static bool is_in_memory(const char *directory)
{
    struct statfs system;
    return statfs(directory, &system) == 0 &&
           ((uint32_t)system.f_type == TMPFS_MAGIC || (uint32_t)system.f_type == RAMFS_MAGIC);
}

static bool is_own(const char *directory)
{
    struct stat information;
    return lstat(directory, &information) == 0 && S_ISDIR(information.st_mode) && information.st_uid == geteuid() &&
           (information.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

#define SHARED_MEMORY "/dev/shm"
#define BELOW_SHARED  "mpilens-"
#define BELOW_RUNTIME "mpilens"

static char *place_of_user(unsigned long user)
{
    return format_text("%s/%s%lu", SHARED_MEMORY, BELOW_SHARED, user);
}

char *box_place_default(void)
{
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    if (runtime != NULL && runtime[0] == '/' && is_own(runtime) && is_in_memory(runtime))
        return format_text("%s/%s", runtime, BELOW_RUNTIME);
    return is_in_memory(SHARED_MEMORY) ? place_of_user(geteuid()) : NULL;
}

void box_place_use_default(bool keeps_order, struct reason *ret_reason)
{
    const char *named = getenv("MPILENS_KEEP");
    char *usual = named == NULL || named[0] == '\0' ? box_place_default() : NULL;
    char *path = usual != NULL ? box_place_prepare(usual, ret_reason) : NULL;
    if (path != NULL)
        setenv("MPILENS_KEEP", path, 1);
    if (path != NULL && keeps_order)
        box_bounds_keep_default(path);
    if (path != NULL || usual == NULL) {
        ret_reason->text[0] = '\0';
    } else {
        const struct reason reason = *ret_reason;
        reason_set(ret_reason, "%s: %s", usual, reason.text);
    }
    free(path);
    free(usual);
}

/* Only directories that nobody else can write into. */
static void add_own(struct boxes *boxes, const char *directory)
{
    struct reason reason;
    if (is_own(directory))
        boxes_add(boxes, directory, &reason);
}

static void add_of_runtime(struct boxes *boxes, const char *runtime)
{
    char *directory = format_text("%s/%s", runtime, BELOW_RUNTIME);
    add_own(boxes, directory);
    free(directory);
}

/* In each entry whose name begins so. */
static void add_of_users(struct boxes *boxes, const char *parent, const char *beginning, const char *below)
{
    DIR *stream = opendir(parent);
    const struct dirent *entry;
    for (size_t i = 0; stream != NULL && i < MOST_BOX_ENTRIES && (entry = readdir(stream)) != NULL; i++) {
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, beginning, strlen(beginning)) != 0)
            continue;
        char *directory = format_text("%s/%s%s%s", parent, entry->d_name, below[0] != '\0' ? "/" : "", below);
        struct stat information;
        struct reason reason;
        if (lstat(directory, &information) == 0 && S_ISDIR(information.st_mode))
            boxes_add(boxes, directory, &reason);
        free(directory);
    }
    if (stream != NULL)
        closedir(stream);
}

void box_places_read(struct boxes *boxes, bool all)
{
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    const char *named = secure_getenv("MPILENS_KEEP");
    char *usual = format_text("/run/user/%lu", (unsigned long)geteuid());
    if (named != NULL && named[0] == '/')
        add_own(boxes, named);
    if (all) {
        add_of_users(boxes, SHARED_MEMORY, BELOW_SHARED, "");
        add_of_users(boxes, "/run/user", "", BELOW_RUNTIME);
    } else {
        char *shared = place_of_user(geteuid());
        add_own(boxes, shared);
        free(shared);
        add_of_runtime(boxes, usual);
    }
    if (runtime != NULL && runtime[0] == '/' && strcmp(runtime, usual) != 0)
        add_of_runtime(boxes, runtime);
    free(usual);
}
