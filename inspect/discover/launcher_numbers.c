/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the variables of launchers.
 */
#include "discover/discover.h"

#include "base/base.h"
#include "model/model.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

static int read_number(const char *environment, size_t bytes, const char *const names[])
{
    for (size_t i = 0; names[i] != NULL; i++) {
        const char *value = find_variable(environment, bytes, names[i]);
        if (value != NULL && isdigit((unsigned char)value[0])) {
            const long number = strtol(value, NULL, 10);
            return number <= INT_MAX ? (int)number : -1;
        }
    }
    return -1;
}

struct launcher_numbers launcher_numbers_of(const char *environment, size_t bytes, bool has_mpi)
{
    static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", NULL};
    static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};
    /* The script of a batch job is number 0 of its nodes: only steps say how many tasks they have. */
    static const char *const slurm_ranks[] = {"SLURM_PROCID", NULL}, *const slurm_sizes[] = {"SLURM_STEP_NUM_TASKS",
                                                                                             NULL};
    struct launcher_numbers numbers = {.rank = read_number(environment, bytes, ranks),
                                       .size = read_number(environment, bytes, sizes)};
    const int tasks = has_mpi && numbers.rank < 0 ? read_number(environment, bytes, slurm_sizes) : -1;
    if (tasks > 1)
        numbers = (struct launcher_numbers){.rank = read_number(environment, bytes, slurm_ranks), .size = tasks};
    if (numbers.size > MOST_RANKS)
        numbers.size = -1;
    return numbers;
}
