/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debug information from the servers that the user has named in DEBUGINFOD_URLS.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_SERVER_H
#define MPILENS_INSPECT_DEBUG_DEBUG_SERVER_H

#include <elfutils/libdwfl.h>

/* Takes the servers out of the environment, where libdwfl would find them whenever a file is missing, and wait for them
 * without a limit. Before any file is looked for. */
void debug_server_take(void);

/* As find_debuginfo of Dwfl_Callbacks. -1 also when the time for all files is over. */
int debug_server_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **ret_path);

#endif
