/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens handle: describes the object that a handle names.
 */
#include "base/base.h"
#include "handle/handle.h"
#include "job/job.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] =
    "Show the object that an opaque handle (MPI_Comm, MPI_Datatype, MPI_Request, ...) names: all its properties, who "
    "made it and who uses it.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher, a core file or a snapshot. Without TARGET, the only job of this "
    "user on this host is meant. KIND is comm, datatype, request, "
    "win, file, group, op, info, errhandler, session, message, keyval or status. VALUE is the handle as a debugger "
    "shows it, 0x... or a decimal number; for a status, its address.\n\n"
    "NAME is a predefined handle (MPI_COMM_WORLD, MPI_DOUBLE) or a variable of the program, which needs debug "
    "information (-g): row, requests[2], grid.row, grid%row, *comm, solver.c::row. The type of the variable gives the "
    "KIND; a Fortran INTEGER has none, so name the KIND.\n\n"
    "Several TARGETs, such as snapshots of each host, are parts of one job.\n\n"
    "A handle belongs to one process. All ranks of the job are asked, or those of --rank; equal answers are merged.\n\n"
    "--questions resolves all handles of a log at once. Each line of FILE has one question: the words that would "
    "follow TARGET, with --fortran and --rank where needed. The job is read once, and with --stop is stopped once. "
    "Blank lines and lines that begin with # are ignored.\n\n"
    "Exit status: 0 it was found, 2 wrong usage, 3 it was not found, or nothing could be read; for several questions "
    "the highest.\n\n"
    "Examples:\n"
    "  mpilens handle comm 0x84000002 --rank 1\n"
    "  mpilens handle 4711 --fortran datatype -1946157051\n"
    "  mpilens handle core.4711 requests[2]\n"
    "  mpilens handle 4711 request ireq\n"
    "  grep -o 'MPI_Comm 0x[0-9a-f]*' log | mpilens handle 4711 --questions -";

/* Its name in sentences. */
static const char *file_of(const struct options *options)
{
    return strcmp(options->questions, "-") == 0 ? "standard input" : options->questions;
}

static int read_file(const struct options *options, struct handle_questions *questions)
{
    if (strcmp(options->questions, "-") == 0)
        return start_over_keep_input() == 0 ? handle_questions_read(questions, stdin) : -1;
    FILE *stream = fopen(options->questions, "re");
    if (stream == NULL)
        return -1;
    const int result = handle_questions_read(questions, stream);
    const int error = errno;
    fclose(stream);
    errno = error;
    return result;
}

static enum exit_status take_file(const struct options *options, struct handle_questions *questions,
                                  struct reason *ret_reason)
{
    if (read_file(options, questions) == 0)
        return EXIT_GOOD;
    reason_set(ret_reason, "%s: %s", file_of(options), strerror(errno));
    return EXIT_UNREADABLE;
}

/* How many of the words are targets, before KIND VALUE, KIND NAME or NAME: none where the only job of this host is
 * meant, or several parts of a job. SIZE_MAX: these make no sense. */
static size_t count_targets(const struct options *options)
{
    const size_t count = options->target_count;
    uint32_t kind;
    if (options->questions != NULL)
        return count;
    if (count == 0)
        return SIZE_MAX;
    if (count >= 2 && handle_parse_kind(options->targets[count - 2], &kind))
        return count - 2;
    if (count > 2 && !snapshot_is(options->targets[1]))
        return count == 3 ? 1 : SIZE_MAX;
    return count - 1;
}

/* A PID or file without a question. */
static bool is_only_target(const struct options *options)
{
    return options->target_count == 1 && (strspn(options->targets[0], "0123456789") == strlen(options->targets[0]) ||
                                          access(options->targets[0], F_OK) == 0);
}

/* Takes the words behind the targets. */
static enum exit_status take_arguments(const struct options *options, size_t targets,
                                       struct handle_questions *questions, struct reason *ret_reason)
{
    if (targets == SIZE_MAX || is_only_target(options))
        reason_set(ret_reason, "give a kind and a value, or a name, behind the target if there is one: 'mpilens handle "
                               "4711 comm 0x84000002'");
    else if (handle_questions_add(questions, options->targets + targets, options->target_count - targets, ret_reason) ==
             0)
        return EXIT_GOOD;
    return EXIT_USAGE;
}

