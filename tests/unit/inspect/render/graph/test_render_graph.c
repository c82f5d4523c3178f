/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph of waits of hand-made jobs: grouping of ranks, and the source for Graphviz.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/graph/render_graph_internal.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char hostile_name[] = "</script><b>\"&amp;\\N\xff\n}";

static void expect_ranks(const struct picture_node *node, const char *expected)
{
    const char *text = describe_picture_ranks(node);
    cr_expect_str_eq(text, expected);
}

static const struct picture_link *find_link(const struct picture *picture, size_t from, size_t to)
{
    for (size_t i = 0; i < picture->link_count; i++)
        if (picture->links[i].from == from && picture->links[i].to == to)
            return &picture->links[i];
    return NULL;
}

/* Every rank stands in one node. */
static void expect_all_ranks(const struct picture *picture, int ranks)
{
    bool *seen = allocate((size_t)ranks * sizeof *seen);
    for (size_t i = 0; i < picture->node_count; i++)
        for (size_t j = 0; j < picture->nodes[i].ranks.count; j++) {
            cr_expect(!seen[picture->nodes[i].ranks.items[j]], "rank %d twice", picture->nodes[i].ranks.items[j]);
            seen[picture->nodes[i].ranks.items[j]] = true;
        }
    for (int i = 0; i < ranks; i++)
        cr_expect(seen[i], "no rank %d", i);
    free(seen);
}

static void expect_ring(int ranks, const char *all, const char *call)
{
    struct job job = ring_of_receives(ranks);
    struct picture picture = draw_wait_job(&job);
    cr_assert_eq(picture.node_count, 1);
    cr_expect_eq(picture.link_count, 0);
    const struct picture_node *node = &picture.nodes[0];
    cr_expect_eq(node->role, PICTURE_CAUSE);
    expect_ranks(node, all);
    cr_expect_str_eq(node->call, call);
    cr_expect_str_eq(node->site, "ring.c:41 exchange");
    cr_assert_not_null(node->ring);
    for (int i = 0; i < ranks; i++)
        cr_expect_eq(node->ring[i], i);
    cr_expect_str_eq(node->wanted, "a message with tag 7 on MPI_COMM_WORLD");
    job_clear(&job);
}

Test(render_graph, ring_is_one_node)
{
    expect_ring(3, "ranks [0-2]", "MPI_Recv(1 x MPI_INT <- rank+1 mod 3, tag 7, MPI_COMM_WORLD)");
    expect_ring(4000, "ranks [0-3999]", "MPI_Recv(1 x MPI_INT <- rank+1 mod 4000, tag 7, MPI_COMM_WORLD)");
}

/* Two rings, one of which goes down, a pair, and one that waits for a ring. */
Test(render_graph, rings_and_others)
{
    static const int peers[] = {1, 2, 0, 5, 3, 4, 7, 6, 1};
    struct job job = begin_wait_job(9);
    for (int rank = 0; rank < 9; rank++)
        wait_in_recv(&job, rank, peers[rank], 7);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    expect_all_ranks(&picture, 9);
    cr_assert_eq(picture.node_count, 5);
    expect_ranks(&picture.nodes[0], "ranks [0-2]");
    expect_ranks(&picture.nodes[1], "ranks [3-5]");
    cr_assert(picture.nodes[0].ring != NULL && picture.nodes[1].ring != NULL);
    cr_expect(picture.nodes[1].ring[0] == 3 && picture.nodes[1].ring[1] == 5 && picture.nodes[1].ring[2] == 4);
    expect_ranks(&picture.nodes[2], "rank 6");
    cr_expect_null(picture.nodes[2].ring);
    cr_expect_not_null(find_link(&picture, 2, 3));
    cr_expect_not_null(find_link(&picture, 3, 2));
    expect_ranks(&picture.nodes[4], "rank 8");
    cr_expect_not_null(find_link(&picture, 4, 0));
    cr_expect_eq(picture.link_count, 3);
    job_clear(&job);
}

