/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of engines, and which one to take.
 */
#include "engine/engine.h"

#include "base/base.h"
#include "launch/launch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As long as they can be open at once, connections of our own say best why a host does not answer, and cost nothing but
 * themselves. Beyond, others know better how to reach many hosts. */
static const struct engine engines[] = {
    {
        .name = "slurm",
        .programs = (const char *const[]){"srun", NULL},
        .most_input_hosts = SIZE_MAX,
        .most_hosts = SIZE_MAX,
        .reaches_this_host = true,
        .needs_slurm_job = true,
        .plan = plan_slurm,
    },
    {
        .name = "ssh",
        .programs = (const char *const[]){"ssh", NULL},
        .most_input_hosts = MOST_SSH,
        .most_hosts = MOST_SSH,
        .plan = plan_ssh,
    },
    {
        .name = "clush",
        .programs = (const char *const[]){"clush", NULL},
        .most_input_hosts = MOST_CLUSH,
        .most_hosts = SIZE_MAX,
        .plan = plan_clush,
    },
    {
        .name = "pdsh",
        .programs = (const char *const[]){"pdsh", NULL},
        .most_hosts = SIZE_MAX,
        .plan = plan_pdsh,
    },
    {
        .name = "hydra",
        .programs = (const char *const[]){"mpiexec.hydra", "mpiexec.mpich", "mpiexec", NULL},
        .most_hosts = MOST_HYDRA,
        .plan = plan_hydra,
    },
};
enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

const struct engine engine_of_words = {
    .name = "command",
    .programs = (const char *const[]){NULL},
    .most_hosts = SIZE_MAX,
    .reaches_this_host = true,
    .plan = plan_words,
};

const struct engine *engine_by_name(const char *name)
{
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        if (strcmp(engines[i].name, name) == 0)
            return &engines[i];
    return NULL;
}

const char *engine_names(void)
{
    const char *names = engines[0].name;
    for (size_t i = 1; i < ENGINE_COUNT; i++)
        names = arena_text("%s, %s", names, engines[i].name);
    return names;
}

/* The caller frees it; NULL: none is there. */
static char *find_any(const char *const *programs)
{
    char *program = NULL;
    bool exists;
    for (; program == NULL && *programs != NULL; programs++)
        program = search_program(*programs, &exists);
    return program;
}

const struct engine *engine_choose(const char *slurm_job, int slurm_components, size_t host_count,
                                   struct reason *ret_reason)
{
    const struct engine *chosen = NULL;
    const bool is_of_slurm = slurm_job != NULL && slurm_components == 0;
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        const struct engine *engine = &engines[i];
        const bool suits = host_count <= engine->most_hosts;
        if ((engine->needs_slurm_job && !is_of_slurm) || (chosen != NULL && !suits))
            continue;
        char *program = find_any(engine->programs);
        if (program != NULL)
            chosen = engine;
        const bool is_best = program != NULL && suits;
        free(program);
        if (is_best)
            return chosen;
    }
    if (chosen == NULL)
        reason_set(ret_reason,
                   "no engine is installed that reaches other hosts (%s): name one of yours with "
                   "--engine 'COMMAND %%h'",
                   is_of_slurm ? "srun, ssh, clush, pdsh, mpiexec" : "ssh, clush, pdsh, mpiexec");
    return chosen;
}

/* All hosts but this one. */
static struct host_list list_others(const struct engine_task *task)
{
    struct host_list others = {.count = 0};
    for (size_t i = 0; i < task->hosts->count; i++)
        if (strcmp(task->hosts->names[i], task->own_host) != 0)
            host_list_add(&others, task->hosts->names[i]);
    return others;
}

static int plan_with(const struct engine *engine, const struct engine_task *task, struct engine_plan *plan,
                     struct reason *ret_reason)
{
    if (task->hosts->count == 0)
        return 0;
    char *program = find_any(engine->programs);
    if (program == NULL && engine->programs[0] != NULL)
        return reason_set(ret_reason, "the engine %s needs the program %s, which is not in PATH", engine->name,
                          engine->programs[0]);
    const int result = engine->plan(program, task, plan, ret_reason);
    free(program);
    return result;
}

int engine_plan_make(const struct engine *engine, const struct engine_task *task, struct engine_plan *ret_plan,
                     struct reason *ret_reason)
{
    struct engine_plan plan = {.most_at_once = MOST_SSH + 1};
    struct engine_task there = *task;
    struct host_list others = {.count = 0};
    if (task->own_host != NULL && !engine->reaches_this_host) {
        struct engine_words words = {.count = 0};
        engine_words_add_command(&words, task->command);
        engine_plan_add(&plan, &words, task->own_host);
        others = list_others(task);
        there.hosts = &others;
    }
    if (plan_with(engine, &there, &plan, ret_reason) != 0)
        return -1;
    if (plan.environment == NULL)
        plan.environment = engine_environment(NULL, 0);
    *ret_plan = plan;
    return 0;
}
