/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ranks whose queues a verdict as JSON has.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/json/render_json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

enum { RANKS = 200, CULPRIT = 150 };

static json_t *render(const struct job *job, const struct analysis *analysis, enum shown_queues queues)
{
    const struct render_options options = {.queues = queues};
    char *text;
    FILE *stream = open_text(&text);
    cr_assert_eq(render_why_json(stream, job, analysis, &options), 0);
    fclose(stream);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(document);
    free(text);
    return document;
}

/* How many ranks have queues. */
static size_t count_in_full(json_t *document, int *ret_last)
{
    json_t *processes = json_object_get(document, "processes");
    size_t count = 0;
    cr_expect_eq(json_array_size(processes), RANKS, "every rank is there");
    for (size_t i = 0; i < json_array_size(processes); i++)
        if (json_object_get(json_array_get(processes, i), "communicators") != NULL) {
            *ret_last = (int)json_integer_value(json_object_get(json_array_get(processes, i), "rank"));
            count++;
        }
    json_decref(document);
    return count;
}

Test(why_queues, of_whom)
{
    struct job job = build_job(RANKS);
    struct analysis analysis = {.remark = NULL};
    int last = -1;
    cr_expect_eq(count_in_full(render(&job, &analysis, QUEUES_CONCERNED), &last), 0, "nothing was found");
    struct finding *finding = findings_add(&analysis.findings, FINDING_COLLECTIVE_MISSING);
    for (int rank = 0; rank < RANKS; rank++)
        ranks_add(&finding->ranks, rank);
    ranks_add(&finding->culprits, CULPRIT);
    finding->message = copy_text("one is missing");
    finding_finish(finding);
    cr_expect_eq(count_in_full(render(&job, &analysis, QUEUES_CONCERNED), &last), 65);
    cr_expect_eq(last, CULPRIT);
    cr_expect_eq(count_in_full(render(&job, &analysis, QUEUES_NONE), &last), 0);
    cr_expect_eq(count_in_full(render(&job, &analysis, QUEUES_ALL), &last), RANKS);
    job_clear(&job);
}

/* The first communicator that is written of the process with this rank. */
static json_t *written_world_of(json_t *document, int rank)
{
    json_t *process = json_array_get(json_object_get(document, "processes"), (size_t)rank);
    return json_array_get(json_object_get(process, "communicators"), 0);
}

Test(why_queues, no_more_than_the_first_operations_of_each)
{
    enum { OPERATIONS = 1500, LISTED = 1000 };
    struct job job = build_job(RANKS);
    struct analysis analysis = {.remark = NULL};
    struct operations *receives = &world_of(&job, CULPRIT)->receives;
    for (int i = 0; i < OPERATIONS; i++) {
        receives->items = array_append(receives->items, &receives->count, sizeof *receives->items);
        receives->items[i].serial = (uint64_t)i + 1;
        receives->items[i].details =
            operation_details_share(&job.details, &(struct operation_details){.function = "MPI_Irecv"});
    }
    struct finding *finding = findings_add(&analysis.findings, FINDING_COLLECTIVE_MISSING);
    ranks_add(&finding->culprits, CULPRIT);
    finding->message = copy_text("one is missing");
    finding_finish(finding);
    json_t *document = render(&job, &analysis, QUEUES_CONCERNED);
    json_t *world = written_world_of(document, CULPRIT);
    json_t *left_out = json_object_get(world, "left_out");
    cr_expect_eq(json_array_size(json_object_get(world, "receives")), LISTED);
    cr_expect_eq(json_integer_value(json_object_get(left_out, "receives")), OPERATIONS - LISTED);
    cr_expect_eq(json_integer_value(json_object_get(left_out, "unexpected")), 0);
    json_decref(document);
    document = render(&job, &analysis, QUEUES_ALL);
    world = written_world_of(document, CULPRIT);
    cr_expect_eq(json_array_size(json_object_get(world, "receives")), OPERATIONS);
    cr_expect_null(json_object_get(world, "left_out"));
    json_decref(document);
    job_clear(&job);
}