/* Each of 2000 pairs waits for the other one. */
Test(render_graph, many_culprits_are_some_and_the_rest)
{
    struct job job = begin_wait_job(4000);
    for (int rank = 0; rank < 4000; rank++)
        wait_in_recv(&job, rank, rank ^ 1, 7);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    cr_assert_eq(picture.node_count, MOST_SINGLE_CULPRITS + 1);
    expect_all_ranks(&picture, 4000);
    const size_t rest = MOST_SINGLE_CULPRITS;
    expect_ranks(&picture.nodes[0], "rank 0");
    expect_ranks(&picture.nodes[11], "rank 11");
    expect_ranks(&picture.nodes[rest], "ranks [12-3999]");
    cr_expect_str_eq(picture.nodes[rest].call, "MPI_Recv(1 x MPI_INT <- rank xor 1, tag 7, MPI_COMM_WORLD)");
    cr_expect_not_null(find_link(&picture, 0, 1));
    cr_expect_not_null(find_link(&picture, 11, 10));
    cr_expect_null(find_link(&picture, 11, rest));
    const struct picture_link *itself = find_link(&picture, rest, rest);
    cr_assert_not_null(itself);
    cr_expect_str_eq(itself->label, "a message with tag 7 on MPI_COMM_WORLD");
    job_clear(&job);
}

/* Each waits for the next, up to one that is not in MPI. */
Test(render_graph, a_line_is_one_node)
{
    struct job job = begin_wait_job(100);
    for (int rank = 0; rank < 99; rank++)
        wait_in_recv(&job, rank, rank + 1, 7);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    cr_assert_eq(picture.node_count, 2);
    expect_ranks(&picture.nodes[0], "ranks [0-98]");
    cr_expect_null(picture.nodes[0].ring);
    cr_expect_str_eq(picture.nodes[0].call, "MPI_Recv(1 x MPI_INT <- rank+1, tag 7, MPI_COMM_WORLD)");
    const struct picture_link *itself = find_link(&picture, 0, 0);
    cr_assert_not_null(itself);
    cr_expect_str_eq(itself->label, "each from rank +1: a message with tag 7 on MPI_COMM_WORLD");
    job_clear(&job);
}

static void expect_barrier(int ranks, const char *others)
{
    struct job job = barrier_against_receive(ranks, "MPI_COMM_WORLD");
    struct picture picture = draw_wait_job(&job);
    expect_all_ranks(&picture, ranks);
    cr_assert_leq(picture.node_count, 3);
    size_t last = 0, barrier = 0;
    for (size_t i = 0; i < picture.node_count; i++) {
        const struct picture_node *node = &picture.nodes[i];
        last = node->ranks.items[node->ranks.count - 1] == ranks - 1 ? i : last;
        barrier = node->ranks.count > 1 ? i : barrier;
    }
    expect_ranks(&picture.nodes[barrier], others);
    cr_expect_eq(picture.nodes[last].role, PICTURE_CAUSE);
    const struct picture_link *link = find_link(&picture, barrier, last);
    cr_assert_not_null(link);
    cr_expect_str_eq(link->label, "MPI_Barrier on MPI_COMM_WORLD");
    job_clear(&job);
}

/* The same picture with 4 ranks and with very many. */
Test(render_graph, equal_ranks_are_one_node)
{
    expect_barrier(5, "ranks [1-3]");
    expect_barrier(4000, "ranks [1-3998]");
    expect_barrier(100000, "ranks [1-99998]");
}

Test(render_graph, equal_calls_in_full)
{
    struct job job = begin_wait_job(4);
    for (int rank = 0; rank < 3; rank++)
        wait_in_recv(&job, rank, 3, 7);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    cr_assert_eq(picture.node_count, 2);
    expect_ranks(&picture.nodes[0], "ranks [0-2]");
    cr_expect_str_eq(picture.nodes[0].call, "MPI_Recv(1 x MPI_INT <- 3, tag 7, MPI_COMM_WORLD)");
    cr_expect_str_eq(picture.nodes[0].site, "ring.c:41 exchange");
    cr_expect_eq(picture.nodes[1].role, PICTURE_LIVE);
    job_clear(&job);
}

Test(render_graph, any_of_many)
{
    struct job job = begin_wait_job(3);
    wait_in_recv(&job, 0, -1, 7);
    wait_in_recv(&job, 1, 0, 7);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    for (size_t i = 0; i < picture.node_count; i++) {
        const struct picture_node *node = &picture.nodes[i];
        const char *mode = describe_picture_mode(node);
        if (node->ranks.items[0] == 0) {
            cr_expect_eq(node->role, PICTURE_WAITS);
            cr_expect_not_null(strstr(mode, "any of"), "'%s'", mode);
        }
        if (node->ranks.items[0] == 2) {
            cr_expect_eq(node->role, PICTURE_LIVE);
            cr_expect_not_null(strstr(node->call, "compute (ring.c:80)"), "%s", node->call);
        }
    }
    job_clear(&job);
}

