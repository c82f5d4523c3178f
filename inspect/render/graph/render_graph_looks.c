/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The border of a node says its role; colour comes on top.
 */
#include "render/graph/render_graph.h"

static const struct picture_look looks[] = {
    [PICTURE_CAUSE] = {"cause", "black", "peripheries=2, penwidth=2.5, color=\"#b3261e\", fillcolor=\"#fdecea\""},
    [PICTURE_INVOLVED] = {"involved", "black", "penwidth=2.5, color=\"#9a5b00\", fillcolor=\"#fff4e0\""},
    [PICTURE_CONSEQUENCE] = {"consequence", "#444444", "color=\"#6b6b6b\", fillcolor=\"#f0f0f0\""},
    [PICTURE_WAITS] = {"waits", "black", "style=\"filled,dashed\", color=\"#2f6f4f\", fillcolor=\"#ffffff\""},
    [PICTURE_ENDED] = {"ended", "black", "style=\"filled,dotted\", color=\"#444444\", fillcolor=\"#ffffff\""},
    [PICTURE_UNREAD] = {"unread", "black", "style=\"filled,dotted\", color=\"#444444\", fillcolor=\"#ffffff\""},
    [PICTURE_SEEN] = {"seen", "black", "style=\"filled,dotted\", color=\"#9a5b00\", fillcolor=\"#ffffff\""},
    [PICTURE_LIVE] = {"live", "black", "style=\"filled,dashed\", color=\"#2f6f4f\", fillcolor=\"#ffffff\""},
};

const struct picture_look *picture_look(enum picture_role role)
{
    return &looks[role];
}
