/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of the drawing: whatever fonts there are, they are where and as wide as they are meant to be.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/graph/render_graph_internal.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_graphviz(void)
{
    return system("command -v dot >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c): nothing of it comes from outside */
}

/* The drawing. */
static const char *draw_svg(const struct picture *picture)
{
    struct reason reason;
    const char *svg;
    cr_assert_eq(picture_draw(picture, &svg, &reason), 0, "%s", reason.text);
    return svg;
}

/* Configurations of fontconfig instead of the machine's: no font at all, and letters twice as wide. */
static const char *const font_configurations[] = {
    "",
    "<include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include><match target=\"font\"><edit name=\"matrix\" "
    "mode=\"assign\"><matrix><double>2</double><double>0</double><double>0</double><double>1</double></matrix></edit>"
    "</match>",
};

Test(render_graph_places, fonts_of_the_machine_change_nothing)
{
    if (!has_graphviz())
        cr_skip_test("Graphviz is not installed");
    struct job job = barrier_against_receive(4, "world");
    struct picture picture = draw_wait_job(&job);
    const char *svg = draw_svg(&picture);
    for (size_t i = 0; i < sizeof font_configurations / sizeof *font_configurations; i++) {
        char name[] = "/tmp/mpilens-fonts-XXXXXX";
        const int descriptor = mkstemp(name);
        cr_assert_geq(descriptor, 0);
        dprintf(descriptor, "<?xml version=\"1.0\"?>\n<fontconfig>%s</fontconfig>\n", font_configurations[i]);
        close(descriptor);
        cr_assert_eq(setenv("FONTCONFIG_FILE", name, 1), 0);
        const char *other = draw_svg(&picture);
        unlink(name);
        cr_expect_str_eq(other, svg, "with the fonts %s: %s", font_configurations[i], other);
    }
    job_clear(&job);
}

static size_t count_parts(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static double number_after(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    cr_assert_not_null(found, "no %s in %s", part, text);
    return strtod(found + strlen(part), NULL);
}

/* A node's first polygon is its box. */
static double width_of_node(const char *svg, const char *id)
{
    const char *node = strstr(svg, id);
    cr_assert_not_null(node, "no %s", id);
    const char *points = strstr(node, "points=\"");
    const char *next = strchr(points, ' ');
    return number_after(points, "points=\"") - strtod(next, NULL);
}

/* Each text is as wide as its characters, and fits its node. */
Test(render_graph_places, texts_are_as_wide_as_their_place)
{
    if (!has_graphviz())
        cr_skip_test("Graphviz is not installed");
    static const char *const names[] = {"abcd", "\xe4\xb8\x96\xe7\x95\x8c", "a\xcc\x81"};
    double widths[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct job job = barrier_against_receive(4, names[i]);
        struct picture picture = draw_wait_job(&job);
        const char *svg = draw_svg(&picture);
        const char *call = strstr(svg, "MPI_Barrier(");
        cr_assert_not_null(call);
        while (strncmp(call, "<text", strlen("<text")) != 0)
            call--;
        widths[i] = number_after(call, "textLength=\"");
        cr_expect_gt(width_of_node(svg, "id=\"node0\""), widths[i]);
        cr_expect_eq(count_parts(svg, "<text "), count_parts(svg, "textLength="));
        cr_expect_eq(count_parts(svg, "<TABLE"), 0);
        cr_expect_eq(count_parts(svg, "fill=\"#1000"), 0, "a place is left");
        job_clear(&job);
    }
    cr_expect_float_eq(widths[0], widths[1], 0.01, "%f, %f", widths[0], widths[1]);
    cr_expect_float_eq(widths[0] - widths[2], 3 * widths[0] / strlen("MPI_Barrier(call 1 on abcd)"), 0.01);
}

/* The character often; the caller frees it. */
static char *repeat(const char *character, size_t count)
{
    const size_t length = strlen(character);
    char *text = allocate(count * length + 1), *end = text;
    for (size_t i = 0; i < count; i++)
        end = stpcpy(end, character);
    return text;
}

/* Names without a space are cut, also where they are made of marks that have no width. */
Test(render_graph_places, lines_are_short)
{
    static const struct {
        const char *character;
        size_t columns, bytes;
    } names[] = {
        {"x", 46 + 4, 46 + 4}, {"\xe4\xb8\x96", 46 + 4, 23 * 3 + 4}, {"\xcc\x81", 4, 46 * 2 + 4}}; /* with " ..." */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct picture_node node = {.role = PICTURE_LIVE};
        struct picture_link link = {.label = repeat(names[i].character, 200)};
        const struct picture picture = {.nodes = &node, .node_count = 1, .links = &link, .link_count = 1};
        struct picture_label label = label_of_link(&picture, &link);
        cr_assert_eq(label.line_count, 3);
        cr_expect_eq(label.columns, names[i].columns, "%zu columns", label.columns);
        cr_expect_eq(strlen(label.lines[2]), names[i].bytes, "%s", label.lines[2]);
    }
}

Test(render_graph_places, drawing_without_places)
{
    struct job job = ring_of_tags(4);
    struct picture picture = draw_wait_job(&job);
    cr_expect_null(fill_places("<svg></svg>", &picture));
    cr_expect_null(fill_places("<svg><polygon fill=\"#100000\" points=\"0,0 1,0 1,1\"/></svg>", &picture));
    cr_expect_null(fill_places("<svg><polygon fill=\"#100000\"", &picture));
    job_clear(&job);
}
