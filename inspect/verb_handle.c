/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens handle: what one opaque handle names.
 */
#include "allocation.h"
#include "handle_collect.h"
#include "handle_describe.h"
#include "handle_render.h"
#include "handle_variable.h"
#include "options.h"
#include "read_job.h"
#include "target.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char description[] =
    "Show what one opaque handle (MPI_Comm, MPI_Datatype, MPI_Request, ...) names: the whole "
    "object, who made it and who uses it.";

static const char more[] =
    "TARGET is the pid of any rank or of the launcher, a core file or a snapshot. KIND is comm, datatype, request, "
    "win, file, "
    "group, op, info, errhandler, session, message, keyval or status. VALUE is what a debugger shows of the handle: "
    "0x... or a decimal number; of a status its address.\n\n"
    "NAME is a predefined handle (MPI_COMM_WORLD, MPI_DOUBLE) or a variable of the program, which needs debug "
    "information (-g): row, requests[2], grid.row, grid%row, *comm, solver.c::row. KIND comes from its type; an "
    "INTEGER of Fortran has none, so say it.\n\n"
    "A handle is one of a process: every rank of the job is asked, or those of --rank; equal answers are merged.\n\n"
    "Exit status: 0 it was found, 2 wrong usage, 3 it was not found, or nothing could be read.\n\n"
    "Examples:\n"
    "  mpilens handle 4711 comm 0x84000002 --rank 1\n"
    "  mpilens handle 4711 --fortran datatype -1946157051\n"
    "  mpilens handle core.4711 requests[2]\n"
    "  mpilens handle 4711 request ireq";

/* What is asked of every process, and what was found. */
struct question {
    const struct options *options;
    struct handle_query query;
    struct handle *handles;
    size_t count;
    struct reason *reasons; /* of the ranks that have not got it */
    size_t reason_count;
    size_t asked;
    bool has_unknown; /* a value was known, and what it names was not */
};

static void add_reason(struct question *question, const struct reason *reason)
{
    for (size_t i = 0; i < question->reason_count; i++)
        if (strcmp(question->reasons[i].text, reason->text) == 0)
            return;
    question->reasons = array_append(question->reasons, &question->reason_count, sizeof *question->reasons);
    question->reasons[question->reason_count - 1] = *reason;
}

static enum handle_result look_up(const struct collection *collection, const struct process *process,
                                  const struct question *question, struct handle *ret_handle, int *ret_code,
                                  struct reason *ret_reason)
{
    struct handle_query query = question->query;
    char *variable = NULL;
    if (query.name != NULL) {
        const enum handle_result result = handle_collect_predefined(collection, process, &query, ret_handle, ret_code);
        if (result != HANDLE_UNKNOWN)
            return result;
        *ret_code = mqs_ok;
        if (handle_query_variable(collection->target, question->options->stop, &query, &variable, ret_reason) != 0)
            return HANDLE_FAILED;
    }
    if (query.kind == MPILENS_OBJECT_STATUS && target_snapshot_clock(collection->target) != NULL) {
        reason_set(ret_reason,
                   "a snapshot has no memory of the application, where a status is: ask the process or a core "
                   "file");
        return HANDLE_FAILED;
    }
    const enum handle_result result = handle_collect(collection, process, &query, ret_handle, ret_code);
    if (result == HANDLE_FOUND && variable != NULL)
        ret_handle->variable = text_pool_add(collection->names, variable);
    if (result == HANDLE_UNKNOWN) {
        const char *kind = mpilens_object_kind_name((int)query.kind);
        reason_set(ret_reason, "not found: %s%s%s 0x%llx%s names nothing that is known%s",
                   variable != NULL ? variable : "", variable != NULL ? ": " : "", kind,
                   (unsigned long long)query.value, query.language == MPILENS_HANDLE_FORTRAN ? " of Fortran" : "",
                   query.kind == MPILENS_OBJECT_STATUS ? " (is it the address of an MPI_Status?)" : "");
    }
    free(variable);
    return result;
}

static void ask(const struct collection *collection, const struct process *process, void *context)
{
    struct question *question = context;
    struct handle handle;
    struct reason reason = {""};
    int code = mqs_ok;
    if (!rank_set_contains(&question->options->render.ranks, process->rank))
        return;
    question->asked++;
    const enum handle_result result = look_up(collection, process, question, &handle, &code, &reason);
    if (result == HANDLE_FOUND) {
        question->handles = array_append(question->handles, &question->count, sizeof *question->handles);
        question->handles[question->count - 1] = handle;
        return;
    }
    question->has_unknown |= result == HANDLE_UNKNOWN;
    const char *text = collection->dll->mqs_dll_error_string(code);
    if (result == HANDLE_FAILED && code != mqs_ok)
        reason_set(&reason, "%s", text != NULL ? text : "unknown error");
    add_reason(question, &reason);
}

static int compare_handles(const void *left_handle, const void *right_handle)
{
    const struct handle *left = left_handle;
    const struct handle *right = right_handle;
    return left->rank != right->rank ? left->rank - right->rank : (left->pid > right->pid) - (left->pid < right->pid);
}

