/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of sentences about causes.
 */
#include "allocation.h"
#include "cause_text.h"
#include "file_name.h"
#include "process_activity.h"
#include "rank_set.h"

#include <stdlib.h>
#include <string.h>

const struct thread *find_first_blocked(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (thread_is_blocked(&process->threads[i]))
            return &process->threads[i];
    return NULL;
}

int *sort_ranks(const int *ranks, size_t count, size_t *ret_count)
{
    struct finding finding = {.rank_count = 0};
    for (size_t i = 0; i < count; i++)
        finding_add_rank(&finding, ranks[i]);
    finding_finish(&finding);
    *ret_count = finding.rank_count;
    return finding.ranks;
}

char *name_ranks(const int *ranks, size_t count)
{
    size_t known;
    int *sorted = sort_ranks(ranks, count, &known);
    char *numbers = format_ranks(sorted, known);
    char *text = format_text("%s %s", known == 1 ? "rank" : "ranks", numbers);
    free(numbers);
    free(sorted);
    return text;
}

bool is_one_rank(const char *name)
{
    return strncmp(name, "rank ", strlen("rank ")) == 0;
}

char *describe_at(const struct site *site)
{
    if (site == NULL)
        return copy_text("");
    if (site->file == NULL)
        return format_text(" in %s", file_name(site->module));
    return format_text(" at %s:%d", site->file, site->line);
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

char *describe_outside(const struct process *process)
{
    const char *activity = describe_activity(process->activity);
    const char *place = process->place;
    if (activity[0] == '\0' && place[0] == '\0')
        return copy_text("not in MPI");
    return format_text("not in MPI: %s%s%s", activity,
                       activity[0] == '\0' ? "in "
                       : place[0] != '\0'  ? " in "
                                           : "",
                       place);
}

char *describe_doing(const struct cause_text *text, const struct process *process)
{
    const struct thread *thread = find_first_blocked(process);
    if (process_is_gone(process)) {
        char *at = thread != NULL ? describe_at(thread->site) : copy_text("");
        char *said = format_text("%s%s", describe_end(process), at);
        free(at);
        return said;
    }
    char *doing = thread != NULL ? describe_call_and_place(text, process, thread) : describe_outside(process);
    char *said = format_text("is %s%s", thread != NULL ? "in " : "", doing);
    free(doing);
    return said;
}

char *describe_order(const struct cause_text *text, const struct job_member *member)
{
    return member->object != NULL
               ? describe_object(member->process, member->object->kind, member->object->serial, text->labels)
               : copy_text(find_label(text->labels, member->communicator->id));
}

char *describe_waiting_call(const struct cause_text *text, const struct process *process, const struct thread *thread)
{
    static const char polls[] = "polls ";
    char *call = describe_call(process, thread, text->labels);
    if (strncmp(call, polls, sizeof polls - 1) != 0)
        return call;
    char *loop = format_text("a loop of %s", call + sizeof polls - 1);
    free(call);
    return loop;
}

char *describe_call_and_place(const struct cause_text *text, const struct process *process, const struct thread *thread)
{
    char *call = describe_waiting_call(text, process, thread);
    char *at = describe_at(thread->site);
    char *both = format_text("%s%s", call, at);
    free(call);
    free(at);
    return both;
}
