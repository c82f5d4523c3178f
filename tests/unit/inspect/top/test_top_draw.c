/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Screens of the full-screen view, from jobs made by hand.
 */
#include "base/base.h"
#include "job_facts.h"
#include "model_builder.h"
#include "text/text.h"
#include "top/top.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct operation_details_pool details;
static const struct rank_set all_ranks;

static void wait_in(struct process *process, const char *function, uint32_t call_class, struct operation *operation)
{
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    *thread = (struct thread){.function = function, .call_class = call_class, .age_s = 12, .stalled = true};
    if (operation != NULL) {
        thread->waiting = array_append(thread->waiting, &thread->waiting_known, sizeof *thread->waiting);
        thread->waiting[0] = operation->serial;
        thread->waiting_count = 1;
    }
    process_add_facts(&details, process);
}

/* All ranks but 0 wait for a message from rank 0, which computes. */
static struct job job_of_waiters(int size)
{
    struct job job = build_job(size);
    job.samples = 2;
    for (int rank = 1; rank < size; rank++)
        wait_in(&job.processes[rank], "MPI_Recv", MPILENS_CALL_POINT_TO_POINT,
                build_receive(world_of(&job, rank), 0, 0, 7, BUILD_PENDING));
    wait_in(&job.processes[0], "", MPILENS_CALL_OTHER, NULL);
    job.processes[0].threads[0].stalled = false;
    job.processes[0].activity = ACTIVITY_COMPUTING;
    for (int rank = 0; rank < size; rank++)
        job.processes[rank].host = format_text("node%d", rank / 2);
    return job;
}

static struct top_facts facts_of(struct job *job, const char *host)
{
    return top_facts_make(
        &(struct top_reading){.job = job, .ranks = &all_ranks, .host = host, .clock = "01:02:03", .interval_s = 1});
}

static char *text_of(const struct top_screen *screen)
{
    char *text;
    FILE *stream = open_text(&text);
    for (size_t i = 0; i < screen->rows; i++) {
        for (size_t j = 0; j < screen->lines[i].count; j++)
            fputs(screen->lines[i].spans[j].text, stream);
        fputc('\n', stream);
        cr_expect_leq(screen->lines[i].columns, screen->columns, "line %zu", i);
    }
    fclose(stream);
    return text;
}

static char *draw(const struct top_facts *facts, const struct top_view *view, size_t rows, size_t columns)
{
    struct top_screen screen = top_draw(facts, view, 0, rows, columns);
    char *text = text_of(&screen);
    return text;
}

static void expect_text(const char *text, const char *expected)
{
    cr_expect(strstr(text, expected) != NULL, "not '%s' in:\n%s", expected, text);
}

Test(top_draw, a_small_job_on_a_small_terminal)
{
    struct job job = job_of_waiters(4);
    struct top_facts facts = facts_of(&job, "");
    char *text = draw(&facts, &(struct top_view){0}, 24, 80);
    expect_text(text, "01:02:03\n");
    expect_text(text, "\n.rrr\n3 r waits for a receive or message, 1 . computing\n");
    expect_text(
        text, "WAITED FOR, by how many ranks, and since when\nrank 0 by 3             12.0 s  not in MPI: computing\n");
    expect_text(text, "\nranks [1-3]             12.0 s  MPI_Recv(");
    expect_text(text, "q quit");
    free(text);
    job_clear(&job);
}

Test(top_draw, a_hundred_thousand_ranks_are_folded)
{
    enum { RANKS = 100000 };
    struct top_facts facts = {.job = "job",
                              .clock = "01:02:03",
                              .verdict = "nothing wrong found",
                              .traffic = "",
                              .host = "",
                              .characters = arena_allocate(RANKS),
                              .blamed = arena_allocate(RANKS),
                              .ranks = arena_allocate(RANKS * sizeof(int32_t)),
                              .rank_count = RANKS,
                              .job_ranks = RANKS};
    for (int32_t i = 0; i < RANKS; i++) {
        facts.characters[i] = i == 70123 ? '.' : 'b';
        facts.blamed[i] = i == 70123 ? '1' : '0';
        facts.ranks[i] = i;
    }
    const struct top_view view = {0};
    struct top_screen screen = top_draw(&facts, &view, 0, 24, 80);
    size_t marked = 0, letters = 0;
    for (size_t i = 0; i < screen.rows; i++)
        for (size_t j = 0; j < screen.lines[i].count; j++) {
            const struct top_span *span = &screen.lines[i].spans[j];
            letters += strcmp(span->text, "b") == 0;
            marked += span->style == (TOP_BLAMED | TOP_MIXED);
        }
    cr_expect_eq(letters, 200, "%zu letters: 100,000 ranks on six lines of 70", letters);
    cr_expect_eq(marked, 1, "the cell with the rank to blame");
    char *text = text_of(&screen);
    expect_text(text, "\n  35000  bbb");
    expect_text(text, "\na letter for 500 ranks, as most of them do; underlined: not all\n");
    expect_text(text, "\n99999 b Barrier, 1 . computing\n");
    free(text);
    text = draw(&facts, &view, 60, 200);
    expect_text(text, "\na letter for 50 ranks");
    free(text);
}

