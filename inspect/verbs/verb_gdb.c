/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens gdb: becomes gdb, attached to ranks of a job.
 */
#include "base/base.h"
#include "debug/debug.h"
#include "job/job.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "Start gdb on ranks of a job, each an inferior of its own, with the scripts of mpilens loaded and the call of MPI "
    "selected in which the first rank is.";

static const char more[] =
    "RANK is a rank in MPI_COMM_WORLD, or several, such as 0,4-7. TARGET is as in 'mpilens show': the PID of any rank "
    "or of the launcher, core files, or a directory of black boxes. Without TARGET, the only job of this user on this "
    "host is meant.\n\n"
    "gdb attaches to processes of this host and opens core files. For a rank on another host, 'mpilens gdb' is started "
    "there by ssh; with --ship, gdb without the scripts. Processes stand still while gdb is attached to them, and go "
    "on when it quits. Snapshots and black boxes have no registers: 'mpilens show' has what is in them.\n\n"
    "Exit status: that of gdb; 2 wrong usage, 3 the ranks cannot be debugged, or gdb is not installed.\n\n"
    "Examples:\n"
    "  mpilens gdb 1\n"
    "  mpilens gdb 0,1 4711\n"
    "  mpilens gdb 3 core.*";

/* The first word of the arguments are ranks. */
static enum exit_status take_ranks(struct options *options, struct reason *ret_reason)
{
    if (options->target_count == 0)
        reason_set(ret_reason, "name a rank: 'mpilens gdb 1', or 'mpilens gdb 0,1 4711' for ranks of a job");
    else if (rank_set_parse(&options->render.ranks, options->targets[0]) != 0)
        reason_set(ret_reason, "'%s' is no rank: name ranks such as 0,4-7 before the job: 'mpilens gdb 1 4711'",
                   options->targets[0]);
    else {
        options->target_count--;
        memmove(options->targets, options->targets + 1, options->target_count * sizeof *options->targets);
        return EXIT_GOOD;
    }
    return EXIT_USAGE;
}

/* Whether the job on this host is enough, so that no other host is asked. */
static bool has_all_at_hand(const struct job *job, const struct rank_set *ranks)
{
    struct reason reason;
    if (check_shown_ranks(job, ranks, &reason) != 0)
        return false;
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_is_chosen(ranks, job->processes[i].rank) && !gdb_is_at_hand(job, &job->processes[i]))
            return false;
    return true;
}

static enum exit_status read_ranks(const struct options *options, const struct dll *dll, struct job *ret_job,
                                   struct reason *ret_reason)
{
    const struct job_request request = {.targets = options->targets,
                                        .target_count = options->target_count,
                                        .may_have_ended = true,
                                        .stacks_suffice = true,
                                        .plan.depth = COLLECT_PROCESS};
    const struct host_reading reading = {.two_rounds = false};
    const bool is_far = options->slurm_job != NULL || options->hosts.list != NULL;
    enum exit_status here = EXIT_UNREADABLE, everywhere;
    struct job job;
    if (!is_far) {
        here = read_job(dll, &request, ret_job, ret_reason);
        if (here == EXIT_USAGE || (here == EXIT_GOOD && has_all_at_hand(ret_job, &options->render.ranks)))
            return here;
    }
    struct job_request far = request;
    struct reason reason = {.text = ""};
    far.stacks = true; /* without them, a rank without the runtime counts as unread */
    far.plan.depth = COLLECT_ALL;
    if (!read_hosts(dll, options, &far, &reading, &job, &everywhere, &reason))
        return is_far ? read_job(dll, &request, ret_job, ret_reason) : here;
    if (here == EXIT_GOOD)
        job_clear(ret_job);
    *ret_reason = reason;
    if (everywhere == EXIT_GOOD)
        *ret_job = job;
    return everywhere;
}

static enum exit_status print(const struct engine_words *words)
{
    struct engine_words line = {0};
    engine_words_add_for_shell(&line, (const char *const *)words->items);
    puts(line.items[0]);
    if (fflush(stdout) == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

/* Returns where it is not there. */
static enum exit_status become(const struct engine_words *words)
{
    debug_server_give_back();
    execvp(words->items[0], words->items);
    if (errno == ENOENT)
        print_line(stderr, "mpilens: %s is not installed on this host: install the package %s", words->items[0],
                   strcmp(words->items[0], "gdb") == 0 ? "gdb (12 or later)" : "openssh-client");
    else
        print_line(stderr, "mpilens: %s: %s", words->items[0], strerror(errno));
    return EXIT_UNREADABLE;
}

static enum exit_status find_command(const struct dll *dll, struct options *options, struct engine_words *ret_words,
                                     struct reason *ret_reason)
{
    struct job job;
    enum exit_status status = read_ranks(options, dll, &job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    if (check_shown_ranks(&job, &options->render.ranks, ret_reason) != 0 ||
        gdb_command_make(&job, &options->render.ranks, name_job_again(options), options->hosts.ship, ret_words,
                         ret_reason) != 0)
        status = EXIT_UNREADABLE;
    job_clear(&job);
    return status;
}

static enum exit_status debug(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct engine_words words = {0};
    enum exit_status status = find_command(dll, options, &words, ret_reason);
    if (status == EXIT_GOOD) {
        ret_reason->text[0] = '\0'; /* of ranks that are not needed */
        status = options->prints ? print(&words) : become(&words);
    }
    return status;
}

enum exit_status verb_gdb(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_HOSTS | OPTIONS_GDB,
                                         .check = take_ranks,
                                         .run = debug};
    return job_verb_run(&verb, argument_count, arguments);
}
