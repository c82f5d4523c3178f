/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks as text.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "stack/stack.h"
#include "text/text.h"

/* Lines before "+ N more". */
enum { MOST_LINES = 1000 };

struct tree_writing {
    struct text_table *table;
    size_t left; /* lines that may be written */
    size_t left_out;
};

/* Names ranks if they differ from the line above. */
static void add_node(struct tree_writing *writing, const struct stack_node *node, struct text_line *parent)
{
    if (writing->left == 0) {
        writing->left_out++;
        return;
    }
    writing->left--;
    const bool is_alone = node->parent->thread_count == node->thread_count && parent != NULL;
    const char *text = arena_copy(node->text);
    const char *ranks = is_alone ? "" : describe_stack_ranks(node);
    const char *const cells[] = {text, ranks};
    struct text_line *line = text_table_add_below(writing->table, parent, cells);
    for (size_t i = 0; i < node->child_count; i++)
        add_node(writing, node->children[i], line);
}

int render_stacks(FILE *stream, const struct job *job, const struct render_options *options)
{
    static const struct text_column columns[] = {{"STACK", false, false}, {"RANKS", false, false}};
    struct stack_tree tree = stack_tree_make(job, &options->ranks, options->all);
    struct tree_writing writing = {.table = text_table_create(columns, 2, true, options->color),
                                   .left = options->all ? SIZE_MAX : MOST_LINES};
    if (tree.root.child_count > 0)
        fputc('\n', stream);
    for (size_t i = 0; i < tree.root.child_count; i++)
        add_node(&writing, tree.root.children[i], NULL);
    const int result = text_table_finish(writing.table, stream);
    if (writing.left_out > 0)
        print_line(stream, "+ %zu more branches: --rank shows those of the ranks that you name, --all all",
                   writing.left_out);
    if (tree.helpers > 0)
        print_line(stream, "%zu thread%s of libraries %s not shown: --all shows them", tree.helpers,
                   tree.helpers == 1 ? "" : "s", tree.helpers == 1 ? "is" : "are");
    return result;
}
