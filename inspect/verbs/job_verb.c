/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps that the verbs about one job share.
 */
#include "verbs/verbs_internal.h"

#include "collect/collect.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "job/job.h"
#include "stack/stack.h"
#include "text/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

static enum exit_status read_once(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                  struct reason *ret_reason)
{
    const enum exit_status status = read_job(dll, request, ret_job, ret_reason);
    if (status == EXIT_GOOD && request->stacks)
        job_find_places(ret_job, NULL, true);
    else if (status == EXIT_GOOD)
        job_find_seen_threads(ret_job);
    return status;
}

/* Those that snapshots have. */
static void leave_out_stacks(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        process_clear_call_stacks(&job->processes[i]);
}

const char *name_job_again(const struct options *options)
{
    struct engine_words words = {0}, line = {0};
    if (options->slurm_job != NULL)
        engine_words_add(&words, "--slurm=%s", options->slurm_job);
    if (options->hosts.list != NULL)
        engine_words_add(&words, "--hosts=%s", options->hosts.list);
    if (options->hosts.engine != NULL && options->hosts.engine != default_host_options().engine)
        engine_words_add(&words, "--engine=%s", options->hosts.engine);
    if (options->hosts.ship)
        engine_words_add(&words, "--ship");
    for (size_t i = 0; i < options->target_count; i++)
        engine_words_add(&words, "%s", options->targets[i]);
    if (words.count > 0)
        engine_words_add_for_shell(&line, (const char *const *)words.items);
    return line.count > 0 ? line.items[0] : NULL;
}

void say_about_job(const struct job *job)
{
    say_launch_problem(job);
    for (size_t i = 0; i < job->note_count; i++)
        print_line(stderr, "mpilens: %s", job->notes[i]);
}

pid_t job_verb_representative(const struct job *job)
{
    if (job->snapshot != NULL || job->part_count > 0)
        return 0;
    if (job->launcher_pid > 0)
        return job->launcher_pid;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].core == NULL && (job->processes[i].reason == NULL || job->processes[i].lacks_tables))
            return job->processes[i].pid;
    return 0;
}

