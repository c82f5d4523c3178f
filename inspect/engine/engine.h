/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Engines: programs of others that run one command once on each of several hosts and bring back what it writes.
 * doc/hosts.md has the table for people.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_H
#define MPILENS_INSPECT_ENGINE_ENGINE_H

#include "base/reason.h"
#include "engine/engine_run.h"
#include "engine/host_list.h"

#include <stdbool.h>
#include <stddef.h>

/* What is to be run where. */
struct engine_task {
    const struct host_list *hosts;
    const char *own_host;       /* this host, if it is one of them; else NULL */
    const char *slurm_job;      /* whose hosts these are; NULL: it is no job of Slurm */
    int slurm_components;       /* of a heterogeneous one; 0: it is none */
    const char *const *command; /* its words; ends with NULL */
    const char *custom;         /* the words of engine_of_words */
    double timeout_s;
};

struct engine_plan {
    struct engine_command *commands;
    size_t count;
    size_t most_at_once;
    char **environment; /* as of engine_environment() */
};

struct engine {
    const char *name;
    const char *const *programs; /* one of which it needs; ends with NULL. None: any */
    size_t most_input_hosts;     /* of so many hosts, all get the standard input at once */
    size_t most_hosts;           /* it is not chosen for more, unless there is no other */
    bool reaches_this_host;      /* as any other; false: what runs here is started directly */
    bool needs_slurm_job;
    /* Adds to a plan that has its defaults. `program` is the one that was found. 0, or -1 and a reason. */
    int (*plan)(const char *program, const struct engine_task *task, struct engine_plan *plan,
                struct reason *ret_reason);
};

/* By its name. NULL: there is none. */
const struct engine *engine_by_name(const char *name);
/* The names of all: "slurm, ssh, ...". The caller frees it. */
char *engine_names(void);
/* The engine of a user's words, such as "clush -w %h": %h stands for the hosts, "n1,n2", %f for the same as "n[1-2]",
 * %n for their number, %% for %. The words of the command follow. */
extern const struct engine engine_of_words;

/* The first that is installed and suits; `slurm_job` and its components as in the task. NULL and a reason: there is
 * none. */
const struct engine *engine_choose(const char *slurm_job, int slurm_components, size_t host_count,
                                   struct reason *ret_reason);

/* 0 and a plan to be cleared, or -1 and a reason. */
int engine_plan_make(const struct engine *engine, const struct engine_task *task, struct engine_plan *ret_plan,
                     struct reason *ret_reason);
void engine_plan_clear(struct engine_plan *plan);

#endif
