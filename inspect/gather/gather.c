/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs an engine in rounds and feeds the parts.
 */
#include "gather/gather.h"

#include "base/base.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits what has come and is not read yet, for all hosts together. */
static const size_t most_bytes = (size_t)1 << 31;
/* A host that says nothing holds up the first round for this part of the time. */
static const double part_of_first_round = 0.5;
/* How long hosts may take to say that all went well, when all has come. */
static const double end_patience_s = 1;

struct gathering {
    const struct gather_request *request;
    const struct dll *dll;
    const struct engine *engine;
    struct engine_task task;
    char *program; /* of this command */
    struct shipment shipment;
    struct engine_plan plan;
    struct engine_run *run;
    struct host_answers answers;
    struct part_reader *reader;
    struct part_stream stream;
    struct part_job parts;
    double begun_s;
    bool is_interrupted;
    bool is_cut_short; /* by ^C: hosts that were silent until then are not waited for */
};

static void take_output(void *context, size_t command, const char *line)
{
    struct gathering *gathering = context;
    part_reader_feed(gathering->reader, &gathering->stream, line, strlen(line));
    part_reader_feed(gathering->reader, &gathering->stream, "\n", 1);
    host_answers_note_output(&gathering->answers, gathering->plan.commands[command].host, line, gathering->reader);
}

static void take_error(void *context, size_t command, const char *line)
{
    struct gathering *gathering = context;
    host_answers_note_error(&gathering->answers, gathering->plan.commands[command].host, line);
}

static void take_end(void *context, size_t command, int status)
{
    struct gathering *gathering = context;
    host_answers_note_end(&gathering->answers, gathering->plan.commands[command].host, status);
}

/* The command for the hosts. `round` 0: both rounds, the second on a word from standard input. */
static struct engine_words part_command(const struct gathering *gathering, int round)
{
    const struct gather_request *request = gathering->request;
    struct engine_words words = {.count = 0};
    engine_words_add(&words, "%s", gathering->program);
    engine_words_add(&words, "part");
    if (round == 0)
        engine_words_add(&words, "--rounds=stdin");
    else
        engine_words_add(&words, "--round=%d", round);
    if (request->stop)
        engine_words_add(&words, "--stop");
    if (!request->stacks)
        engine_words_add(&words, "--no-stack");
    if (request->full)
        engine_words_add(&words, "--full");
    if (request->more_words != NULL)
        engine_words_add_command(&words, request->more_words);
    if (request->identity != NULL) {
        char *word = write_identity_word(request->identity);
        engine_words_add(&words, "--");
        engine_words_add(&words, "%s", word);
        free(word);
    } else if (request->slurm_job != NULL) {
        engine_words_add(&words, "--slurm=%s", request->slurm_job);
    }
    return words;
}

static int start(struct gathering *gathering, int round, struct reason *ret_reason)
{
    const struct engine_listener listener = {
        .on_output = take_output, .on_error = take_error, .on_end = take_end, .context = gathering};
    struct engine_words command = part_command(gathering, round);
    if (gathering->request->ship)
        shipment_wrap(&gathering->shipment, &command);
    gathering->task.command = (const char *const *)command.items;
    int result = engine_plan_make(gathering->engine, &gathering->task, &gathering->plan, ret_reason);
    gathering->task.command = NULL;
    if (result != 0)
        return -1;
    host_answers_restart(&gathering->answers);
    result = engine_run_begin(gathering->plan.commands, gathering->plan.count, gathering->plan.most_at_once,
                              gathering->plan.environment, &listener, &gathering->run, ret_reason);
    if (result == 0 && gathering->request->ship)
        engine_run_say(gathering->run, gathering->shipment.bytes, gathering->shipment.count);
    return result;
}

static void end(struct gathering *gathering)
{
    gathering->is_interrupted = engine_run_is_interrupted(gathering->run);
    engine_run_end(gathering->run);
}

