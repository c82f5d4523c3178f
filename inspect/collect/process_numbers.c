/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads environments.
 */
#include "collect/collect_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

/* Further variables, and the rest of longer ones, are not read. */
enum { MOST_VARIABLES = 4096, MOST_VARIABLE_BYTES = 256 };

static bool find_environment(struct target *target, uint64_t *ret_variables)
{
    uint64_t address;
    /* Programs that are loaded at fixed addresses have a copy, which is the one that is used. */
    return (target_find_program_symbol(target, "environ", &address) ||
            target_find_symbol(target, "environ", &address)) &&
           target_peek(target, address, ret_variables, sizeof *ret_variables);
}

/* Reads as much as there is, at the end of memory less. Returns whether there is any. */
static bool read_variable(struct target *target, uint64_t address, char *ret_text)
{
    for (size_t bytes = MOST_VARIABLE_BYTES; bytes >= 16; bytes /= 2) {
        if (!target_peek(target, address, ret_text, bytes))
            continue;
        ret_text[bytes - 1] = '\0';
        return true;
    }
    return false;
}

/* As /proc has it. The caller frees it. */
static char *read_environment(struct target *target, size_t *ret_bytes)
{
    uint64_t variables, address;
    char text[MOST_VARIABLE_BYTES];
    char *environment = NULL;
    FILE *stream = open_memstream(&environment, ret_bytes);
    const bool is_there = target_pointer_bytes(target) == (int)sizeof address && find_environment(target, &variables);
    for (uint64_t i = 0; stream != NULL && is_there && i < MOST_VARIABLES; i++) {
        if (!target_peek(target, variables + i * sizeof address, &address, sizeof address) || address == 0)
            break;
        if (read_variable(target, address, text))
            fwrite(text, 1, strlen(text) + 1, stream);
    }
    if (stream != NULL)
        fclose(stream);
    return environment;
}

void process_find_numbers(struct process *process)
{
    size_t bytes = 0;
    if (process->rank >= 0 || process->target == NULL)
        return;
    char *environment = read_environment(process->target, &bytes);
    if (environment != NULL) {
        const struct launcher_numbers numbers = launcher_numbers_of(environment, bytes, true);
        process->rank = numbers.rank;
        process->size = process->size < 0 ? numbers.size : process->size;
    }
    free(environment);
}

void process_find_job(struct job *job, struct process *process)
{
    char *identity = process->core == NULL && process->pid > 0 ? launcher_identity_of("/proc", process->pid) : NULL;
    if (identity != NULL)
        process->job_identity = text_pool_add(&job->names, identity);
    free(identity);
}