/* All have begun call 1, so no rank waits for another to begin it; the culprits are marked all the same. */
Test(render_graph, calls_that_do_not_fit)
{
    struct job job = begin_wait_job(4);
    for (int rank = 0; rank < 4; rank++)
        wait_in_barrier(&job, rank);
    world_of(&job, 3)->recent_collectives[0].function = "MPI_Allreduce";
    job.processes[3].threads[0].function = "MPI_Allreduce";
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    cr_assert_eq(picture.node_count, 2);
    expect_ranks(&picture.nodes[0], "rank 3");
    expect_ranks(&picture.nodes[1], "ranks [0-2]");
    const struct picture_link *link = find_link(&picture, 1, 0);
    cr_assert_not_null(link);
    cr_expect_str_eq(link->label, "MPI_Barrier on MPI_COMM_WORLD");
    cr_expect_eq(picture.link_count, 1);
    job_clear(&job);
}

/* The arrow says which tag came instead of the wanted one. */
Test(render_graph, tag_that_does_not_fit)
{
    struct job job = begin_wait_job(2);
    wait_in_recv(&job, 1, 0, 8);
    wait_in_recv(&job, 0, 1, 5);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    end_wait_job(&job);
    struct picture picture = draw_wait_job(&job);
    size_t found = 0;
    for (size_t i = 0; i < picture.link_count; i++)
        found += strcmp(picture.links[i].label, "a message with tag 8 on MPI_COMM_WORLD, but tag 7 was sent") == 0;
    cr_expect_eq(found, 1, "%s", picture.link_count > 0 ? picture.links[0].label : "no link");
    job_clear(&job);
}

static bool has_graphviz(void)
{
    return system("command -v dot >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c): nothing of it comes from outside */
}

/* Lines of `dot -Tplain` that begin with the word. */
static size_t count_lines(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        count += strncmp(line, word, strlen(word)) == 0;
    }
    return count;
}

/* The source as Graphviz parsed it; the caller frees it. */
static char *parse(const struct picture *picture)
{
    char name[] = "/tmp/mpilens-graph-XXXXXX";
    const int descriptor = mkstemp(name);
    cr_assert_geq(descriptor, 0);
    FILE *source = fdopen(descriptor, "w");
    cr_assert_eq(picture_write_dot(source, picture), 0);
    fclose(source);
    char *line = format_text("dot -Tplain %s", name);
    FILE *parsed = popen(line, "r"); /* NOLINT(cert-env33-c): the test's own command */
    cr_assert_not_null(parsed);
    char *text = NULL;
    size_t bytes = 0;
    cr_assert_gt(getdelim(&text, &bytes, '\0', parsed), 0);
    cr_assert_eq(pclose(parsed), 0);
    unlink(name);
    free(line);
    return text;
}

static void expect_parsed(struct job job, size_t nodes, size_t links)
{
    struct picture picture = draw_wait_job(&job);
    char *text = parse(&picture);
    cr_expect_eq(count_lines(text, "node "), nodes, "%s", text);
    cr_expect_eq(count_lines(text, "edge "), links, "%s", text);
    free(text);
    job_clear(&job);
}

Test(render_graph, graphviz_reads_it)
{
    if (!has_graphviz())
        cr_skip_test("Graphviz is not installed");
    expect_parsed(ring_of_receives(4), 1, 1);
    expect_parsed(ring_of_tags(4), 4, 4);
    expect_parsed(barrier_against_receive(4000, "world"), 3, 3);
}

Test(render_graph, names_of_the_application_stay_texts)
{
    if (!has_graphviz())
        cr_skip_test("Graphviz is not installed");
    struct job job = barrier_against_receive(4, hostile_name);
    struct picture picture = draw_wait_job(&job);
    struct reason reason;
    const char *svg;
    cr_assert_eq(picture_draw(&picture, &svg, &reason), 0, "%s", reason.text);
    cr_expect_null(strstr(svg, "<b>"));
    cr_expect_null(strstr(svg, "</script>"));
    cr_expect_not_null(strstr(svg, "&lt;/script&gt;&lt;b&gt;&quot;&amp;amp;\\N\xef\xbf\xbd }"), "%s", svg);
    cr_expect_not_null(strstr(svg, "id=\"node0\" class=\"node cause\""), "%s", svg);
    cr_expect_not_null(strstr(svg, "<title>rank 0&#45;&gt;rank 3</title>"), "%s", svg);
    job_clear(&job);
}

Test(render_graph, without_graphviz)
{
    struct job job = ring_of_receives(4);
    struct picture picture = draw_wait_job(&job);
    struct reason reason = {.text = ""};
    const char *svg = NULL;
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    cr_expect_eq(picture_draw(&picture, &svg, &reason), -1);
    cr_expect_null(svg);
    cr_expect_not_null(strstr(reason.text, "Graphviz is not installed"), "%s", reason.text);
    job_clear(&job);
}
