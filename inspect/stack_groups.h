/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Equal stacks of several ranks and threads, together.
 */
#ifndef INSPECT_STACK_GROUPS_H
#define INSPECT_STACK_GROUPS_H

#include "process_activity.h"
#include "stack.h"

#include <stddef.h>
#include <stdio.h>

struct ranked_stacks {
    int rank;
    enum process_activity activity; /* of the process */
    const struct stacks *stacks;    /* refers only */
};

/* Threads that do the same at the same place: equal functions, files and lines. */
struct stack_group {
    enum process_activity activity;
    char *text;   /* as of describe_stack, or that there is none */
    char *reason; /* why there is none, of one of them; NULL: there is, or it is not known */
    int *ranks;   /* ascending, each once */
    size_t rank_count;
    size_t thread_count; /* of all of them */
};

struct stack_groups {
    struct stack_group *items; /* by first rank, then the largest first */
    size_t count;
};

/* Processes in any order. Sleeping threads without a frame of the application, such as helpers of MPI, are left out,
 * but for main threads. */
struct stack_groups stack_groups_make(const struct ranked_stacks *processes, size_t count);
void stack_groups_clear(struct stack_groups *groups);

/* One line each: "ranks [4-5]  computing  solve (solve.c:41) < main (main.c:120)", behind it how many threads where
 * they are several of a rank. `indent` spaces stand before it. 0, or -1 when writing failed. */
int render_stack_groups(FILE *stream, const struct stack_groups *groups, int indent);

#endif
