/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the links of the picture: which node waits for which, and for which calls.
 */
#include "render/graph/render_graph_internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Different texts of one link, and pairs of ranks that are looked at for them. */
enum { MOST_TEXTS = 2, MOST_DESCRIBED = 1000 };

/* A link on its way. */
struct draft {
    size_t to;
    enum wait_mode mode;
    const char *texts[MOST_TEXTS];
    size_t text_count;
    bool has_more;     /* texts */
    bool is_steady;    /* every rank waits for the one at the same distance */
    int64_t distance;  /* from the waiting rank to the other */
    size_t wait_count; /* pairs of ranks that it stands for */
};

struct drafting {
    const struct classes *classes;
    const size_t *node_of;
    const struct communicator_labels *labels;
    struct draft *drafts; /* of one node */
    size_t count;
    size_t *draft_of; /* by node: 1 + its number, 0: none */
};

static struct draft *find_draft(struct drafting *drafting, size_t to, const struct rank_wait *wait, int64_t distance)
{
    if (drafting->draft_of[to] == 0) {
        drafting->drafts = array_append(drafting->drafts, &drafting->count, sizeof *drafting->drafts);
        drafting->drafts[drafting->count - 1] =
            (struct draft){.to = to, .mode = wait->mode, .is_steady = true, .distance = distance};
        drafting->draft_of[to] = drafting->count;
    }
    return &drafting->drafts[drafting->draft_of[to] - 1];
}

static void add_text(struct draft *draft, const char *text)
{
    for (size_t i = 0; i < draft->text_count; i++)
        if (strcmp(draft->texts[i], text) == 0)
            return;
    draft->has_more = draft->text_count == MOST_TEXTS;
    if (!draft->has_more)
        draft->texts[draft->text_count++] = text;
}

static void add_wait(struct drafting *drafting, const struct rank_wait *wait)
{
    const struct job *job = drafting->classes->job;
    for (size_t i = 0; wait->targets != NULL && i < wait->targets->count; i++) {
        const int rank = wait->targets->items[i];
        const size_t number = process_number(job, rank);
        if (number == job->process_count)
            continue;
        const int64_t distance = (int64_t)rank - wait->process->rank;
        const size_t to = drafting->node_of[drafting->classes->standings[number].class];
        struct draft *draft = find_draft(drafting, to, wait, distance);
        draft->is_steady = draft->is_steady && draft->distance == distance;
        draft->wait_count++;
        if (!draft->has_more && draft->wait_count <= MOST_DESCRIBED)
            add_text(draft, arena_text("%s%s", describe_wanted(wait->process, wait->thread, rank, drafting->labels),
                                       describe_misfit(&drafting->classes->analysis->findings, wait->process,
                                                       wait->thread, rank, drafting->labels)));
    }
}

/* Ranks whose calls do not fit together have all begun the same call, so none waits for another to begin it: the
 * link leads to the culprits of their finding. */
static void add_finding(struct drafting *drafting, const struct standing *standing)
{
    struct rank_wait wait = standing->waits[0];
    const int rank = wait.process->rank;
    const struct findings *findings = &drafting->classes->analysis->findings;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (!ranks_has(&finding->ranks, rank))
            continue;
        wait.mode = WAITS_FOR_ALL;
        wait.targets = &finding->culprits;
        add_wait(drafting, &wait);
        return;
    }
}

static bool has_targets(const struct standing *standing)
{
    for (size_t i = 0; i < standing->wait_count; i++)
        if (standing->waits[i].targets != NULL && standing->waits[i].targets->count > 0)
            return true;
    return false;
}

static void add_standing(struct drafting *drafting, const struct standing *standing)
{
    const bool is_stuck = standing->role == PICTURE_INVOLVED || standing->role == PICTURE_CONSEQUENCE;
    if (is_stuck && standing->wait_count > 0 && !has_targets(standing))
        add_finding(drafting, standing);
    for (size_t i = 0; i < standing->wait_count; i++)
        add_wait(drafting, &standing->waits[i]);
}

static const char *label_of(const struct draft *draft, bool is_merged)
{
    const char *steady = is_merged && draft->is_steady && draft->wait_count > 1
                             ? arena_text("each from rank %+lld: ", (long long)draft->distance)
                             : "";
    const char *text = arena_text("%s%s%s%s%s", steady, draft->text_count > 0 ? draft->texts[0] : "",
                                  draft->text_count > 1 ? "; " : "", draft->text_count > 1 ? draft->texts[1] : "",
                                  draft->has_more ? "; ..." : "");
    return text;
}

static void add_link(size_t from, const struct draft *draft, bool is_merged, struct picture *picture)
{
    picture->links = arena_append(picture->links, &picture->link_count, sizeof *picture->links);
    picture->links[picture->link_count - 1] =
        (struct picture_link){.from = from, .to = draft->to, .mode = draft->mode, .label = label_of(draft, is_merged)};
}

static void finish_node(struct drafting *drafting, size_t from, bool is_merged, struct picture *picture)
{
    for (size_t i = 0; i < drafting->count; i++) {
        struct draft *draft = &drafting->drafts[i];
        struct picture_node *node = &picture->nodes[from];
        if (node->ring != NULL && draft->to == from) /* its drawing has the links */
            node->wanted = label_of(draft, false);
        else
            add_link(from, draft, is_merged, picture);
        drafting->draft_of[draft->to] = 0;
    }
    free(drafting->drafts);
    drafting->drafts = NULL;
    drafting->count = 0;
}

void picture_find_links(const struct classes *classes, const size_t *node_of, const struct communicator_labels *labels,
                        struct picture *picture)
{
    struct drafting drafting = {.classes = classes,
                                .node_of = node_of,
                                .labels = labels,
                                .draft_of = allocate((picture->node_count + 1) * sizeof *drafting.draft_of)};
    /* Classes of one node stand in a row of their own. */
    size_t *next = allocate((classes->count + 1) * sizeof *next);
    size_t *first = allocate((picture->node_count + 1) * sizeof *first);
    for (size_t i = classes->count; i > 0; i--) {
        next[i - 1] = first[node_of[i - 1]];
        first[node_of[i - 1]] = i;
    }
    for (size_t node = 0; node < picture->node_count; node++) {
        const bool is_merged = first[node] != 0 && next[first[node] - 1] != 0;
        for (size_t class = first[node]; class != 0; class = next[class - 1])
            add_standing(&drafting, &classes->standings[classes->items[class - 1].first]);
        finish_node(&drafting, node, is_merged, picture);
    }
    free(drafting.draft_of);
    free(next);
    free(first);
}