/* Adds parts to the job while others are still on their way. */
static void take_parts(struct gathering *gathering)
{
    struct received_part part;
    while (part_reader_take(gathering->reader, &part)) {
        part_job_add(&gathering->parts, gathering->dll, &gathering->request->plan, &part);
        host_answers_note_part(&gathering->answers, part.host, part.round, gathering->reader);
    }
}

static bool take_cut(struct gathering *gathering)
{
    if (!cut_short_is_possible() || !engine_run_go_on(gathering->run))
        return false;
    cut_short_end();
    gathering->is_cut_short = true;
    return true;
}

/* Until every host has answered in the round or never will, at most until `until_s`. */
static void wait_for_round(struct gathering *gathering, int round, bool until_ready, double until_s)
{
    bool goes_on = true;
    while (goes_on && monotonic_s() < until_s) {
        if (host_answers_count(&gathering->answers, round, until_ready).pending == 0 ||
            (gathering->is_cut_short && round == 2 && host_answers_are_complete(&gathering->answers)))
            return;
        goes_on = engine_run_wait(gathering->run, until_s);
        take_parts(gathering);
        if (!goes_on && take_cut(gathering))
            return;
    }
}

static void wait_until(struct gathering *gathering, double until_s)
{
    while (monotonic_s() < until_s && engine_run_wait(gathering->run, until_s))
        take_parts(gathering);
}

/* Gives hosts that have not ended a moment to do so, so that engines do not complain. Their data has arrived. */
static void wait_for_end(struct gathering *gathering, double until_s)
{
    const double patient_s = monotonic_s() + end_patience_s;
    wait_until(gathering, patient_s < until_s ? patient_s : until_s);
}

/* Both rounds with one start of the engine. */
static int run_both(struct gathering *gathering, struct reason *ret_reason)
{
    static const char go[] = "go\n";
    const double limit_s = gathering->request->timeout_s;
    if (start(gathering, 0, ret_reason) != 0)
        return -1;
    wait_for_round(gathering, 1, true, gathering->begun_s + limit_s * part_of_first_round);
    if (!gathering->is_cut_short)
        wait_until(gathering, monotonic_s() + gathering->request->interval_s);
    take_cut(gathering); /* ^C in between: the second round begins now, and is waited for */
    engine_run_say(gathering->run, go, sizeof go - 1);
    engine_run_say_no_more(gathering->run);
    wait_for_round(gathering, 2, false, gathering->begun_s + limit_s);
    wait_for_end(gathering, gathering->begun_s + limit_s);
    end(gathering);
    return 0;
}

static int run_one(struct gathering *gathering, int round, double until_s, struct reason *ret_reason)
{
    if (start(gathering, round, ret_reason) != 0)
        return -1;
    engine_run_say_no_more(gathering->run);
    wait_for_round(gathering, round, false, until_s);
    wait_for_end(gathering, until_s);
    end(gathering);
    return 0;
}

/* Sends the shipment through the standard input of all hosts. */
static int prepare_shipment(struct gathering *gathering, struct reason *ret_reason)
{
    if (!gathering->request->ship)
        return 0;
    if (gathering->request->hosts->count > gathering->engine->most_input_hosts)
        return reason_set(ret_reason,
                          "mpilens cannot be sent to %zu hosts by the engine %s, which does not hand on standard input "
                          "to so many: try --engine slurm, ssh or clush, or install it there",
                          gathering->request->hosts->count, gathering->engine->name);
    return shipment_make(&gathering->shipment, ret_reason);
}

static int run_rounds(struct gathering *gathering, struct reason *ret_reason)
{
    const struct gather_request *request = gathering->request;
    const double until_s = gathering->begun_s + request->timeout_s;
    if (!request->two_rounds)
        return run_one(gathering, 2, until_s, ret_reason);
    if (request->hosts->count <= gathering->engine->most_input_hosts)
        return run_both(gathering, ret_reason);
    const double first_until_s = gathering->begun_s + request->timeout_s * part_of_first_round;
    if (run_one(gathering, 1, first_until_s, ret_reason) != 0)
        return -1;
    return gathering->is_interrupted ? 0 : run_one(gathering, 2, until_s, ret_reason);
}