static void resolve(const struct question *question, struct job *job)
{
    for (size_t i = 0; i < question->count; i++)
        for (size_t j = 0; j < job->process_count; j++)
            if (job->processes[j].pid == question->handles[i].pid && job->processes[j].target != NULL &&
                job->processes[j].rank == question->handles[i].rank) {
                handle_resolve_sites(&question->handles[i], &job->sites, job->processes[j].target);
                break;
            }
    if (question->count > 0)
        qsort(question->handles, question->count, sizeof *question->handles, compare_handles);
}

static enum exit_status report_unknown(const struct question *question, const struct job *job)
{
    if (question->asked == 0)
        fprintf(stderr, "mpilens: the job has no rank %s that can be read; it has %d ranks\n",
                question->options->rank_text != NULL ? question->options->rank_text : "", job->size);
    for (size_t i = 0; i < question->reason_count; i++)
        fprintf(stderr, "mpilens: %s\n", question->reasons[i].text);
    if (question->has_unknown)
        fprintf(
            stderr,
            "mpilens: 'mpilens show %s --objects' lists the handles of every rank that are alive; a value belongs to "
            "one rank (--rank) and one kind\n",
            job->id != NULL ? job->id : "TARGET");
    return EXIT_UNREADABLE;
}

static enum exit_status show(struct question *question, struct job *job)
{
    resolve(question, job);
    if (question->count == 0)
        return report_unknown(question, job);
    const struct render_options *render = &question->options->render;
    const int result = question->options->json
                           ? render_handles_json(stdout, job, question->handles, question->count, render)
                           : render_handles_text(stdout, question->handles, question->count, render);
    if (result == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

/* TARGET KIND VALUE, TARGET KIND NAME or TARGET NAME. 0, or -1 and a reason. */
static int parse_query(const struct options *options, struct handle_query *ret_query, struct reason *ret_reason)
{
    const bool has_kind = options->target_count == 3;
    *ret_query = (struct handle_query){.language = options->fortran ? MPILENS_HANDLE_FORTRAN : MPILENS_HANDLE_C};
    if (options->target_count < 2 || options->target_count > 3)
        return reason_set(ret_reason,
                          "say a target, a kind and a value, or a target and a name: 'mpilens handle 4711 comm "
                          "0x84000002'");
    if (has_kind && !handle_parse_kind(options->targets[1], &ret_query->kind))
        return reason_set(ret_reason, "there is no kind '%s'; there are %s", options->targets[1], handle_kind_names());
    const char *last = options->targets[options->target_count - 1];
    if (handle_parse_value(last, &ret_query->value)) {
        if (!has_kind)
            return reason_set(ret_reason, "say of what kind %s is: 'mpilens handle %s KIND %s'; there are %s", last,
                              options->targets[0], last, handle_kind_names());
        return 0;
    }
    if (last[0] == '\0' || strchr("0123456789-", last[0]) != NULL)
        return reason_set(ret_reason, "'%s' is neither a number of 64 bits nor a name", last);
    ret_query->name = last;
    return 0;
}

/* Numbers below 0 would be taken for options: the same bits without a sign. The caller frees the result. */
static char **write_without_signs(int count, char **arguments)
{
    char **result = allocate(((size_t)count + 1) * sizeof *result);
    for (int i = 0; i < count; i++) {
        uint64_t value;
        result[i] = arguments[i][0] == '-' && handle_parse_value(arguments[i], &value)
                        ? format_text("0x%llx", (unsigned long long)value)
                        : copy_text(arguments[i]);
    }
    return result;
}

static void free_texts(int count, char **texts)
{
    for (int i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

enum exit_status verb_handle(int argument_count, char **original_arguments)
{
    struct options options;
    struct reason reason;
    struct dll dll;
    struct job job;
    char **copies = write_without_signs(argument_count, original_arguments);
    char **arguments = allocate(((size_t)argument_count + 1) * sizeof *arguments); /* which the parser reorders */
    for (int i = 0; i < argument_count; i++)
        arguments[i] = copies[i];
    options_parse(argument_count, arguments, OPTIONS_TARGETS | OPTIONS_LISTS | OPTIONS_HANDLE, description, more,
                  &options);
    struct question question = {.options = &options};
    enum exit_status status = EXIT_USAGE;
    const struct job_request request = {.targets = options.targets,
                                        .target_count = 1,
                                        .stop = options.stop,
                                        .plan = {.depth = COLLECT_ALL, .more = ask, .context = &question}};
    if (parse_query(&options, &question.query, &reason) != 0) {
        fprintf(stderr, "mpilens: %s\n", reason.text);
    } else if (dll_open(NULL, &dll, &reason) != 0) {
        fprintf(stderr, "mpilens: %s\n", reason.text);
        status = EXIT_UNREADABLE;
    } else {
        status = read_job(&dll, &request, &job, &reason);
        if (status == EXIT_GOOD) {
            status = show(&question, &job);
            job_clear(&job);
        } else {
            fprintf(stderr, "mpilens: %s\n", reason.text);
        }
        dll_close(&dll);
    }
    for (size_t i = 0; i < question.count; i++)
        handle_clear(&question.handles[i]);
    free(question.handles);
    free(question.reasons);
    options_clear(&options);
    free(arguments);
    free_texts(argument_count, copies);
    return status;
}
