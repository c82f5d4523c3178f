/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes what a rank is doing by one character.
 */
#include "words/words.h"

#include "base/base.h"
#include "model/model.h"
#include "stack/stack.h"

#include <string.h>

const char watch_legend[] = "  b Barrier  B Bcast  g Gather(v)  G Allgather(v)  d Reduce  R Allreduce\n"
                            "  a Alltoall  A Alltoallv, Alltoallw  c any other collective call\n"
                            "  s waits for a send  r waits for a receive or message  m waits for both\n"
                            "  U waits for messages, and there are others that it has not received\n"
                            "  w in another call of MPI\n"
                            "  u not in MPI, and there are messages that it has not received\n"
                            "  . computing  - sleeping  T stopped\n"
                            "  i in MPI_Init  f in or after MPI_Finalize  x has exited\n"
                            "  * cannot be read\n";

/* A thread that has not polled for this long does something else in between. */
static const double polling_pause_s = 1;

static char collective_character(int32_t collective_class)
{
    switch (collective_class) {
    case MPILENS_COLLECTIVE_BARRIER:
        return 'b';
    case MPILENS_COLLECTIVE_BROADCAST:
        return 'B';
    case MPILENS_COLLECTIVE_GATHER:
    case MPILENS_COLLECTIVE_GATHERV:
        return 'g';
    case MPILENS_COLLECTIVE_ALLGATHER:
    case MPILENS_COLLECTIVE_ALLGATHERV:
        return 'G';
    case MPILENS_COLLECTIVE_REDUCE:
        return 'd';
    case MPILENS_COLLECTIVE_ALLREDUCE:
        return 'R';
    case MPILENS_COLLECTIVE_ALLTOALL:
        return 'a';
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_ALLTOALLW:
        return 'A';
    default:
        return 'c';
    }
}

static bool has_unexpected(const struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].unexpected.count > 0 || process->communicators[i].unexpected_unknown > 0)
            return true;
    return false;
}

/* Whether the thread waits for sends, for receives. */
static void note_waiting(const struct process *process, const struct thread *thread, bool *sends, bool *receives)
{
    for (size_t i = 0; i < thread->waiting_known; i++) {
        const struct communicator *communicator;
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        if (operation == NULL)
            continue;
        *sends = *sends || (operation->flags & MPILENS_OPERATION_SEND) != 0;
        *receives = *receives || (operation->flags & MPILENS_OPERATION_RECEIVE) != 0;
    }
}

static char call_character(const struct process *process, const struct thread *thread)
{
    bool sends = false,
         receives = thread->call_class == MPILENS_CALL_PROBE || thread->call_class == MPILENS_CALL_IPROBE;
    if (thread->call_class == MPILENS_CALL_COLLECTIVE)
        return collective_character(thread->collective_class);
    note_waiting(process, thread, &sends, &receives);
    if (!sends && !receives)
        return 'w';
    if (has_unexpected(process))
        return 'U';
    return sends && receives ? 'm' : sends ? 's' : 'r';
}

/* The first thread that is in a call; NULL: none. */
static const struct thread *find_call(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && thread->function[0] != '\0' && !(thread->polling && thread->idle_s > polling_pause_s))
            return thread;
    }
    return NULL;
}

static char activity_character(const struct process *process, const struct process *before)
{
    enum process_activity activity = (enum process_activity)process->activity;
    if (activity == ACTIVITY_SLEEPING && before != NULL && before->read_at_s >= 0) {
        const struct process_reading first = {.at_s = before->read_at_s, .cpu_time_s = before->cpu_time_s};
        const struct process_reading second = {
            .at_s = process->read_at_s, .cpu_time_s = process->cpu_time_s, .state = 'S'};
        activity = process_activity_between(&first, &second);
    }
    return activity == ACTIVITY_SLEEPING ? '-' : activity == ACTIVITY_STOPPED ? 'T' : '.';
}

/* The character of a rank of which only the call stacks are known. */
static char seen_character(const struct process *process)
{
    const struct seen_thread *thread = &process->seen_threads[next_seen_thread(process, -1)];
    const struct mpi_function *function = mpi_function_called(thread->function);
    if (thread->activity == ACTIVITY_STOPPED)
        return 'T';
    if (thread->function[0] == '\0')
        return thread->activity == ACTIVITY_SLEEPING ? '-' : '.';
    if (function == NULL)
        return 'w';
    if (function->call_class == MPILENS_CALL_COLLECTIVE)
        return collective_character(function->collective_class);
    if (function->purpose == MPILENS_PURPOSE_INITIALIZE)
        return 'i';
    if (function->purpose == MPILENS_PURPOSE_FINALIZE)
        return 'f';
    if (function->purpose == MPILENS_PURPOSE_EXCHANGE)
        return 'm';
    if ((function->operation & MPILENS_OPERATION_BLOCKING) != 0)
        return (function->operation & MPILENS_OPERATION_SEND) != 0 ? 's' : 'r';
    return function->call_class == MPILENS_CALL_PROBE || function->call_class == MPILENS_CALL_IPROBE ? 'r' : 'w';
}

char watch_character(const struct process *process, const struct process *before)
{
    if (process_was_seen(process))
        return seen_character(process);
    switch (process->state) {
    case PROCESS_UNREADABLE:
        return '*';
    case PROCESS_INITIALIZING:
        return 'i';
    case PROCESS_FINALIZING:
    case PROCESS_FINALIZED:
        return 'f';
    case PROCESS_EXITED:
        return 'x';
    case PROCESS_RUNNING:
        break;
    }
    if (process->reason != NULL)
        return '*';
    const struct thread *thread = find_call(process);
    if (thread != NULL)
        return call_character(process, thread);
    return has_unexpected(process) ? 'u' : activity_character(process, before);
}

const char *watch_character_meaning(char character)
{
    const char label[] = {' ', ' ', character, ' ', '\0'};
    const char *entry = strstr(watch_legend, label);
    if (entry == NULL)
        return "";
    const char *text = entry + strlen("  c ");
    const char *gap = strstr(text, "  ");
    const size_t line = strcspn(text, "\n");
    return arena_text("%.*s", (int)(gap != NULL && (size_t)(gap - text) < line ? (size_t)(gap - text) : line), text);
}
