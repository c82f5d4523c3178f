/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SQLite databases that are known by a descriptor, and need have no name.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_DATABASE_STORAGE_H
#define MPILENS_INSPECT_SNAPSHOT_DATABASE_STORAGE_H

#include <sqlite3.h>

/* As sqlite3_open_v2() does. SQLite has a descriptor of its own; nothing but the file itself may be opened. */
int database_storage_open(int descriptor, int flags, sqlite3 **ret_database);

#endif
