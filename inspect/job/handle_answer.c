/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks processes the questions about handles, and keeps their answers.
 */
#include "job/job.h"

#include "base/base.h"
#include "handle/handle.h"
#include "target/target.h"
#include "variable/variable.h"

#include <stdlib.h>

static enum handle_result look_up(const struct collection *collection, const struct process *process,
                                  struct handle_query query, bool is_stopped, struct handle *ret_handle, int *ret_code,
                                  struct reason *ret_reason)
{
    char *variable = NULL;
    if (query.name != NULL) {
        const enum handle_result result = handle_collect_predefined(collection, process, &query, ret_handle, ret_code);
        if (result != HANDLE_UNKNOWN)
            return result;
        *ret_code = mqs_ok;
        if (handle_query_variable(collection->target, is_stopped, &query, &variable, ret_reason) != 0)
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

/* Adds what the process answers. */
static void ask(const struct collection *collection, const struct process *process, bool is_stopped,
                struct handle_question *question)
{
    struct handle handle;
    struct reason reason = {.text = ""};
    int code = mqs_ok;
    question->asked++;
    const enum handle_result result =
        look_up(collection, process, question->query, is_stopped, &handle, &code, &reason);
    if (result == HANDLE_FOUND) {
        question->handles = array_append(question->handles, &question->count, sizeof *question->handles);
        question->handles[question->count - 1] = handle;
        return;
    }
    question->has_unknown |= result == HANDLE_UNKNOWN;
    const char *text = collection->dll->mqs_dll_error_string(code);
    if (result == HANDLE_FAILED && code != mqs_ok)
        reason_set(&reason, "%s", text != NULL ? text : "unknown error");
    handle_question_add_reason(question, &reason);
}

void handle_questions_ask(const struct collection *collection, const struct process *process, void *questions)
{
    const struct handle_questions *all = questions;
    for (size_t i = 0; i < all->count; i++) {
        struct handle_question *question = &all->items[i];
        const struct rank_set *ranks = question->rank_text != NULL ? &question->ranks : all->ranks;
        if (question->status != EXIT_USAGE && rank_is_chosen(ranks, process->rank))
            ask(collection, process, all->is_stopped, question);
    }
}

static int compare_handles(const void *left_handle, const void *right_handle)
{
    const struct handle *left = left_handle;
    const struct handle *right = right_handle;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->pid < right->pid ? -1 : left->pid > right->pid;
}

/* NULL: it is not there, or cannot be looked into. Several may have the rank, and the pid, too, on other hosts. */
static const struct process *find_process_of(const struct job *job, const struct handle *handle)
{
    const struct process *process = find_process(job, handle->rank);
    const struct process *end = job->processes + job->process_count;
    for (; process != NULL && process < end && process->rank == handle->rank; process++)
        if (process->pid == handle->pid && process->part == handle->part && process->target != NULL)
            return process;
    return NULL;
}

/* The answer from the process of a part does not count if another part has the rank. */
static void resolve(struct handle_question *question, struct job *job)
{
    size_t kept = 0;
    if (question->count > 0)
        qsort(question->handles, question->count, sizeof *question->handles, compare_handles);
    for (size_t i = 0; i < question->count; i++) {
        struct handle *handle = &question->handles[i];
        const struct process *process = find_process_of(job, handle);
        if (process == NULL && handle->part > 0) {
            handle_clear(handle);
            continue;
        }
        if (process != NULL)
            handle_resolve_sites(handle, &job->sites, process->target);
        question->handles[kept++] = *handle;
    }
    question->count = kept;
}

static void finish(struct handle_question *question, const char *rank_text, struct job *job)
{
    struct reason reason;
    resolve(question, job);
    question->status = question->count > 0 ? EXIT_GOOD : EXIT_UNREADABLE;
    if (question->asked > 0)
        return;
    reason_set(&reason, "the job has no rank %s that can be read; it has %d ranks", rank_text != NULL ? rank_text : "",
               job->size);
    handle_question_add_reason(question, &reason);
}

void handle_questions_finish(struct handle_questions *questions, struct job *job)
{
    for (size_t i = 0; i < questions->count; i++) {
        struct handle_question *question = &questions->items[i];
        if (question->status != EXIT_USAGE)
            finish(question, question->rank_text != NULL ? question->rank_text : questions->rank_text, job);
    }
}
