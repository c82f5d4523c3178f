/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command lines of engines.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slurm 20.11 began to give each step what it has asked for alone, unless it is told to share. Before, it did not know
 * the word. */
static bool must_say_overlap(const char *srun)
{
    char *const command[] = {(char *)srun, "--version", NULL};
    static const double patience_s = 3;
    char *text = engine_ask(command, patience_s);
    int major = 0, minor = 0;
    const char *digits = text != NULL ? strpbrk(text, "0123456789") : NULL;
    const bool is_known = digits != NULL && sscanf(digits, "%d.%d", &major, &minor) == 2;
    free(text);
    return !is_known || major > 20 || (major == 20 && minor >= 11);
}

/* A step of its own on the processors and in the memory of the others. Nothing that fails on one host may end the
 * others, and when the first is done, the others have all the time that there is. */
int plan_slurm(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    struct engine_words words = {.count = 0};
    if (task->slurm_job == NULL)
        return reason_set(ret_reason, "the engine slurm needs a job of Slurm: name it with --slurm JOBID");
    if (task->slurm_components > 0)
        return reason_set(ret_reason,
                          "job %s is heterogeneous: one srun reaches a component of it only: name another engine with "
                          "--engine, such as ssh",
                          task->slurm_job);
    const char *hosts = host_list_fold(task->hosts);
    engine_words_add(&words, "%s", program);
    if (must_say_overlap(program))
        engine_words_add(&words, "--overlap");
    engine_words_add(&words, "--jobid=%s", task->slurm_job);
    engine_words_add(&words, "--nodelist=%s", hosts);
    engine_words_add(&words, "--nodes=%zu", task->hosts->count);
    engine_words_add(&words, "--ntasks=%zu", task->hosts->count);
    static const char *const options[] = {"--ntasks-per-node=1",  "--mpi=none", "--mem-per-cpu=0",     "--gres=none",
                                          "--kill-on-bad-exit=0", "--quiet",    "--quit-on-interrupt", NULL};
    engine_words_add_command(&words, options);
    engine_words_add(&words, "--wait=%d", (int)task->timeout_s + 1);
    engine_words_add_command(&words, task->command);
    engine_plan_add(plan, &words, NULL);
    return 0;
}

int plan_ssh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    static const char *const options[] = {"-T", "-a", "-x", SSH_OPTIONS, NULL};
    (void)ret_reason;
    for (size_t i = 0; i < task->hosts->count; i++) {
        struct engine_words words = {.count = 0};
        engine_words_add(&words, "%s", program);
        engine_words_add_command(&words, options);
        engine_words_add(&words, "%s", task->hosts->names[i]);
        engine_words_add_for_shell(&words, task->command);
        engine_plan_add(plan, &words, task->hosts->names[i]);
    }
    return 0;
}

static const char *join_ssh_options(void)
{
    static const char *const options[] = {SSH_OPTIONS, NULL};
    struct engine_words words = {.count = 0};
    engine_words_add_for_shell(&words, options);
    return words.items[0];
}

/* Python keeps output back until the end where it goes to a pipe. ClusterShell's gateways leave a log in /tmp. */
int plan_clush(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    static const char *const more[] = {"PYTHONUNBUFFERED=1", "CLUSTERSHELL_GW_LOG_DIR=/dev/null"};
    const size_t more_count = getenv("CLUSTERSHELL_GW_LOG_DIR") == NULL ? 2 : 1;
    struct engine_words words = {.count = 0};
    const char *hosts = host_list_fold(task->hosts);
    const char *options = join_ssh_options();
    (void)ret_reason;
    engine_words_add(&words, "%s", program);
    engine_words_add(&words, "-w");
    engine_words_add(&words, "%s", hosts);
    engine_words_add(&words, "-t%d", CONNECT_SECONDS);
    engine_words_add(&words, "-u%d", (int)task->timeout_s + 1);
    if (task->hosts->count <= MOST_CLUSH)
        engine_words_add(&words, "-f%zu", task->hosts->count);
    engine_words_add(&words, "-o%s", options);
    engine_words_add_for_shell(&words, task->command);
    engine_plan_add(plan, &words, NULL);
    plan->environment = engine_environment(more, more_count);
    return 0;
}

int plan_pdsh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    struct engine_words words = {.count = 0};
    const char *hosts = host_list_fold(task->hosts);
    const char *options = join_ssh_options();
    const char *arguments = arena_text("PDSH_SSH_ARGS_APPEND=%s", options);
    const char *more[] = {arguments};
    (void)ret_reason;
    engine_words_add(&words, "%s", program);
    engine_words_add(&words, "-Rssh");
    engine_words_add(&words, "-w%s", hosts);
    engine_words_add(&words, "-t%d", CONNECT_SECONDS);
    engine_words_add(&words, "-u%d", (int)task->timeout_s + 1);
    engine_words_add(&words, "-f%d", MOST_SSH);
    engine_words_add_for_shell(&words, task->command);
    plan->environment = engine_environment(more, 1);
    engine_plan_add(plan, &words, NULL);
    return 0;
}

