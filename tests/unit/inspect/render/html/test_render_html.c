/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of hand-made jobs: which rows its table gets, and that texts of the application stay texts.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/html/render_html_internal.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHAT = 3, FUNCTION, DETAILS, PEER, TAG, COMMUNICATOR, STATUS, PLACE };

static const struct render_options all_ranks;

static json_t *rows_of(const struct job *job, const struct render_options *options)
{
    struct communicator_labels labels = label_communicators(job);
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream data = {.file = open_memstream(&text, &bytes), .style = JSON_IN_HTML};
    json_stream_open_object(&data, NULL);
    page_write_rows(&data, job, &labels, options);
    json_stream_close(&data);
    cr_expect_eq(json_stream_finish(&data), 0);
    fclose(data.file);
    json_t *rows = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(rows);
    free(text);
    return rows;
}

static const char *cell(json_t *rows, size_t row, size_t column)
{
    json_t *number = json_array_get(json_array_get(json_object_get(rows, "rows"), row), column);
    return json_string_value(json_array_get(json_object_get(rows, "texts"), (size_t)json_integer_value(number)));
}

/* The row's ranks and how often each of them has it. */
static void expect_row(json_t *rows, size_t row, const char *ranks, int repeats, const char *what, const char *tag)
{
    json_t *items = json_array_get(json_object_get(rows, "rows"), row);
    cr_assert_not_null(items, "no row %zu", row);
    cr_expect_str_eq(json_string_value(json_array_get(items, 0)), ranks);
    cr_expect_eq(json_integer_value(json_array_get(items, 1)), repeats);
    cr_expect_str_eq(cell(rows, row, WHAT), what);
    cr_expect_str_eq(cell(rows, row, TAG), tag);
}

static size_t count_rows(json_t *rows)
{
    return json_array_size(json_object_get(rows, "rows"));
}

Test(render_html, equal_rows_are_one)
{
    struct job job = begin_wait_job(5);
    for (int rank = 0; rank < 4; rank++)
        for (int i = 0; i < (rank == 3 ? 2 : 3); i++) {
            build_receive(world_of(&job, rank), 4, 4, 7, BUILD_PENDING);
            build_receive(world_of(&job, rank), 4, 4, rank == 1 ? 9 : 8, BUILD_PENDING);
        }
    end_wait_job(&job);
    json_t *rows = rows_of(&job, &all_ranks);
    cr_assert_eq(count_rows(rows), 6);
    expect_row(rows, 0, "0-4", 1, "call", "");
    cr_expect_str_eq(cell(rows, 0, DETAILS), "not in MPI: in compute (ring.c:80)");
    expect_row(rows, 1, "0-2", 3, "receive", "7");
    expect_row(rows, 2, "0,2", 3, "receive", "8");
    expect_row(rows, 3, "1", 3, "receive", "9");
    expect_row(rows, 4, "3", 2, "receive", "7");
    expect_row(rows, 5, "3", 2, "receive", "8");
    cr_expect_str_eq(cell(rows, 1, DETAILS), "1 x MPI_INT (4 bytes)");
    cr_expect_str_eq(cell(rows, 1, PEER), "4");
    cr_expect_str_eq(cell(rows, 1, STATUS), "pending");
    json_decref(rows);
    job_clear(&job);
}

Test(render_html, only_the_ranks_asked_for)
{
    struct job job = ring_of_receives(8);
    struct render_options options = {.color = false};
    cr_assert_eq(rank_set_parse(&options.ranks, "2,5"), 0);
    json_t *rows = rows_of(&job, &options);
    cr_expect_eq(count_rows(rows), 4);
    expect_row(rows, 0, "2", 1, "call", "7");
    expect_row(rows, 3, "5", 1, "receive", "7");
    json_decref(rows);
    rank_set_clear(&options.ranks);
    job_clear(&job);
}

Test(render_html, what_is_left_out_is_counted)
{
    const int excess = 10;
    struct job job = begin_wait_job(2);
    for (int i = 0; i < MOST_PAGE_ROWS + excess; i++)
        build_receive(world_of(&job, 0), 1, 1, i, BUILD_PENDING);
    json_t *rows = rows_of(&job, &all_ranks);
    cr_expect_eq(count_rows(rows), MOST_PAGE_ROWS);
    /* The call of both ranks is one more row. */
    cr_expect_eq(json_integer_value(json_object_get(rows, "left_out")), excess + 1);
    json_decref(rows);
    job_clear(&job);
}

