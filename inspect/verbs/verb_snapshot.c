/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens snapshot: saves everything that can be read of a job to a file.
 */
#include "base/base.h"
#include "job/job.h"
#include "render/json/render_json.h"
#include "snapshot/snapshot.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"
#include "words/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char description[] =
    "Save everything that can be read of a job to a file. Every verb takes this file as TARGET and answers as it "
    "would have for the job, also on another machine and without the program.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or a "
    "list of core files. Without TARGET, the only job of this user on this host is meant. Several snapshots, of the "
    "hosts of one job, are made one.\n\n"
    "Without --output, the file is named by program, host and time, such as heat-node7-20261129-145200.mpilens.\n\n"
    "The job is read twice, so that 'mpilens why' can see which ranks stood still. The second reading is saved.\n\n"
    "The file is an SQLite 3 database and can be queried with SQL: 'SELECT * FROM readable_receive'. It does not "
    "contain variables of the program or statuses.\n\n"
    "Exit status: 0 the job was saved, 2 wrong usage, 3 some rank could not be read (the others were saved), or "
    "nothing could be saved.\n\n"
    "Examples:\n"
    "  mpilens snapshot\n"
    "  mpilens snapshot -o hang.mpilens 4711\n"
    "  mpilens snapshot -o hang.mpilens n1.mpilens n2.mpilens\n"
    "  mpilens show hang.mpilens --rank 0,4-7\n"
    "  mpilens handle hang.mpilens comm 0x84000002 --rank 1";

static void read_no_more(const struct collection *collection, const struct process *process, void *context)
{
    (void)collection;
    (void)process;
    (void)context;
}

/* A rank that ran on while it was read may have left a memory that does not fit together. Says so; the rest of the
 * snapshot is as good as it can be. */
static int check_images(const struct dll *dll, const char *path, const struct job *job, struct reason *ret_reason)
{
    const struct collect_plan plan = {.depth = COLLECT_ALL, .more = read_no_more};
    struct job read;
    if (snapshot_read(dll, path, &plan, &read, ret_reason) != 0)
        return -1;
    for (size_t i = 0; i < read.process_count; i++)
        if (read.processes[i].reason != NULL && i < job->process_count && job->processes[i].reason == NULL &&
            !job->processes[i].is_saved)
            print_line(stderr,
                       "mpilens: rank %d ran on while it was read, so 'mpilens handle %s' cannot resolve its handles: "
                       "use --stop",
                       read.processes[i].rank, path);
    job_clear(&read);
    return 0;
}

static enum exit_status check_complete(const struct job *job)
{
    enum exit_status status = EXIT_GOOD;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->state != PROCESS_UNREADABLE && !(process->is_named && process->reason != NULL))
            continue;
        if (process_was_seen(process)) /* there is no more of it */
            continue;
        status = EXIT_UNREADABLE;
        print_line(stderr, "mpilens: rank %d: %s", process->rank,
                   process->reason != NULL ? process->reason : "unknown");
    }
    return status;
}

static int report(const struct options *options, const struct job *job)
{
    if (options->form == FORM_JSON)
        return render_snapshot_json(stdout, job, &options->render);
    size_t read = 0;
    for (size_t i = 0; i < job->process_count; i++)
        read += job->processes[i].reason == NULL;
    const char *seen = name_seen_ranks(job, &options->render.ranks);
    if (read == 0 && seen != NULL)
        print_line(stdout, "the call stacks of %s saved to %s; without the mpilens runtime, there is no more to save",
                   seen, options->output);
    else
        print_line(stdout, "%zu of %d ranks saved to %s%s%s", read, job->size > 0 ? job->size : (int)job->process_count,
                   options->output, seen != NULL ? ", and the call stacks of " : "", seen != NULL ? seen : "");
    return finish_output(stdout);
}

/* As part of a file name that no shell takes apart. */
static const char *plain_name(const char *name)
{
    char *plain = copy_text(name);
    for (char *at = plain; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && (at == plain || strchr("._+-", *at) == NULL))
            *at = '_';
    return arena_take(plain);
}

/* "heat-node7-20261129-145200.mpilens": the program, a host of the job, and the time at which it was saved. */
static const char *choose_name(const struct job *job)
{
    const char *program = NULL, *host = NULL;
    char own[256] = "", when[sizeof "YYYYmmdd-HHMMSS"] = "";
    const time_t now = time(NULL);
    struct tm local;
    for (size_t i = 0; i < job->process_count; i++) {
        program = program == NULL ? job->processes[i].executable : program;
        host = host == NULL ? job->processes[i].host : host;
    }
    gethostname(own, sizeof own - 1);
    if (localtime_r(&now, &local) != NULL)
        strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    return arena_text("%s-%s-%s.mpilens", plain_name(program != NULL ? file_name(program) : "job"),
                      plain_name(host != NULL ? host : own), when);
}

static enum exit_status save(const struct dll *dll, struct options *options, struct job *job, struct reason *ret_reason)
{
    if (options->output == NULL)
        options->output = choose_name(job);
    if (snapshot_write(options->output, options->mode, job, ret_reason) != 0 ||
        check_images(dll, options->output, job, ret_reason) != 0)
        return EXIT_UNREADABLE;
    job->snapshot = copy_text(options->output);
    if (report(options, job) == 0)
        return check_complete(job);
    reason_set(ret_reason, "standard output cannot be written");
    return EXIT_UNREADABLE;
}

static enum exit_status check_usage(struct options *options, struct reason *ret_reason)
{
    if (options->rank_text != NULL)
        reason_set(ret_reason, "a snapshot always has all ranks: use --rank with the verbs that read it");
    else if (options->target_count == 1 && snapshot_is(options->targets[0]))
        reason_set(ret_reason, "%s is a snapshot already", options->targets[0]);
    else
        return EXIT_GOOD;
    return EXIT_USAGE;
}

static enum exit_status read_and_save(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct job job;
    struct site_cache sites = {0};
    enum exit_status status;
    const struct job_request request = {
        .targets = options->targets,
        .target_count = options->target_count,
        .may_have_ended = true,
        .stop = options->stop,
        .stacks = options->stacks,
        .stacks_suffice = true,
        .plan = {.depth = COLLECT_ALL, .more = snapshot_ask_handles, .context = &sites, .is_recorded = true}};
    const struct host_reading reading = {.two_rounds = true, .full = true};
    const struct sample_plan plan = {
        .samples = options->samples, .interval_s = options->interval_s, .more_s = USER_WAITS_SECONDS};
    progress_line_begin();
    if (!read_hosts(dll, options, &request, &reading, &job, &status, ret_reason))
        status = sample_job(dll, &request, &plan, &job, ret_reason);
    progress_line_end();
    if (status == EXIT_GOOD) {
        say_about_job(&job);
        status = save(dll, options, &job, ret_reason);
        job_clear(&job);
    }
    site_cache_clear(&sites);
    return status;
}

enum exit_status verb_snapshot(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_SAMPLES | OPTIONS_STACKS |
                                                    OPTIONS_OUTPUT,
                                         .check = check_usage,
                                         .run = read_and_save};
    return job_verb_run(&verb, argument_count, arguments);
}
