/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The call stacks of many ranks as one tree: what they have in common, from the outermost function on, is there once.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_TREE_H
#define MPILENS_INSPECT_STACK_STACK_TREE_H

#include "base/ranks.h"
#include "model/model.h"

struct stack_node {
    const char *text;             /* as describe_stack_line; "..." where outer lines are missing */
    struct stack_node *parent;    /* what has called it; the root of the tree: of the outermost functions */
    struct stack_node **children; /* in the order in which they were added */
    size_t child_count;
    struct ranks ranks; /* finished; without those that are not known */
    size_t process_count;
    size_t thread_count;
    const struct process *last; /* that was counted */
};

/* Zero-initialised is empty. */
struct stack_tree {
    struct stack_node root; /* stands for all stacks; it has no text */
    struct text_pool texts;
    void *nodes;    /* tsearch tree of all others */
    size_t helpers; /* stacks without a line of the program, which were left out */
};

/* Adds a stack; stacks of a process come together, processes by rank. Unless `all`, stacks without a line of the
 * program are only counted, but for those of main threads. */
void stack_tree_add(struct stack_tree *tree, const struct process *process, const struct call_stack *stack, bool all);
/* All stacks of the chosen ranks. */
struct stack_tree stack_tree_make(const struct job *job, const struct rank_set *ranks, bool all);
/* "3 ranks [0,1,3]", "rank 2, 4 threads". The caller frees it. */
char *describe_stack_ranks(const struct stack_node *node);
void stack_tree_clear(struct stack_tree *tree);

#endif