void job_verb_wait_until(double end_s)
{
    const struct timespec end = {.tv_sec = (time_t)end_s, .tv_nsec = (long)((end_s - (double)(time_t)end_s) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
}

struct settling {
    const struct job_verb *verb;
    const struct options *options;
};

static bool is_settled(const struct job *job, const void *context)
{
    const struct settling *settling = context;
    return settling->verb->is_settled(settling->options, job);
}

/* The first reading, with *representative 0, fills it in. Later ones do nothing once that process has ended. */
static enum exit_status run_on_job(const struct job_verb *verb, const struct options *options, const struct dll *dll,
                                   pid_t *representative, struct reason *ret_reason)
{
    const struct job_request request = {.targets = options->targets,
                                        .target_count = options->target_count,
                                        .may_have_ended = true,
                                        .stop = options->stop,
                                        .stacks = options->stacks,
                                        .stacks_suffice = verb->stacks_suffice,
                                        .plan.depth = COLLECT_ALL};
    const bool is_sampled = (verb->options & OPTIONS_SAMPLES) != 0;
    const struct host_reading reading = {.two_rounds = is_sampled};
    const struct settling settling = {verb, options};
    const struct sample_plan plan = {
        .samples = options->samples,
        .interval_s = options->interval_s,
        .more_s = USER_WAITS_SECONDS,
        .is_settled = verb->is_settled != NULL && !options->has_interval ? is_settled : NULL,
        .context = &settling,
    };
    const double began_s = monotonic_s();
    progress_line_begin();
    if (is_sampled && options->render.again_s <= 0)
        cut_short_begin();
    struct job job;
    enum exit_status status;
    if (!read_hosts(dll, options, &request, &reading, &job, &status, ret_reason))
        status = is_sampled ? sample_job(dll, &request, &plan, &job, ret_reason)
                            : read_once(dll, &request, &job, ret_reason);
    if (status == EXIT_GOOD && (verb->options & OPTIONS_VERDICT) != 0)
        job_read_other_worlds(dll, &plan, options->verdict.patience_s, began_s, &job);
    cut_short_end();
    progress_line_end();
    if (status != EXIT_GOOD)
        return status;
    const bool has_ended = *representative != 0 && process_has_ended("/proc", *representative);
    if (*representative == 0)
        *representative = job.part_count > 0 ? job.launcher_pid : job_verb_representative(&job);
    if (has_ended) {
        job_clear(&job);
        return EXIT_GOOD;
    }
    if (!options->stacks)
        leave_out_stacks(&job);
    if (options->dll != NULL && vendor_dll_collect_job(options->dll, &job, ret_reason) != 0)
        status = EXIT_UNREADABLE; /* other known facts are shown all the same */
    const enum exit_status collected = status;
    if (verb->shows_past || options->form == FORM_HTML)
        job_resolve_completed_sites(&job);
    if ((verb->options & OPTIONS_VERDICT) == 0) /* whose verdict it is */
        say_about_job(&job);
    if (options->form == FORM_TEXT && !options->no_pager)
        pager_begin();
    status = check_shown_ranks(&job, &options->render.ranks, ret_reason) == 0 ? verb->on_job(options, &job)
                                                                              : EXIT_UNREADABLE;
    pager_end();
    status = collected != EXIT_GOOD ? collected : status;
    job_clear(&job);
    return status;
}

/* Again and again with --watch, until the job has ended: not another one then. */
static enum exit_status run(const struct job_verb *verb, struct options *options, const struct dll *dll,
                            struct reason *ret_reason)
{
    const double interval_s = options->render.again_s;
    double next_s = monotonic_s();
    pid_t pid = 0;
    enum exit_status status = run_on_job(verb, options, dll, &pid, ret_reason);
    if (interval_s <= 0 || pid == 0)
        return status;
    if (options->target_count < 2 && options->slurm_job == NULL) {
        options->targets = arena_allocate(sizeof *options->targets);
        options->targets[0] = (char *)arena_text("%ld", (long)pid);
        options->target_count = 1;
    }
    const struct arena_mark texts = arena_mark();
    for (;;) {
        next_s = fmax(next_s + interval_s, monotonic_s());
        job_verb_wait_until(next_s);
        if (process_has_ended("/proc", pid))
            break;
        const enum exit_status next = run_on_job(verb, options, dll, &pid, ret_reason);
        if (process_has_ended("/proc", pid))
            break;
        status = next;
        if (ret_reason->text[0] != '\0')
            print_reason(stderr, ret_reason); /* it may be read the next time */
        ret_reason->text[0] = '\0';
        arena_release(texts);
    }
    ret_reason->text[0] = '\0';
    return status;
}

static enum exit_status read_and_run(const struct job_verb *verb, struct options *options, struct reason *ret_reason)
{
    struct dll dll;
    if (dll_open(NULL, &dll, ret_reason) != 0)
        return EXIT_UNREADABLE;
    options->render.target = name_job_again(options);
    enum exit_status status = verb->keeps_target ? EXIT_GOOD : named_target_find(&dll, options, ret_reason);
    if (status == EXIT_GOOD)
        status = verb->run != NULL ? verb->run(&dll, options, ret_reason) : run(verb, options, &dll, ret_reason);
    dll_close(&dll);
    return status;
}

enum exit_status job_verb_run(const struct job_verb *verb, int argument_count, char **arguments)
{
    struct options options;
    struct reason reason = {.text = ""};
    options_parse(argument_count, arguments, verb->options, verb->description, verb->more, &options);
    enum exit_status status = verb->check != NULL ? verb->check(&options, &reason) : EXIT_GOOD;
    if (status == EXIT_GOOD)
        status = read_and_run(verb, &options, &reason);
    if (reason.text[0] != '\0')
        print_reason(stderr, &reason);
    rank_set_clear(&options.render.ranks);
    return status;
}
