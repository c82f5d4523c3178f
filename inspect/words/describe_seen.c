/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes what stacks tell.
 */
#include "words/words.h"

#include "base/base.h"
#include "stack/stack.h"

#include <string.h>

/* A longer command line is only begun. */
enum { MOST_COMMAND_BYTES = 120 };

const char *describe_seen_thread(const struct seen_thread *thread)
{
    if (thread->function[0] != '\0')
        return arena_text("%s(%s)%s", thread->function,
                          thread->arguments != NULL && thread->arguments[0] != '\0' ? thread->arguments : "?",
                          thread->activity == ACTIVITY_STOPPED ? ", stopped" : "");
    const char *activity = describe_activity((enum process_activity)thread->activity);
    const bool has_called = thread->activity != ACTIVITY_COMPUTING && thread->called[0] != '\0';
    return arena_text("not in MPI%s%s%s%s", activity[0] != '\0' || has_called ? ": " : "",
                      activity[0] == '\0' && has_called ? "in" : activity,
                      has_called ? (activity[0] != '\0' ? " in " : " ") : "", has_called ? thread->called : "");
}

bool process_was_seen(const struct process *process)
{
    return process->lacks_tables && !process->is_before_mpi && process->seen_thread_count > 0;
}

int next_seen_thread(const struct process *process, int after)
{
    bool is_in_mpi = false;
    for (size_t i = 0; i < process->seen_thread_count; i++)
        is_in_mpi = is_in_mpi || process->seen_threads[i].function[0] != '\0';
    if (!is_in_mpi)
        return after < 0 && process->seen_thread_count > 0 ? 0 : -1;
    for (size_t i = (size_t)after + 1; i < process->seen_thread_count; i++)
        if (process->seen_threads[i].function[0] != '\0')
            return (int)i;
    return -1;
}

const char *name_seen_ranks(const struct job *job, const struct rank_set *ranks)
{
    struct ranks seen = {.count = 0};
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        if (process_was_seen(&job->processes[i]) && rank_is_chosen(ranks, job->processes[i].rank)) {
            ranks_add(&seen, job->processes[i].rank);
            count++;
        }
    ranks_finish(&seen);
    const char *name = count == 0        ? NULL
                       : seen.count == 0 ? arena_text("%zu process%s", count, count > 1 ? "es" : "")
                                         : ranks_name(&seen);
    return name;
}

/* The ranks' command: the arguments of the first one, or its program. */
static const char *name_program(const struct job *job)
{
    const char *executable = NULL;
    for (size_t i = 0; i < job->process_count && executable == NULL; i++)
        executable = job->processes[i].executable;
    const char *command = job->command != NULL ? job->command : executable != NULL ? executable : "./app";
    const bool is_long = strlen(command) > MOST_COMMAND_BYTES;
    return arena_text("%.*s%s", (int)MOST_COMMAND_BYTES, command, is_long ? " ..." : "");
}

/* With parts of several hosts, only the identity tells of the launcher. */
static bool is_of_srun(const struct job *job)
{
    static const char *const beginnings[] = {"pmi ", "pmix slurm.", "slurm "};
    if (job->launcher != NULL)
        return strncmp(job->launcher, "slurm", 5) == 0;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings && job->identity != NULL; i++)
        if (strncmp(job->identity, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

const char *describe_prepared_start(const struct job *job)
{
    const bool has_launcher = job->launcher != NULL &&
                              (strncmp(job->launcher, "mpiexec", 7) == 0 || strncmp(job->launcher, "mpirun", 6) == 0);
    const char *launcher = has_launcher ? job->launcher : is_of_srun(job) ? "srun" : "mpiexec";
    const char *program = name_program(job);
    return job->size > 0 ? arena_text("%s -n %d mpilens run %s", launcher, job->size, program)
                         : arena_text("%s ... mpilens run %s", launcher, program);
}

const char *describe_preparation(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].target != NULL && target_has_lost_box(job->processes[i].target))
            return "its tables were in black boxes, which are gone: for core files that stand alone, start it with "
                   "'mpilens run --no-keep'";
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].evades_runtime)
            return "the program has loaded MPI, or a plug-in that calls it, apart from its runtime, as "
                   "dlmopen and RTLD_DEEPBIND do: load it without these";
    const char *start = describe_prepared_start(job);
    return arena_text("next time, start it with '%s'", start);
}
