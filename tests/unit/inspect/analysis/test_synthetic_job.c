/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inferences from synthetic jobs of any size.
 */
#include "model/model.h"
#include "synthetic_job.h"

#include "analysis/analysis.h"
#include "collect/collect.h"
#include "opened_dll.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 300, OPERATIONS = 10 };

struct count {
    size_t sends, receives, unexpected;
    size_t matched_sends, matched_receives; /* for certain */
    size_t possible_sends, possible_receives;
};

static void count_matches(const struct operations *operations, size_t *all, size_t *matched, size_t *possible)
{
    for (size_t i = 0; i < operations->count; i++) {
        ++*all;
        *matched += operations->items[i].match_rank >= 0 && !operations->items[i].match_is_possible;
        *possible += operations->items[i].match_is_possible;
    }
}

static struct count count_all(enum synthetic_pattern pattern)
{
    const struct synthetic_plan plan = {pattern, RANKS, OPERATIONS};
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    struct count count = {0};
    for (size_t i = 0; i < job.process_count; i++) {
        const struct communicator *world = find_communicator(&job.processes[i], 1);
        cr_assert_not_null(world);
        cr_assert_eq(group_world_rank(world->group, (int32_t)i), (int32_t)i);
        count_matches(&world->sends, &count.sends, &count.matched_sends, &count.possible_sends);
        count_matches(&world->completed, &count.sends, &count.matched_sends, &count.possible_sends);
        count_matches(&world->receives, &count.receives, &count.matched_receives, &count.possible_receives);
        count.unexpected += world->unexpected.count;
        cr_expect_eq(world->unexpected_unknown, 0);
        for (size_t j = 0; j < job.processes[i].threads[0].waiting_known; j++) {
            const struct communicator *found = NULL;
            cr_assert_not_null(find_operation(&job.processes[i], job.processes[i].threads[0].waiting[j], &found));
            cr_assert_eq(found, world);
        }
    }
    cr_expect_str_eq(job.mpi, "MPICH 4.0.2");
    job_clear(&job);
    return count;
}

Test(synthetic_job, ring)
{
    const struct count count = count_all(SYNTHETIC_RING);
    cr_expect_eq(count.receives, (size_t)RANKS * OPERATIONS);
    cr_expect_eq(count.sends, 0);
    cr_expect_eq(count.matched_receives + count.possible_receives + count.unexpected, 0);
}

Test(synthetic_job, barrier)
{
    const struct count count = count_all(SYNTHETIC_BARRIER);
    cr_expect_eq(count.sends, (size_t)RANKS * OPERATIONS / 2);
    cr_expect_eq(count.receives, (size_t)RANKS * OPERATIONS / 2 + 1);
    cr_expect_eq(count.matched_sends, count.sends);
    cr_expect_eq(count.matched_receives, count.receives - 1, "all but that of the last rank");
    cr_expect_eq(count.possible_sends + count.possible_receives + count.unexpected, 0);
}

Test(synthetic_job, master)
{
    const struct count count = count_all(SYNTHETIC_MASTER);
    const size_t sent = (size_t)(RANKS - 1) * OPERATIONS;
    cr_expect_eq(count.sends, sent);
    cr_expect_eq(count.receives, OPERATIONS + RANKS);
    cr_expect_eq(count.possible_receives, OPERATIONS, "any sender's");
    cr_expect_eq(count.matched_receives, 0);
    cr_expect_eq(count.possible_sends, sent);
    cr_expect_eq(count.unexpected, sent - OPERATIONS);
}

Test(synthetic_job, alltoall)
{
    const struct count count = count_all(SYNTHETIC_ALLTOALL);
    const size_t each = OPERATIONS / 2;
    cr_expect_eq(count.sends, (RANKS - 1) * each);
    cr_expect_eq(count.receives, (RANKS - 1) * each);
    cr_expect_eq(count.unexpected, each, "at the rank that has posted nothing");
    cr_expect_eq(count.matched_sends, (RANKS - 1) * each - each);
    cr_expect_eq(count.matched_receives, (RANKS - 1) * each - each, "but those from that rank");
    cr_expect_eq(count.possible_sends + count.possible_receives, 0);
}

