/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file system for SQLite in which a name stands for an open file. SQLite's own one would ask what /proc/self/fd/N
 * leads to, and open that by name.
 */
#include "snapshot/snapshot_internal.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char storage_name[] = "mpilens";
static const char descriptors[] = "/proc/self/fd/";

static int keep_name(sqlite3_vfs *storage, const char *name, int room, char *ret_name)
{
    (void)storage;
    return snprintf(ret_name, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* SQLite follows no link, as which each descriptor looks. */
static int open_file(const char *name, int flags, int mode)
{
    if (strncmp(name, descriptors, strlen(descriptors)) == 0)
        flags &= ~O_NOFOLLOW;
    return open(name, flags, mode);
}

static int prepare(void)
{
    static sqlite3_vfs storage;
    if (sqlite3_vfs_find(storage_name) != NULL)
        return SQLITE_OK;
    sqlite3_vfs *usual = sqlite3_vfs_find("unix-none"); /* without locks: the file is private, or only read */
    if (usual == NULL || usual->iVersion < 3 ||
        usual->xSetSystemCall(usual, "open", (sqlite3_syscall_ptr)open_file) != SQLITE_OK)
        return SQLITE_CANTOPEN;
    storage = *usual;
    storage.pNext = NULL;
    storage.zName = storage_name;
    storage.xFullPathname = keep_name;
    return sqlite3_vfs_register(&storage, 0);
}

int database_storage_open(int descriptor, int flags, sqlite3 **ret_database)
{
    char name[sizeof descriptors + 16];
    const int code = prepare();
    if (code != SQLITE_OK)
        return code;
    snprintf(name, sizeof name, "%s%d", descriptors, descriptor);
    return sqlite3_open_v2(name, ret_database, flags | SQLITE_OPEN_NOMUTEX, storage_name);
}
