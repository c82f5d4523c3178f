/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debug information that does not stand in the program or library itself.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_FILE_H
#define MPILENS_INSPECT_DEBUG_DEBUG_FILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* The find_debuginfo of Dwfl_Callbacks: by build id in the system's directory, by .gnu_debuglink beside the file, then
 * from the servers of DEBUGINFOD_URLS, which get DEBUGINFOD_MAXTIME seconds, or else 10, for all files together. The
 * module's user data is the pid_t of the process whose files are meant, or NULL. Opens regular files only, and none
 * that unpack to too much (debug_bounds.h). */
int debug_file_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, const char *file_name,
                    const char *link, GElf_Word checksum, char **ret_path);

/* Whether libdw, which unpacks files that are packed as a whole, will find nothing of that kind to do. */
bool debug_file_is_plain(int file);
/* Whether libdw may open the path: a regular file that does not unpack to too much, or nothing that can be opened. */
bool debug_file_is_harmless(const char *path);

/* Why what stands where .gnu_debuglink says is not taken: "/opt/app.debug is of another build"; NULL: nothing stands
 * there. The caller frees it. */
char *debug_file_explain_link(Dwfl_Module *module, const char *link, GElf_Word checksum);

/* The debug information of the module; NULL: there is none, or reading it would open what the module names, or take
 * more memory than honest ones do (debug_bounds.h). */
Dwarf *debug_file_of(Dwfl_Module *module, Dwarf_Addr *ret_bias);

#endif
