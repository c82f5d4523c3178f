/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the sentence of a cause.
 */
#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "words/words.h"

#include <stdio.h>

const struct thread *find_first_blocked(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (thread_is_blocked(&process->threads[i]))
            return &process->threads[i];
    return NULL;
}

const char *describe_at(const struct site *site)
{
    if (site == NULL)
        return "";
    if (site->called != NULL) {
        const char *place = describe_site(site);
        return arena_text(" in %s", place);
    }
    if (site->file == NULL) {
        const char *place = arena_take(site_describe_offset(site));
        return arena_text(" %s %s", site->offset != 0 ? "at" : "in", place);
    }
    return arena_text(" at %s:%d", site->file, site->line);
}

const char *describe_end(const struct process *process)
{
    switch (process->state) {
    case PROCESS_FINALIZING:
        return "is in MPI_Finalize";
    case PROCESS_FINALIZED:
        return "has called MPI_Finalize";
    default:
        return "has exited";
    }
}

const struct thread *find_current_call(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            return &process->threads[i];
    return NULL;
}

const char *describe_last_call(const struct process *process)
{
    const struct last_call last = last_call_find(process);
    return last.function != NULL ? arena_text(", after %s%s", last.function, describe_at(last.site)) : "";
}

const char *describe_exit_place(const struct process *process)
{
    const struct thread *call = find_current_call(process);
    return call != NULL ? arena_text(" in %s%s", call->function, describe_at(call->site)) : describe_last_call(process);
}

/* A process that went there will not come back, even before it was seen to stay. */
static const char *describe_end_place(const struct process *process)
{
    const struct thread *call = find_current_call(process);
    if (process->state == PROCESS_EXITED)
        return describe_exit_place(process);
    return call != NULL ? describe_at(call->site) : "";
}

const char *describe_doing(const struct cause_text *text, const struct process *process)
{
    const struct thread *thread = find_first_blocked(process);
    if (process_is_gone(process)) {
        const char *at = describe_end_place(process);
        return arena_text("%s%s%s%s", describe_end(process), at, process->ends != PROGRAM_RUNS ? " " : "",
                          process->ends != PROGRAM_RUNS ? process->end : "");
    }
    const char *doing = thread != NULL ? describe_call_and_place(text, process, thread) : describe_outside(process);
    return arena_text("is %s%s%s%s", thread != NULL ? "in " : "", doing, process->ends != PROGRAM_RUNS ? " " : "",
                      process->ends != PROGRAM_RUNS ? process->end : "");
}

const char *describe_order(const struct cause_text *text, const struct job_member *member)
{
    return member->object != NULL
               ? describe_object(member->process, member->object->kind, member->object->serial, text->labels)
               : arena_copy(find_label(text->labels, member->communicator->id));
}

/* "a loop of MPI_Iprobe(...) at ring.c:41 and MPI_Test(...) at ring.c:43". */
static struct open_call describe_loop(const struct cause_text *text, const struct process *process,
                                      const struct thread *thread, bool with_places)
{
    struct open_call loop = {.peer_count = 0};
    FILE *stream = arena_open();
    fputs("a loop of ", stream);
    for (size_t i = 0; i <= thread->other_poll_count; i++) {
        const struct thread *poll = find_poll(thread, i);
        fputs(describe_poll_separator(thread, i), stream);
        append_open_call(stream, &loop, describe_open_call(process, poll, text->labels));
        fputs(with_places ? describe_at(poll->site) : "", stream);
    }
    if (thread->more_polls)
        fputs(" and other calls", stream);
    loop.text = arena_close(stream);
    return loop;
}

struct open_call describe_waiting_call(const struct cause_text *text, const struct process *process,
                                       const struct thread *thread, bool with_places)
{
    if (thread->polling)
        return describe_loop(text, process, thread, with_places);
    struct open_call call = describe_open_call(process, thread, text->labels);
    if (!with_places)
        return call;
    call.text = arena_text("%s%s", call.text, describe_at(thread->site));
    return call;
}

const char *describe_call_and_place(const struct cause_text *text, const struct process *process,
                                    const struct thread *thread)
{
    return fill_open_call(describe_waiting_call(text, process, thread, true));
}
