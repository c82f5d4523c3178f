/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Merges call stacks into a tree.
 */
#include "stack/stack.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static int compare_pointers(const void *left, const void *right)
{
    return (uintptr_t)left < (uintptr_t)right ? -1 : (uintptr_t)left > (uintptr_t)right;
}

static int compare_nodes(const void *left_node, const void *right_node)
{
    const struct stack_node *left = left_node;
    const struct stack_node *right = right_node;
    const int parents = compare_pointers(left->parent, right->parent);
    return parents != 0 ? parents : strcmp(left->text, right->text);
}

static struct stack_node *find_child(struct stack_tree *tree, struct stack_node *parent, const char *text)
{
    const struct stack_node wanted = {.text = text, .parent = parent};
    struct stack_node *node = arena_find(&wanted, tree->nodes, compare_nodes);
    if (node != NULL)
        return node;
    node = arena_allocate(sizeof *node);
    *node = (struct stack_node){.text = arena_copy(text), .parent = parent};
    arena_search(node, &tree->nodes, compare_nodes);
    parent->children = arena_append(parent->children, &parent->child_count, sizeof(struct stack_node *));
    parent->children[parent->child_count - 1] = node;
    return node;
}

static void count(struct stack_node *node, const struct process *process)
{
    node->thread_count++;
    if (node->last == process)
        return;
    node->last = process;
    node->process_count++;
    ranks_add(&node->ranks, process->rank);
}

void stack_tree_add(struct stack_tree *tree, const struct process *process, const struct call_stack *stack, bool all)
{
    const bool is_main = process->pid > 0 && stack->tid == (uint32_t)process->pid;
    if (!all && !is_main && stack->line_count > 0 && !call_stack_is_of_program(stack)) {
        tree->helpers++;
        return;
    }
    struct stack_node *node = &tree->root;
    count(node, process);
    if (stack->is_cut) {
        node = find_child(tree, node, "...");
        count(node, process);
    }
    for (size_t i = stack->line_count; i > 0; i--) {
        char *text = describe_stack_line(&stack->lines[i - 1]);
        node = find_child(tree, node, text);
        count(node, process);
        free(text);
    }
}

struct stack_tree stack_tree_make(const struct job *job, const struct rank_set *ranks, bool all)
{
    struct stack_tree tree = {.nodes = NULL};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (size_t j = 0; j < process->call_stack_count && rank_is_chosen(ranks, process->rank); j++)
            stack_tree_add(&tree, process, &process->call_stacks[j], all);
    }
    return tree;
}

const char *describe_stack_ranks(const struct stack_node *node)
{
    const char *numbers = ranks_text(&node->ranks);
    const char *ranks = node->process_count > 1 ? arena_text("%zu ranks %s", node->process_count, numbers)
                                                : arena_text("rank %s", numbers);
    return node->thread_count > node->process_count ? arena_text("%s, %zu threads", ranks, node->thread_count)
                                                    : arena_copy(ranks);
}
