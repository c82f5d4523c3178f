/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of `show` where the peers of many ranks follow a rule.
 */
#include "render/text/render_text.h"
#include "rendered.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The line that begins so, with its blanks as one; "": there is none. */
static void find_line(const char *text, const char *beginning, char *ret_line, size_t capacity)
{
    size_t length = 0;
    const char *at = text;
    while (at != NULL && strncmp(at + strspn(at, " \n"), beginning, strlen(beginning)) != 0)
        at = strchr(at + strspn(at, " \n"), '\n');
    for (at = at != NULL ? at + strspn(at, " \n") : ""; *at != '\0' && *at != '\n' && length + 2 < capacity;) {
        ret_line[length++] = *at;
        at += *at == ' ' ? strspn(at, " ") : 1;
    }
    ret_line[length] = '\0';
}

static void expect_line(const char *text, const char *beginning, const char *expected)
{
    char line[256];
    find_line(text, beginning, line, sizeof line);
    cr_expect_eq(strncmp(line, expected, strlen(expected)), 0, "'%s' is not '%s':\n%s", line, expected, text);
}

Test(merged_peers, a_ring_is_one_row)
{
    struct job job = ring_of_receives(64);
    const struct render_options options = {.all = false};
    char *text = rendered(render_show_text, &job, &options);
    expect_line(text, "ranks [0-63]", "ranks [0-63] MPI_Recv(1 x MPI_INT <- rank+1 mod 64, tag 7, MPI_COMM_WORLD) ");
    expect_line(text, "[0-63]", "[0-63] receive rank+1 mod 64 7 4 1 MPI_INT MPI_COMM_WORLD ");
    free(text);
    job_clear(&job);
}

Test(merged_peers, all_rows_have_their_own)
{
    struct job job = ring_of_receives(4);
    const struct render_options options = {.all = true};
    char *text = rendered(render_show_text, &job, &options);
    expect_line(text, "rank 3", "rank 3 MPI_Recv(1 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD) ");
    expect_line(text, "3  receive", "3 receive 0 7 4 1 MPI_INT MPI_COMM_WORLD ");
    free(text);
    job_clear(&job);
}

/* Ranks 0 to 9 receive from the next one; 10 and 11 from 1; each of those has a row or shares one. */
Test(merged_peers, others_than_those_of_the_rule)
{
    struct job job = begin_wait_job(12);
    for (int rank = 0; rank < 10; rank++)
        wait_in_recv(&job, rank, rank + 1, 7);
    for (int rank = 10; rank < 12; rank++)
        wait_in_recv(&job, rank, 1, 7);
    end_wait_job(&job);
    const struct render_options options = {.all = false};
    char *text = rendered(render_show_text, &job, &options);
    expect_line(text, "ranks [0-9]", "ranks [0-9] MPI_Recv(1 x MPI_INT <- rank+1, tag 7, MPI_COMM_WORLD) ");
    expect_line(text, "ranks [10,11]", "ranks [10,11] MPI_Recv(1 x MPI_INT <- 1, tag 7, MPI_COMM_WORLD) ");
    expect_line(text, "[0-9]", "[0-9] receive rank+1 7 ");
    expect_line(text, "[10,11]", "[10,11] receive 1 7 ");
    free(text);
    job_clear(&job);
}