/* Other MPIs also have an mpiexec. */
static bool is_hydra(const char *program)
{
    char *const command[] = {(char *)program, "--version", NULL};
    static const double patience_s = 3;
    char *text = engine_ask(command, patience_s);
    const bool result = text != NULL && (strstr(text, "HYDRA") != NULL || strstr(text, "Intel(R) MPI") != NULL);
    free(text);
    return result;
}

/* The files that Hydra opens for the output of rank 7 by the pattern /proc/self/fd/1%r: number 17 is a pipe to us. It
 * writes lines of several ranks into each other where they have one file. */
static void add_rank_outputs(struct engine_command *command, size_t ranks)
{
    command->outputs = arena_allocate(ranks * sizeof *command->outputs);
    command->output_count = ranks;
    for (size_t rank = 0; rank < ranks; rank++) {
        char number[32];
        snprintf(number, sizeof number, "1%zu", rank);
        command->outputs[rank] = (int)strtol(number, NULL, 10);
    }
}

/* Whether Hydra will start its daemons by ssh, as it does unless it is told otherwise or finds a scheduler. */
static bool hydra_takes_ssh(void)
{
    static const char *const others[] = {"HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP", "HYDRA_LAUNCHER_EXTRA_ARGS",
                                         "PBS_JOBID",      "LSB_JOBID",       "COBALT_JOBID",
                                         "PE_HOSTFILE",    "LOADL_HOSTFILE"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (getenv(others[i]) != NULL)
            return false;
    return true;
}

/* A second mpiexec reaches the hosts as the first one did. It hands standard input to the first rank only, and does not
 * end where a host is dead, but what comes from the others comes. */
int plan_hydra(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    struct engine_words words = {.count = 0};
    if (task->hosts->count > MOST_HYDRA)
        return reason_set(ret_reason, "the engine hydra reaches %d hosts at most: name another with --engine",
                          MOST_HYDRA);
    if (!is_hydra(program))
        return reason_set(ret_reason,
                          "%s is not Hydra's, which the engine hydra needs (MPICH has it): name another "
                          "engine with --engine",
                          program);
    const char *hosts = host_list_join(task->hosts);
    engine_words_add(&words, "%s", program);
    engine_words_add(&words, "-hosts");
    engine_words_add(&words, "%s", hosts);
    engine_words_add(&words, "-ppn");
    engine_words_add(&words, "1");
    engine_words_add(&words, "-disable-auto-cleanup");
    engine_words_add(&words, "-outfile-pattern");
    engine_words_add(&words, "/proc/self/fd/1%%r");
    engine_words_add(&words, "-n");
    engine_words_add(&words, "%zu", task->hosts->count);
    engine_words_add_command(&words, task->command);
    if (hydra_takes_ssh()) { /* in a session of its own each: they must end by themselves */
        const char *options = join_ssh_options();
        const char *arguments = arena_text("HYDRA_LAUNCHER_EXTRA_ARGS=%s", options);
        plan->environment = engine_environment((const char *const[]){arguments}, 1);
    }
    engine_plan_add(plan, &words, NULL);
    add_rank_outputs(&plan->commands[plan->count - 1], task->hosts->count);
    return 0;
}

/* The word with what its %-signs stand for. NULL: there is one that stands for nothing. */
static const char *fill_in(const char *word, const struct host_list *hosts)
{
    FILE *stream = arena_open();
    bool is_good = true;
    for (; is_good && *word != '\0'; word++) {
        if (*word != '%') {
            fputc(*word, stream);
            continue;
        }
        word++;
        const char *part = *word == 'h'   ? host_list_join(hosts)
                           : *word == 'f' ? host_list_fold(hosts)
                           : *word == 'n' ? arena_text("%zu", hosts->count)
                           : *word == '%' ? "%"
                                          : NULL;
        is_good = part != NULL;
        if (is_good)
            fputs(part, stream);
    }
    const char *text = arena_close(stream);
    return is_good ? text : NULL;
}

/* Whether a shell takes the words apart on the way is not known, so they must be the same either way. */
int plan_words(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason)
{
    struct engine_words given = {.count = 0}, words = {.count = 0};
    (void)program;
    for (const char *const *word = task->command; *word != NULL; word++)
        if (!is_plain_word(*word))
            return reason_set(
                ret_reason, "'%s' cannot be passed on by an engine of yours: it has blanks or signs of a shell", *word);
    if (engine_words_split(&given, task->custom) != 0)
        return reason_set(ret_reason, "'%s' is no command: a quote does not end, or there are no words", task->custom);
    for (size_t i = 0; i < given.count; i++) {
        const char *word = fill_in(given.items[i], task->hosts);
        if (word == NULL)
            return reason_set(ret_reason, "'%s' has a %% before another letter than h, f, n and %%", given.items[i]);
        engine_words_add(&words, "%s", word);
    }
    engine_words_add_command(&words, task->command);
    engine_plan_add(plan, &words, NULL);
    return 0;
}
