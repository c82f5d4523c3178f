/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cleans the environment for engines.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Besides Slurm's: srun and sbatch also take nearly every option from the environment. The variables that Slurm itself
 * needs stay. */
static const char *const left_behind[] = {"PMI_",
                                          "PMI2_",
                                          "PMIX_",
                                          "OMPI_",
                                          "OPAL_",
                                          "ORTE_",
                                          "PRTE_",
                                          "HYDI_",
                                          "MPI_LOCAL",
                                          "MPILENS_",
                                          "LD_PRELOAD=",
                                          "SLURM_",
                                          "SRUN_",
                                          "SLURMD_",
                                          "SBATCH_",
                                          "SALLOC_",
                                          "_SLURM_SPANK_OPTION_mpilens_",
                                          "PYTHONUNBUFFERED="};
static const char *const kept[] = {"SLURM_CONF=", "SLURM_CONF_SERVER=", "SLURM_JWT=", "SLURM_CLUSTERS="};

static bool begins_with_any(const char *variable, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(variable, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static bool is_replaced(const char *variable, const char *const *more, size_t more_count)
{
    const size_t name_bytes = strcspn(variable, "=");
    for (size_t i = 0; i < more_count; i++)
        if (strncmp(variable, more[i], name_bytes) == 0 && more[i][name_bytes] == '=')
            return true;
    return false;
}

char **engine_environment(const char *const *more, size_t more_count)
{
    char **variables = NULL;
    size_t count = 0;
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        if (begins_with_any(*variable, left_behind, sizeof left_behind / sizeof *left_behind) &&
            !begins_with_any(*variable, kept, sizeof kept / sizeof *kept))
            continue;
        if (is_replaced(*variable, more, more_count))
            continue;
        variables = arena_append(variables, &count, sizeof *variables);
        variables[count - 1] = (char *)arena_copy(*variable);
    }
    for (size_t i = 0; i < more_count; i++) {
        variables = arena_append(variables, &count, sizeof *variables);
        variables[count - 1] = (char *)arena_copy(more[i]);
    }
    return arena_append(variables, &count, sizeof *variables);
}