Test(top_draw, no_screen_is_too_small)
{
    struct job job = job_of_waiters(40);
    struct top_facts facts = facts_of(&job, "");
    const struct top_view views[] = {
        {0}, {.has_page = true, .page_title = "page"}, {.prompt = TOP_PROMPT_RANK, .offset = SIZE_MAX / 2}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        for (size_t rows = 0; rows < 30; rows += rows < 12 ? 1 : 9)
            for (size_t columns = 0; columns < 90; columns += columns < 25 ? 1 : 13)
                free(draw(&facts, &views[i], rows, columns));
    job_clear(&job);
}

Test(top_draw, hosts_are_chosen)
{
    struct job job = job_of_waiters(6);
    struct top_facts facts = facts_of(&job, "node2");
    char *text = draw(&facts, &(struct top_view){0}, 24, 80);
    expect_text(text, "\n2 of 6 ranks: on hosts with 'node2' in their names\nrr\n2 r waits");
    free(text);
    facts = facts_of(&job, "elsewhere");
    text = draw(&facts, &(struct top_view){0}, 24, 80);
    expect_text(text, "no rank");
    free(text);
    job_clear(&job);
}

Test(top_draw, texts_of_programs_are_escaped)
{
    struct job job = build_job(1);
    job.samples = 2;
    wait_in(&job.processes[0], "MPI_\033[2JBad", MPILENS_CALL_OTHER, NULL);
    struct top_facts facts = facts_of(&job, "");
    char *text = draw(&facts, &(struct top_view){0}, 24, 80);
    cr_expect(strchr(text, '\033') == NULL, "%s", text);
    expect_text(text, "MPI_\\x1b[2JBad");
    free(text);
    job_clear(&job);
}

Test(top_draw, keys_change_the_view)
{
    struct top_view view = {0};
    cr_expect_eq(top_view_take(&view, 'r'), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, 'x'), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, '1'), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, '2'), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, TOP_KEY_DELETE), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, TOP_ENTER), TOP_SHOW_RANK);
    cr_expect_str_eq(view.input, "1");
    cr_expect_eq(top_view_take(&view, 's'), TOP_NOTHING);
    cr_expect_eq(top_view_take(&view, TOP_ENTER), TOP_SHOW_STACK);
    top_view_open_page(&view, "page", copy_text("a\nb\n"));
    cr_expect_eq(top_view_take(&view, 'q'), TOP_NOTHING, "back from the page");
    cr_expect_not(view.has_page);
    cr_expect_eq(top_view_take(&view, 'q'), TOP_QUIT);
    top_view_clear(&view);
}

Test(top_draw, facts_go_through_a_pipe)
{
    struct job job = job_of_waiters(5);
    struct top_facts facts = facts_of(&job, ""), read;
    char *bytes = NULL;
    size_t count = 0;
    FILE *stream = open_memstream(&bytes, &count);
    top_facts_write(stream, &facts);
    fclose(stream);
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    cr_assert_eq(length + sizeof length, count);
    cr_assert_eq(top_facts_read(bytes + sizeof length, length, &read), 0);
    char *before = draw(&facts, &(struct top_view){0}, 24, 80), *after = draw(&read, &(struct top_view){0}, 24, 80);
    cr_expect_str_eq(before, after);
    for (size_t cut = 0; cut < length; cut++) {
        struct top_facts torn;
        cr_expect_eq(top_facts_read(bytes + sizeof length, cut, &torn), -1, "%zu bytes", cut);
    }
    free(before);
    free(after);
    free(bytes);
    job_clear(&job);
}