/* The page; the caller frees it. */
static char *page_of(const struct job *job)
{
    const struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    struct reason reason;
    char path[] = "/tmp/mpilens-page-XXXXXX";
    close(mkstemp(path));
    analyze(job, &how, &analysis);
    cr_assert_eq(render_why_html(path, job, &analysis, &all_ranks, &reason), 0, "%s", reason.text);
    analysis_clear(&analysis);
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(fstat(descriptor, &status), 0);
    char *text = allocate((size_t)status.st_size + 1);
    cr_assert_eq(read(descriptor, text, (size_t)status.st_size), status.st_size);
    close(descriptor);
    unlink(path);
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        found++;
    return found;
}

Test(render_html, texts_stay_texts)
{
    struct job job = barrier_against_receive(4, "</script><b x='\"'><!--\xff");
    job.processes[1].executable[0] = '<';
    free(job.processes[2].reason);
    job.processes[2].state = PROCESS_UNREADABLE;
    job.processes[2].reason = copy_text("<b>not allowed</b>");
    char *page = page_of(&job);
    cr_expect_eq(count(page, "<b"), count(page, "<body") + count(page, "<button") + count(page, "<br>"),
                 "an element too many");
    cr_expect_eq(count(page, "</script>"), 2);
    cr_expect_eq(count(page, "<!--["), 0, "something was not filled in");
    cr_expect_not_null(strstr(page, "&lt;b&gt;not allowed&lt;/b&gt;"));
    cr_expect_not_null(strstr(page, "\\u003C/script\\u003E\\u003Cb x='\\\""));
    free(page);
    job_clear(&job);
}

/* The fault, then a line for each of its ranks. */
Test(render_html, clauses_stand_apart)
{
    struct job job = barrier_against_receive(4, "a: b; c");
    char *page = page_of(&job);
    cr_expect_not_null(strstr(page, "<strong>ranks [0,3] wait for each other: </strong>"
                                    "<span>rank 0 is in MPI_Barrier(call 1 on a: b; c) at ring.c:63; </span>"
                                    "<span>rank 3 is in MPI_Recv(1 x MPI_INT &lt;- 0, tag 7, a: b; c) at ring.c:41"
                                    "</span></p>"));
    free(page);
    job_clear(&job);
}

Test(render_html, nothing_wrong)
{
    struct job job = begin_wait_job(3);
    end_wait_job(&job);
    char *page = page_of(&job);
    cr_expect_not_null(strstr(page, "<title>mpilens: nothing wrong found</title>"));
    cr_expect_not_null(strstr(page, "Nothing wrong found</h3>"));
    free(page);
    job_clear(&job);
}

/* Its member for the script, and its cells. */
static json_t *strip_of(const struct job *job, const struct analysis *analysis, char **ret_html)
{
    struct page_strip strip = page_strip_make(job, analysis);
    char *text = NULL;
    size_t bytes = 0, html_bytes = 0;
    struct json_stream data = {.file = open_memstream(&text, &bytes), .style = JSON_IN_HTML};
    json_stream_open_object(&data, NULL);
    page_write_strip(&data, &strip);
    json_stream_close(&data);
    cr_expect_eq(json_stream_finish(&data), 0);
    fclose(data.file);
    FILE *html = open_memstream(ret_html, &html_bytes);
    html_write_strip(html, &strip);
    fclose(html);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(document, "%s", text);
    free(text);
    return document;
}

Test(render_html, strip_has_a_cell_for_each_rank)
{
    const struct analysis_options how = analysis_default_options();
    struct job job = barrier_against_receive(40, "world");
    struct analysis analysis;
    char *html;
    job.processes[7].state = PROCESS_UNREADABLE;
    job.processes[7].reason = copy_text("not allowed");
    analyze(&job, &how, &analysis);
    json_t *strip = json_object_get(strip_of(&job, &analysis, &html), "strip");
    cr_expect_eq(json_integer_value(json_object_get(strip, "size")), 40);
    cr_expect_eq(json_integer_value(json_object_get(strip, "columns")), 16);
    cr_expect_str_eq(json_string_value(json_object_get(strip, "runs")), "!b6b*31b!r");
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(strip, "meanings"), "!r")),
                     "CAUSE, waits for a receive or message");
    /* Rows of 16 cells: those in a barrier begin at the second one, and leave out the eighth and the last. */
    cr_expect_not_null(strstr(html, "<path class=\"collective\" d=\"M1 0h6m1 0h8M0 1h16M0 2h7\"/>"), "%s", html);
    cr_expect_not_null(strstr(html, "<path class=\"unread\" d=\"M7 0h1\"/>"), "%s", html);
    cr_expect_not_null(strstr(html, ">bbbbbbb*bbbbbbbb</text>"), "%s", html);
    cr_expect_not_null(strstr(html, "CAUSE, Barrier: <a href=\"#rank=0\">rank 0</a>"), "%s", html);
    free(html);
    analysis_clear(&analysis);
    job_clear(&job);
}

