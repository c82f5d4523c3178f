/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/graph/ only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_INTERNAL_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_INTERNAL_H

#include "render/graph/render_graph.h"

#include <stdio.h>

/* -- render_graph_cell.c --
 * Texts in cells, all of one width. For render_graph*.c only.
 */

/* The width of one column, in points. */
extern const double cell_width;

/* The text as an element of SVG around (x, y), as wide as its columns; `ink`: its colour. */
void write_cells(FILE *stream, const char *text, const char *ink, double x, double y);

/* -- render_graph_classes.c --
 * Processes that do the same and wait for the same ranks. For render_graph*.c only.
 */

/* The facts about one process. */
struct standing {
    enum picture_role role;
    const struct rank_wait *waits; /* of the analysis */
    size_t wait_count;
    size_t class;
};

struct picture_class {
    enum picture_role role;
    const char *pattern; /* their call, whichever ranks they wait for */
    size_t sort;         /* equal for classes of one role and pattern, counted from 0 */
    size_t first;        /* number of a process of it */
    size_t *members;     /* numbers of all, ascending */
    size_t member_count;
};

struct classes {
    const struct job *job;
    const struct analysis *analysis;
    struct standing *standings; /* by number of process */
    struct picture_class *items;
    size_t count;
    size_t sort_count;
};

struct classes classes_make(const struct job *job, const struct analysis *analysis,
                            const struct communicator_labels *labels);

/* The number of the first process of this rank; the count of processes: there is none. */
size_t process_number(const struct job *job, int rank);

/* -- render_graph_cycles.c --
 * Ranks that do the same and wait for each other in a ring. For render_graph*.c only.
 */

struct cycle {
    size_t *classes; /* of one process each; each waits for nothing but the next, the last one for the first */
    size_t count;
};

struct cycles {
    struct cycle *items;
    size_t count;
    size_t class_count; /* of all of them */
};

/* Fewer are a pair, and more rings no picture. */
enum { LEAST_IN_RING = 3, MOST_RINGS = 12 };

/* In O(n) of the classes. */
struct cycles cycles_find(const struct classes *classes);

/* -- render_graph_dot.c --
 * The graph as source for Graphviz.
 */

/* Source for Graphviz: a directed graph whose nodes are called as describe_picture_ranks() says and have the class of
 * their role (cause, involved, consequence, waits, ended, unread, seen, live); in SVG the id of node i is "node<i>". 0,
 * or -1 when writing failed. */
int picture_write_dot(FILE *stream, const struct picture *picture);
/* As picture_write_dot(), but with places for labels where `has_places`. */
int picture_write_source(FILE *stream, const struct picture *picture, bool has_places);

/* -- render_graph_labels.c -- The texts at the nodes and links of a picture, broken into lines. For render_graph*.c
 * only.
 */

struct picture_label {
    const char **lines; /* valid texts */
    size_t line_count;
    size_t columns; /* of the longest line */
};

struct picture_label label_of_node(const struct picture_node *node);
struct picture_label label_of_link(const struct picture *picture, const struct picture_link *link);

/* Whether the link leads to one of several ranks of which any would do. */
bool link_is_choice(const struct picture *picture, const struct picture_link *link);

/* -- render_graph_links.c --
 * The links of a picture. For render_graph*.c only.
 */

/* Fills the links of the picture, whose nodes are there; `node_of`: the node of each class. */
void picture_find_links(const struct classes *classes, const size_t *node_of, const struct communicator_labels *labels,
                        struct picture *picture);

/* -- render_graph_places.c --
 * Where texts go in a drawing. Graphviz would measure them by a font of the machine that draws, and who shows them has
 * another: so Graphviz gets a place of our size for each label, and we write the texts there, as wide as their place.
 * For render_graph*.c only.
 */

/* Numbers of places. */
size_t place_of_node(size_t node);
size_t place_of_link(const struct picture *picture, size_t link);

/* A label of Graphviz with its delimiters, which is drawn as a box without text. `node`: the ring that it may have goes
 * below the text; NULL: the label of a link. */
void write_place(FILE *stream, const struct picture_label *label, const struct picture_node *node, size_t number);
/* The drawing with the texts of the picture in its places. NULL: it has not all of them. */
const char *fill_places(const char *drawing, const struct picture *picture);

/* -- render_graph_ring.c --
 * The drawing of a ring: ranks on a circle, with an arrow from each to the next. For render_graph*.c only.
 */

/* In points; 0: the node has no ring, or is NULL. */
struct ring_size {
    double width, height;
};
struct ring_size ring_size_of(const struct picture_node *node);

/* Elements of SVG around (x, y); `ink`: their colour. */
void write_ring(FILE *stream, const struct picture_node *node, const char *ink, double x, double y);

#endif
