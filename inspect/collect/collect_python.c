/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes lines, stacks and exceptions of Python over into the model.
 */
#include "collect/collect_internal.h"

#include "base/base.h"
#include "python/python.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_frame(const struct python_frame *left, const struct python_frame *right)
{
    return left->line == right->line && strcmp(left->function, right->function) == 0 &&
           strcmp(left->path, right->path) == 0;
}

static bool is_same_stack(const struct python_thread *left, const struct python_thread *right)
{
    if (left->frame_count != right->frame_count || left->is_cut != right->is_cut)
        return false;
    for (size_t i = 0; i < left->frame_count; i++)
        if (!is_same_frame(&left->frames[i], &right->frames[i]))
            return false;
    return true;
}

static const char *keep(struct job *job, char *text)
{
    const char *kept = text != NULL ? text_pool_add(&job->names, text) : "";
    free(text);
    return kept;
}

static bool is_same_function(const struct python_frame *left, const struct python_frame *right)
{
    return left != NULL && strcmp(left->function, right->function) == 0 && strcmp(left->path, right->path) == 0;
}

/* A thread that polls is somewhere in its loop, which is in one function. */
static void take_place(struct job *job, const struct python_thread *before, const struct python_thread *after,
                       struct thread *thread)
{
    const struct python_frame *place = python_find_place(after);
    if (place == NULL || place->line == 0 || thread->function[0] == '\0' ||
        !(thread->polling ? is_same_function(python_find_place(before), place) : is_same_stack(before, after)))
        return;
    thread->python_site = python_site(place, &job->sites);
    for (size_t i = 0; i < thread->other_poll_count; i++)
        thread->other_polls[i].python_site = thread->python_site;
}

static void take_thread(struct job *job, const struct python_thread *before, const struct python_thread *after,
                        struct thread *thread)
{
    take_place(job, before, after, thread);
    if (after->handling != NULL && before->handling != NULL && strcmp(after->handling, before->handling) == 0)
        thread->handling = text_pool_add(&job->names, after->handling);
}

void collect_python(struct job *job, const struct python_stacks *before, const struct python_stacks *after,
                    struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        struct thread *thread = &process->threads[i];
        const struct python_thread *python = thread->ended ? NULL : python_find_thread(after, (pid_t)thread->tid);
        const struct python_thread *earlier = python_find_thread(before, (pid_t)thread->tid);
        if (python != NULL && earlier != NULL)
            take_thread(job, earlier, python, thread);
    }
    process->end = keep(job, python_describe_end(after, PYTHON_STATUS_UNKNOWN));
    if (process->end[0] != '\0')
        process->ends = python_has_failed(after, PYTHON_STATUS_UNKNOWN) ? PROGRAM_FAILED : PROGRAM_ENDS;
}