/* Why there is no answer. */
static void report(const struct options *options, const struct handle_question *question)
{
    for (size_t i = 0; i < question->reason_count; i++)
        if (question->text != NULL)
            print_line(stderr, "mpilens: %s:%zu: %s", file_of(options), question->line, question->reasons[i].text);
        else
            print_line(stderr, "mpilens: %s", question->reasons[i].text);
}

static void report_all(const struct options *options, const struct handle_questions *questions, const struct job *job)
{
    bool has_unknown = false;
    for (size_t i = 0; i < questions->count; i++) {
        if (questions->items[i].count > 0)
            continue;
        report(options, &questions->items[i]);
        has_unknown |= questions->items[i].has_unknown;
    }
    if (!has_unknown)
        return;
    const char *words = name_job_again(options);
    print_line(stderr,
               "mpilens: 'mpilens show %s --objects' lists the live handles of every rank; a value belongs to one "
               "rank (--rank) and one kind",
               words != NULL     ? words
               : job->id != NULL ? job->id
                                 : "TARGET");
}

static int render(const struct options *options, const struct handle_questions *questions, const struct job *job)
{
    const struct handle_question *only = questions->items;
    if (options->questions != NULL)
        return options->form == FORM_JSON ? render_answers_json(stdout, job, questions, &options->render)
                                          : render_answers_text(stdout, questions, &options->render);
    if (only->count == 0)
        return 0;
    return options->form == FORM_JSON ? render_handles_json(stdout, job, only->handles, only->count, &options->render)
                                      : render_handles_text(stdout, only->handles, only->count, &options->render);
}

static enum exit_status show(const struct options *options, const struct handle_questions *questions,
                             const struct job *job)
{
    if (render(options, questions, job) != 0) {
        perror("mpilens: standard output");
        return EXIT_UNREADABLE;
    }
    report_all(options, questions, job);
    return handle_questions_status(questions);
}

static enum exit_status ask_job(const struct dll *dll, struct options *options, struct handle_questions *questions,
                                struct reason *ret_reason)
{
    struct job job;
    enum exit_status status = named_target_find(dll, options, ret_reason);
    const struct job_request request = {
        .targets = options->targets,
        .target_count = options->target_count,
        .may_have_ended = true,
        .stop = options->stop,
        .plan = {.depth = COLLECT_ALL, .more = handle_questions_ask, .context = questions}};
    const struct host_reading reading = {.full = true, .rank_is_alone = true};
    if (status == EXIT_GOOD && !read_hosts(dll, options, &request, &reading, &job, &status, ret_reason))
        status = read_job(dll, &request, &job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    say_about_job(&job);
    handle_questions_finish(questions, &job);
    status = check_shown_ranks(&job, &options->render.ranks, ret_reason) == 0 ? show(options, questions, &job)
                                                                              : EXIT_UNREADABLE;
    job_clear(&job);
    return status;
}

static enum exit_status answer(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    const size_t targets = count_targets(options);
    struct handle_questions questions = {.target = targets > 0 && targets != SIZE_MAX ? options->targets[0] : NULL,
                                         .language = options->fortran ? MPILENS_HANDLE_FORTRAN : MPILENS_HANDLE_C,
                                         .ranks = &options->render.ranks,
                                         .rank_text = options->rank_text,
                                         .is_stopped = options->stop};
    enum exit_status status = options->questions != NULL ? take_file(options, &questions, ret_reason)
                                                         : take_arguments(options, targets, &questions, ret_reason);
    if (status == EXIT_GOOD) {
        options->target_count = targets;
        status = ask_job(dll, options, &questions, ret_reason);
    }
    handle_questions_clear(&questions);
    return status;
}

/* Numbers below 0 would be taken for options: the same bits without a sign. The caller frees the result. */
static char **write_without_signs(int count, char **arguments)
{
    char **result = allocate(((size_t)count + 1) * sizeof *result);
    for (int i = 0; i < count; i++) {
        uint64_t value;
        result[i] = arguments[i][0] == '-' && handle_parse_value(arguments[i], &value)
                        ? (char *)arena_text("0x%llx", (unsigned long long)value)
                        : arguments[i];
    }
    return result;
}

enum exit_status verb_handle(int argument_count, char **original_arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_LISTS | OPTIONS_HANDLE,
                                         .keeps_target = true,
                                         .run = answer};
    char **arguments = write_without_signs(argument_count, original_arguments);
    const enum exit_status status = job_verb_run(&verb, argument_count, arguments);
    free(arguments);
    return status;
}
