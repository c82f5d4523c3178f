/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens show: prints the current calls, message queues and collective calls of every rank.
 */
#include "analysis/analysis.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"
#include "words/words.h"

#include <stdio.h>

static const char description[] =
    "Show what each rank of a job is doing: its current MPI calls, pending sends and receives, unexpected messages, "
    "other requests, collective calls and objects.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or a "
    "core file, or a snapshot. Several PIDs or core files name single ranks of one job; several snapshots, such as one "
    "of each host, are parts of one job. Without TARGET, the only job of this user on this host is meant.\n\n"
    "Peers are ranks in the communicator, followed by the rank in MPI_COMM_WORLD where it differs. Unexpected "
    "messages are inferred: they are what the senders have sent and the receiver has not received. They are known "
    "only if the sender was read too.\n\n"
    "Exit status: 0 the job was read, 2 wrong usage, 3 some rank could not be read, or only its call stacks.\n\n"
    "Examples:\n"
    "  mpilens show\n"
    "  mpilens show 4711 --rank 0,4-7\n"
    "  mpilens show 4711 --stack\n"
    "  mpilens show --json core.4711 core.4712";

/* Whether every rank that is there was read; says which of those that the user has named were not. */
static enum exit_status check_complete(const struct job *job)
{
    enum exit_status status = job->absent.count == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->is_named && process->reason != NULL && !process_was_seen(process))
            print_line(stderr, "mpilens: %s", process->reason);
        if (process->state == PROCESS_UNREADABLE || (process->is_named && process->reason != NULL))
            status = EXIT_UNREADABLE;
    }
    return status;
}

static enum exit_status show(const struct options *options, const struct job *job)
{
    if (options->form != FORM_JSON)
        say_crashes(stdout, job);
    const int result = options->form == FORM_JSON ? render_show_json(stdout, job, &options->render)
                                                  : render_show_text(stdout, job, &options->render);
    if (result != 0) {
        perror("mpilens: standard output");
        return EXIT_UNREADABLE;
    }
    return check_complete(job);
}

enum exit_status verb_show(int argument_count, char **arguments)
{
    static const struct job_verb verb = {
        .description = description,
        .more = more,
        .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_LISTS | OPTIONS_OBJECTS | OPTIONS_STACK_TREE | OPTIONS_DLL,
        .stacks_suffice = true,
        .on_job = show,
    };
    return job_verb_run(&verb, argument_count, arguments);
}
