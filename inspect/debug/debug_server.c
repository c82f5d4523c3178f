/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks debuginfod servers, through their client library, which libdwfl loads if it is there.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <elfutils/version.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char servers_variable[] = "DEBUGINFOD_URLS";
static const char time_variable[] = "DEBUGINFOD_MAXTIME"; /* of one file, in seconds */
enum { DEFAULT_SECONDS = 10 };

static char *servers; /* NULL: none */

/* Later versions of libdwfl look for the servers once, when they are first to be asked. */
static void begin_client(void)
{
#if _ELFUTILS_PREREQ(0, 188)
    static const Dwfl_Callbacks callbacks = {0};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl != NULL)
        dwfl_get_debuginfod_client(dwfl);
    dwfl_end(dwfl);
#endif
}

void debug_server_take(void)
{
    const char *named = getenv(servers_variable);
    if (servers != NULL || named == NULL || named[0] == '\0')
        return;
    begin_client();
    servers = copy_text(named);
    unsetenv(servers_variable);
}

void debug_server_give_back(void)
{
    if (servers != NULL)
        setenv(servers_variable, servers, 1);
}

int debug_server_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **ret_path)
{
    static double left_s; /* of the whole process: all ranks have the same files */
    static bool is_begun;
    if (servers == NULL)
        return -1;
    if (!is_begun) {
        const char *limit = getenv(time_variable);
        left_s = limit != NULL && atol(limit) > 0 ? (double)atol(limit) : DEFAULT_SECONDS;
        is_begun = true;
    }
    if (left_s <= 0)
        return -1;
    char text[32];
    const double begun = monotonic_s();
    snprintf(text, sizeof text, "%ld", (long)(left_s + 1));
    setenv(time_variable, text, 1);
    setenv(servers_variable, servers, 1);
    /* Without names it looks nowhere else. */
    const int file = dwfl_standard_find_debuginfo(module, user_data, name, base, NULL, NULL, 0, ret_path);
    unsetenv(servers_variable);
    left_s -= monotonic_s() - begun;
    return file;
}
