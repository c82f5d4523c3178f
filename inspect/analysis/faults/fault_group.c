/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a group that make different communicators of it. The few are to blame; where neither are few, all.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

/* The ranks in a call like the first one's. */
struct side {
    const struct process *process;
    const struct thread *thread;
    struct ranks ranks;
};

struct sides {
    struct side usual, other; /* of the other ones, only one call is told */
};

static void add_member(struct sides *sides, const struct process *process, const struct thread *call)
{
    struct side *side = group_calls_meet(sides->usual.thread, call) ? &sides->usual : &sides->other;
    if (side->thread == NULL)
        *side = (struct side){.process = process, .thread = call};
    ranks_add(&side->ranks, process->rank);
}

/* `node`: of the call of a group. */
static struct sides find_sides(const struct waits *waits, uint32_t node)
{
    const struct wait_subject *subject = &waits->subjects[node];
    const struct thread *thread = subject->thread;
    struct sides sides = {.usual = {.process = &waits->job->processes[subject->process], .thread = thread}};
    for (int32_t i = 0; i < thread->group->size; i++) {
        const struct process *member = job_index_process(&waits->index, group_world_rank(thread->group, i));
        const struct thread *call = member != NULL ? group_call_of(member, thread) : NULL;
        if (call != NULL)
            add_member(&sides, member, call);
    }
    ranks_finish(&sides.usual.ranks);
    ranks_finish(&sides.other.ranks);
    if (sides.other.ranks.count > sides.usual.ranks.count)
        sides = (struct sides){.usual = sides.other, .other = sides.usual};
    return sides;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (group_call_at(subject) == NULL)
            continue;
        struct sides sides = find_sides(waits, cause->nodes[i]);
        if (sides.other.ranks.count > 0 && sides.usual.ranks.count > 0) {
            cause->kind = FINDING_COLLECTIVE_MISMATCH;
            cause->group_call = cause->nodes[i];
            ranks_add_all(&cause->ranks, &sides.usual.ranks);
            ranks_add_all(&cause->ranks, &sides.other.ranks);
            ranks_add_all(&cause->culprits, &sides.other.ranks);
            if (sides.other.ranks.count == sides.usual.ranks.count)
                ranks_add_all(&cause->culprits, &sides.usual.ranks);
            return true;
        }
    }
    return false;
}

static void write_side(FILE *stream, const struct cause_text *text, const struct side *side)
{
    const char *ranks = ranks_name(&side->ranks);
    fprintf(stream, "%s %s in %s", ranks, side->ranks.count == 1 ? "is" : "are",
            describe_call_and_place(text, side->process, side->thread));
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct sides sides = find_sides(text->waits, cause->group_call);
    fprintf(stream, "members of a group make different communicators of it, with different %s: ",
            sides.usual.thread->group != sides.other.thread->group ? "groups" : "tags");
    write_side(stream, text, &sides.other);
    fputs("; ", stream);
    write_side(stream, text, &sides.usual);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    struct sides sides = find_sides(text->waits, cause->group_call);
    const bool other_groups = sides.usual.thread->group != sides.other.thread->group;
    return other_groups ? "give the same group, with its members in the same order, on all of them"
                        : "give the same tag on all members of the group";
}

const struct fault fault_group = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
