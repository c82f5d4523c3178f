/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Knows the launchers.
 */
#include "discover/discover.h"

#include <stddef.h>
#include <string.h>

bool is_launcher(const char *name)
{
    static const char *const beginnings[] = {"mpiexec", "mpirun", "hydra_", "orte", "prte", "prun"};
    static const char *const names[] = {"orted", "srun",  "slurmstepd", "jsrun",
                                        "aprun", "palsd", "flux-shell", "pmi_proxy"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