static void note_lost_hosts(struct gathering *gathering)
{
    const double waited_s = monotonic_s() - gathering->begun_s;
    for (size_t i = 0; i < gathering->request->hosts->count; i++) {
        if (gathering->answers.items[i].has_answered[1])
            continue;
        char *reason = host_answers_explain(&gathering->answers, i, gathering->reader, 2, waited_s);
        part_job_lose_host(&gathering->parts, gathering->request->hosts->names[i], reason);
        if (gathering->request->on_lost != NULL)
            gathering->request->on_lost(gathering->request->context, gathering->request->hosts->names[i], reason);
        free(reason);
    }
}

static char *find_own_program(struct reason *ret_reason)
{
    char *program = realpath("/proc/self/exe", NULL);
    if (program == NULL)
        reason_set(ret_reason, "/proc/self/exe: %s", strerror(errno));
    return program;
}

/* Adds advice if the command is missing on a host. */
static void advise(const struct gathering *gathering, struct job *job)
{
    bool is_missing = gathering->answers.worth == REASON_MISSING;
    for (size_t i = 0; i < gathering->request->hosts->count; i++)
        is_missing = is_missing || (!gathering->answers.items[i].has_answered[1] &&
                                    gathering->answers.items[i].worth == REASON_MISSING);
    if (!is_missing)
        return;
    job_add_note(
        job,
        format_text(
            "install mpilens as %s on all hosts, start it from a file system that they share, or send it with --ship",
            gathering->program));
}

static enum exit_status finish(struct gathering *gathering, struct job *ret_job, struct reason *ret_reason)
{
    const struct gather_request *request = gathering->request;
    part_reader_end(gathering->reader, &gathering->stream);
    take_parts(gathering);
    note_lost_hosts(gathering);
    if (request->lost != NULL)
        *request->lost = gathering->parts.lost_count;
    if (part_job_finish(&gathering->parts, gathering->dll, request->plan.depth, request->rank_hosts,
                        request->rank_host_count, ret_job, ret_reason) != 0)
        return EXIT_UNREADABLE;
    advise(gathering, ret_job);
    return EXIT_GOOD;
}

enum exit_status gather_job(const struct dll *dll, const struct gather_request *request, struct job *ret_job,
                            struct reason *ret_reason)
{
    struct gathering gathering = {.request = request, .dll = dll, .engine = request->engine, .begun_s = monotonic_s()};
    enum exit_status status = EXIT_UNREADABLE;
    if (request->lost != NULL)
        *request->lost = request->hosts->count;
    if (gathering.engine == NULL)
        gathering.engine =
            engine_choose(request->slurm_job, request->slurm_components, request->hosts->count, ret_reason);
    gathering.program = find_own_program(ret_reason);
    if (gathering.engine == NULL || gathering.program == NULL) {
        free(gathering.program);
        return EXIT_UNREADABLE;
    }
    gathering.task = (struct engine_task){.hosts = request->hosts,
                                          .own_host = host_list_find_own(request->hosts),
                                          .slurm_job = request->slurm_job,
                                          .slurm_components = request->slurm_components,
                                          .custom = request->engine_words,
                                          .timeout_s = request->timeout_s};
    gathering.answers = host_answers_begin(request->hosts, gathering.program);
    gathering.reader = part_reader_create(most_bytes);
    part_job_begin(&gathering.parts);
    if (prepare_shipment(&gathering, ret_reason) == 0 && run_rounds(&gathering, ret_reason) == 0)
        status = finish(&gathering, ret_job, ret_reason);
    else
        part_job_clear(&gathering.parts);
    part_reader_destroy(gathering.reader);
    host_answers_clear(&gathering.answers);
    free(gathering.shipment.bytes);
    free(gathering.program);
    return status;
}
