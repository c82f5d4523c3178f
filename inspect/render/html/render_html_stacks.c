/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes call stacks into the page.
 */
#include "render/html/render_html_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"
#include "stack/stack.h"
#include "text/text.h"

#include <stdlib.h>

/* Lines of the tree that stand on the page, and blanks before them. */
enum { MOST_LINES = 2000, STEP = 2, MOST_INDENT = 40 };

void html_write_paths(FILE *stream, const struct job *job, const struct finding *finding)
{
    struct call_paths paths = call_paths_of(job, finding);
    if (paths.count > 0)
        fputs("<ul class=\"paths\">\n", stream);
    for (size_t i = 0; i < paths.count; i++) {
        fputs("<li>Stack of ", stream);
        html_write_ranks(stream, &paths.items[i].ranks);
        fputs(": <span class=\"frames\">", stream);
        html_write_text(stream, paths.items[i].text);
        fputs("</span></li>\n", stream);
    }
    if (paths.left_out > 0)
        fprintf(stream, "<li>and %zu more</li>\n", paths.left_out);
    if (paths.count > 0)
        fputs("</ul>\n", stream);
}

static void write_ranks(FILE *stream, const struct stack_node *node)
{
    fputs(" <small>", stream);
    if (node->ranks.count > 0)
        html_write_ranks(stream, &node->ranks);
    else
        fputs("rank ?", stream);
    if (node->thread_count > node->process_count)
        fprintf(stream, ", %zu threads", node->thread_count);
    fputs("</small>", stream);
}

/* Functions that call one function each stand below each other, each a step to the right; a list begins where stacks
 * part. */
static void write_nodes(FILE *stream, const struct stack_node *parent, size_t *left)
{
    fputs("<ul>\n", stream);
    for (size_t i = 0; i<parent->child_count && * left> 0; i++) {
        const struct stack_node *node = parent->children[i];
        const size_t threads = node->thread_count;
        fputs("<li", stream);
        html_write_ranks_attribute(stream, &node->ranks);
        fputs(">", stream);
        int depth = 0;
        for (bool is_first = true;; is_first = false) {
            fprintf(stream, "<span class=\"frames\">%*s", depth, "");
            depth += depth < MOST_INDENT ? STEP : 0;
            html_write_text(stream, node->text);
            fputs("</span>", stream);
            if (is_first)
                write_ranks(stream, node);
            if (*left > 0)
                --*left;
            if (*left == 0 || node->child_count != 1 || node->children[0]->thread_count != threads)
                break;
            fputs("<br>\n", stream);
            node = node->children[0];
        }
        if (node->child_count > 0 && *left > 0)
            write_nodes(stream, node, left);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

void html_write_stacks(FILE *stream, const struct job *job, const struct render_options *options)
{
    size_t left = MOST_LINES;
    struct stack_tree tree = stack_tree_make(job, &options->ranks, false);
    if (tree.root.child_count > 0) {
        fputs("<section aria-labelledby=\"stacks-title\">\n<h2 id=\"stacks-title\">Call stacks</h2>\n"
              "<div class=\"scroll stacks\" role=\"group\" aria-labelledby=\"stacks-title\" tabindex=\"0\">\n",
              stream);
        write_nodes(stream, &tree.root, &left);
        fputs("</div>\n", stream);
        if (left == 0)
            fputs("<p class=\"faint\">and more</p>\n", stream);
        fputs("</section>\n", stream);
    }
}
