/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens leaks: lists the objects that the ranks have made and not freed.
 */
#include "analysis/analysis.h"
#include "render/machine/machine.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>

static const char description[] =
    "List the objects that the ranks of a job have made and not freed yet (requests, communicators, datatypes, "
    "windows, files, groups, infos, ...), grouped by the place in the source that made them.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or a "
    "core file, or a snapshot. Several PIDs or core files name single ranks of one job. Without TARGET, the only job "
    "of this user on this host is meant. To list what is left when ranks end, start them with 'mpilens run --leaks', "
    "or with MPILENS_LEAKS=1 in the environment.\n\n"
    "Live objects are normal while a job runs. They are a finding in a rank that is in or after MPI_Finalize, and in "
    "a rank that has more than --limit objects made at one place. Released requests are those passed to "
    "MPI_Request_free that are not known to be complete; a rank may keep these to the end.\n\n"
    "Exit status: 0 no leak was found, 1 there is one, 2 wrong usage, 3 some rank could not be read and there is no "
    "leak in the others.\n\n"
    "Examples:\n"
    "  mpilens leaks\n"
    "  mpilens leaks 4711 --rank 0 --limit 0\n"
    "  mpilens leaks --json hang.mpilens";

static enum exit_status judge(const struct options *options, const struct job *job)
{
    struct leaks leaks = find_leaks(job, &options->render.ranks);
    struct findings findings = judge_leaks(&leaks, options->limit);
    const struct machine_verdict verdict = {.verb = "leaks",
                                            .job = job,
                                            .findings = &findings,
                                            .leaks = &leaks,
                                            .options = &options->render,
                                            .elapsed_s = -1};
    const struct machine_format *format = options->form == FORM_MACHINE
                                              ? options->format
                                              : machine_format_find(options->form == FORM_JSON ? "json" : "text");
    const int result = machine_write(stdout, format, &verdict);
    enum exit_status status = findings.count > 0 ? EXIT_FINDING : EXIT_GOOD;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        const bool is_asked_for = process->is_named || options->render.ranks.count > 0;
        if (!rank_is_chosen(&options->render.ranks, process->rank) ||
            (process->state != PROCESS_UNREADABLE && !(is_asked_for && process->reason != NULL)))
            continue;
        print_line(stderr, "mpilens: rank %d: %s", process->rank,
                   process->reason != NULL ? process->reason : "unknown");
        if (status == EXIT_GOOD)
            status = EXIT_UNREADABLE;
    }
    if (job->absent.count > 0) {
        print_line(stderr, "mpilens: ranks %s: %s", format_rank_set(&job->absent), job->absent_reason);
        status = status == EXIT_GOOD ? EXIT_UNREADABLE : status;
    }
    if (result != 0) {
        perror("mpilens: standard output");
        status = EXIT_UNREADABLE;
    }
    return status;
}

enum exit_status verb_leaks(int argument_count, char **arguments)
{
    static const struct job_verb verb = {
        .description = description,
        .more = more,
        .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_FORMAT | OPTIONS_LIMIT,
        .on_job = judge,
    };
    return job_verb_run(&verb, argument_count, arguments);
}
