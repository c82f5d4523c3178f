/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Knows the launchers.
 */
#include "discover/discover.h"

#include <stddef.h>
#include <string.h>

bool is_host_daemon(const char *name)
{
    static const char *const names[] = {"hydra_pmi_proxy", "pmi_proxy", "orted", "prted", "slurmstepd", "palsd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool is_launcher(const char *name)
{
    static const char *const beginnings[] = {"mpiexec", "mpirun", "hydra_", "orte", "prte", "prun"};
    static const char *const names[] = {"srun", "jsrun", "aprun", "flux-shell"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return is_host_daemon(name);
}