/* Whatever the number of ranks, one finding, and the culprits are these. */
static void expect_verdict(enum synthetic_pattern pattern, enum finding_kind kind, int first, int stride)
{
    const struct synthetic_plan plan = {pattern, RANKS, 2};
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    job.samples = 2;
    struct analysis analysis;
    const struct analysis_options options = analysis_default_options();
    analyze(&job, &options, &analysis);
    cr_assert_eq(analysis.findings.count, 1, "%s: %zu findings", synthetic_name(pattern), analysis.findings.count);
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_eq(finding->kind, kind, "%s", finding->message);
    cr_expect_eq(finding->culprits.count, (size_t)((RANKS - first + stride - 1) / stride), "%s", finding->message);
    for (size_t i = 0; i < finding->culprits.count; i++)
        cr_expect_eq(finding->culprits.items[i], first + (int)i * stride);
    analysis_clear(&analysis);
    job_clear(&job);
}

Test(synthetic_job, verdicts)
{
    expect_verdict(SYNTHETIC_RING, FINDING_DEADLOCK, 0, 1);
    expect_verdict(SYNTHETIC_SCAN, FINDING_COLLECTIVE_MISSING, 0, 10);
    expect_verdict(SYNTHETIC_STENCIL, FINDING_COLLECTIVE_MISSING, 0, 10);
    expect_verdict(SYNTHETIC_LEFT, FINDING_WAITING_FOR_RANK, 1, 2);
    expect_verdict(SYNTHETIC_SLOW, FINDING_WAITING_FOR_RANK, 0, 2);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* How `show` shows the job; the caller frees it. */
static char *show(const struct job *job, bool all)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_not_null(stream);
    const struct render_options options = {.all = all};
    cr_expect_eq(render_show_text(stream, job, &options), 0);
    fclose(stream);
    return text;
}

/* A ring in which no receive has the tag of another one: no row is like another one. */
static struct job ring_of_many_tags(int ranks, int operations)
{
    const struct synthetic_plan plan = {SYNTHETIC_RING, ranks, operations};
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    int32_t tag = 0;
    for (size_t i = 0; i < job.process_count; i++) {
        struct operations *receives = &job.processes[i].communicators[0].receives;
        for (size_t j = 0; j < receives->count; j++)
            receives->items[j].tag = tag++;
    }
    return job;
}

Test(synthetic_job, equal_but_for_the_peer)
{
    const struct synthetic_plan plan = {SYNTHETIC_RING, RANKS, OPERATIONS};
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    char *text = show(&job, false);
    cr_expect_lt(count_lines(text), 40, "%s", text);
    cr_expect_not_null(strstr(text, "rank-1 mod 300"), "%s", text);
    free(text);
    job_clear(&job);
}

Test(synthetic_job, shown_so_that_it_can_be_read)
{
    struct job job = ring_of_many_tags(RANKS, OPERATIONS);
    char *text = show(&job, false);
    cr_expect_not_null(strstr(text, "+ 2000 more rows"), "of 3000 that all differ");
    cr_expect_lt(count_lines(text), 1020);
    cr_expect_not_null(strstr(text, "ranks [0-299]"), "they are all in the same call");
    free(text);
    text = show(&job, true);
    cr_expect_null(strstr(text, " more rows"));
    cr_expect_gt(count_lines(text), (size_t)RANKS * OPERATIONS);
    free(text);
    job_clear(&job);
}

Test(synthetic_job, calls_shown_so_that_they_can_be_read)
{
    struct job job = ring_of_many_tags(1500, 2);
    for (size_t i = 0; i < job.process_count; i++)
        job.processes[i].threads[0].waiting_known = job.processes[i].threads[0].waiting_count = 1;
    char *text = show(&job, false);
    cr_expect_not_null(strstr(text, "+ 500 more calls"), "each waits for another one");
    free(text);
    job_clear(&job);
}

Test(synthetic_job, groups_of_the_document_are_ranges)
{
    const struct synthetic_plan plan = {SYNTHETIC_BARRIER, RANKS, 2};
    struct job job = synthetic_job(&plan);
    complete_job(opened_dll(), &job, COLLECT_ALL);
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_not_null(stream);
    const struct render_options options = {.all = false};
    cr_expect_eq(render_show_json(stream, &job, &options), 0);
    fclose(stream);
    json_t *document = json_loads(text, 0, NULL);
    const json_t *process = json_array_get(json_object_get(document, "processes"), RANKS / 2);
    const json_t *world = json_array_get(json_object_get(process, "communicators"), 0);
    json_t *expected = json_pack("[{s:i, s:i, s:i}]", "first", 0, "stride", 1, "count", (int)RANKS);
    cr_expect(json_equal(json_object_get(world, "group"), expected));
    cr_expect(json_is_null(json_object_get(world, "remote_group")));
    json_decref(expected);
    json_decref(document);
    free(text);
    job_clear(&job);
}