/* No cell has an element of its own. */
Test(render_html, strip_of_many_ranks_is_small)
{
    enum { RANKS = 20000 };
    struct job job = begin_wait_job(RANKS);
    end_wait_job(&job);
    struct analysis analysis = {.remark = NULL};
    char *html;
    json_t *strip = json_object_get(strip_of(&job, &analysis, &html), "strip");
    cr_expect_str_eq(json_string_value(json_object_get(strip, "runs")), "20000.");
    cr_expect_lt(strlen(html), 4000);
    cr_expect_null(strstr(html, "<text"));
    free(html);
    job_clear(&job);
}

/* All ranks of a row, also where they are many ranges: the script filters by them. */
Test(render_html, rows_have_all_their_ranks)
{
    enum { RANKS = 200 };
    struct job job = begin_wait_job(RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        if (rank % 7 == 0 || rank % 5 == 0)
            build_receive(world_of(&job, rank), 4, 4, 7, BUILD_PENDING);
    end_wait_job(&job);
    json_t *rows = rows_of(&job, &all_ranks);
    struct rank_set ranks = {.count = 0};
    const char *text = json_string_value(json_array_get(json_array_get(json_object_get(rows, "rows"), 1), 0));
    cr_assert_eq(rank_set_parse(&ranks, text), 0, "%s", text);
    for (int rank = 0; rank < RANKS; rank++)
        cr_expect_eq(rank_is_chosen(&ranks, rank), rank % 7 == 0 || rank % 5 == 0, "rank %d", rank);
    rank_set_clear(&ranks);
    json_decref(rows);
    job_clear(&job);
}

Test(render_html, kinds_are_explained_once)
{
    struct job job = barrier_against_receive(4, "world");
    char *page = page_of(&job);
    cr_expect_eq(count(page, "<details class=\"meaning\">"), 1);
    cr_expect_not_null(strstr(page, "<article class=\"finding\" id=\"finding-1\" data-ranks=\"0,3\"><h3>"
                                    "<a href=\"#finding-1\">deadlock</a>"));
    free(page);
    job_clear(&job);
}

Test(render_html, file_that_cannot_be_written)
{
    struct job job = begin_wait_job(1);
    struct analysis analysis = {.remark = NULL};
    struct reason reason = {.text = ""};
    cr_expect_eq(render_why_html("/nowhere/page.html", &job, &analysis, &all_ranks, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "/nowhere/page.html: cannot be created"), "%s", reason.text);
    job_clear(&job);
}

Test(render_html, source_stays_text)
{
    static const struct source_options shown;
    struct job job = {.process_count = 0};
    struct finding finding = {.kind = FINDING_DEADLOCK};
    char path[] = "/tmp/mpilens-page-XXXXXX";
    const int descriptor = mkstemp(path);
    static const char text[] = "</pre>\n<b>MPI_Send</b>(&x);\xff\n";
    cr_assert_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    cr_assert_eq(fchmod(descriptor, 0644), 0); /* root is not shown what is private */
    close(descriptor);
    const struct site site = {.module = "/a", .path = path, .file = "a.c", .line = 2};
    evidence_add(&finding.evidence, 0, 0, "in MPI_Send()", evidence_place(&site, "MPI_Send"), 1);
    finding_finish(&finding);
    struct source_view *view = source_view_begin(&job, &shown);
    char *page = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&page, &bytes);
    html_write_source(stream, view, &finding);
    fclose(stream);
    cr_expect_not_null(strstr(page, "<span class=\"faint\">1 |</span> &lt;/pre&gt;\n"), "%s", page);
    cr_expect_not_null(strstr(page, "</span> &lt;b&gt;<mark>MPI_Send</mark>&lt;/b&gt;(&amp;x);\\xff\n</pre>"), "%s",
                       page);
    free(page);
    unlink(path);
}
