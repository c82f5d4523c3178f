/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects facts: those that hold of several ranks once.
 */
#include "analysis/findings/findings.h"

#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

struct evidence_place evidence_place(const struct site *site, const char *called)
{
    struct evidence_place place = {.called = called != NULL && called[0] != '\0' ? called : NULL};
    if (site != NULL)
        place.site = *site;
    return place;
}

struct evidence_place evidence_place_of_seen(const struct seen_thread *thread)
{
    return evidence_place(thread->site, thread->function[0] != '\0' ? thread->function : thread->called);
}

static struct evidence *find_evidence(struct evidence_list *list, const struct evidence *wanted)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].peer_count == wanted->peer_count && strcmp(list->items[i].text, wanted->text) == 0 &&
            strcmp(list->items[i].site, wanted->site) == 0)
            return &list->items[i];
    return NULL;
}

/* The evidence with the text and site of this one, which is appended where there is none; NULL: there is no room for
 * more. */
static struct evidence *take_evidence(struct evidence_list *list, const struct evidence *new_one)
{
    struct evidence *evidence = find_evidence(list, new_one);
    if (evidence == NULL && list->count < MOST_EVIDENCE) {
        list->items = arena_append(list->items, &list->count, sizeof *list->items);
        evidence = &list->items[list->count - 1];
        *evidence = *new_one;
    }
    return evidence;
}

static void add_ranks(struct evidence_list *list, const struct ranks *ranks, double age_s,
                      const struct evidence *new_one)
{
    struct evidence *evidence = take_evidence(list, new_one);
    if (evidence == NULL) {
        list->left_out += ranks->count;
        return;
    }
    ranks_add_all(&evidence->ranks, ranks);
    if (age_s > evidence->age_s)
        evidence->age_s = age_s;
}

static const char *describe_evidence_place(const struct evidence_place *place)
{
    const bool is_known = place->site.module != NULL || place->site.file != NULL;
    return is_known ? describe_site(&place->site) : "";
}

void evidence_add(struct evidence_list *list, int rank, uint64_t serial, const char *text, struct evidence_place place,
                  double age_s)
{
    const struct evidence evidence = {
        .serial = serial, .text = text, .site = describe_evidence_place(&place), .place = place, .age_s = -1};
    add_ranks(list, &(struct ranks){.items = &rank, .count = 1}, age_s, &evidence);
}

void evidence_add_text(struct evidence_list *list, int rank, const char *text)
{
    evidence_add(list, rank, 0, text, evidence_place(NULL, NULL), -1);
}

void evidence_add_stack(struct evidence_list *list, int rank, const char *text, const char *stack,
                        struct evidence_place place, double age_s)
{
    const struct evidence evidence = {.text = text, .site = stack, .place = place, .age_s = -1};
    add_ranks(list, &(struct ranks){.items = &rank, .count = 1}, age_s, &evidence);
}

void evidence_add_all(struct evidence_list *list, const struct ranks *ranks, uint64_t serial, const char *text,
                      const struct evidence *there, double age_s)
{
    const struct evidence evidence = {
        .serial = serial, .text = text, .site = there->site, .place = there->place, .age_s = -1};
    add_ranks(list, ranks, age_s, &evidence);
}

static void append_open(struct evidence *evidence, int rank, uint64_t serial, double age_s,
                        const struct open_peer *peers)
{
    evidence->open = arena_append(evidence->open, &evidence->open_count, open_evidence_bytes(evidence));
    struct open_evidence *open = open_evidence_of(evidence, evidence->open_count - 1);
    *open = (struct open_evidence){.rank = rank, .serial = serial, .age_s = age_s};
    memcpy(open->peers, peers, evidence->peer_count * sizeof *open->peers);
}

/* NULL: there was no room for it. */
static struct evidence *add_open(struct evidence_list *list, int rank, uint64_t serial, const char *prefix,
                                 struct open_call call, struct evidence_place place, double age_s)
{
    const struct evidence new_one = {.serial = serial,
                                     .text = arena_text("%s%s", prefix, call.text),
                                     .site = describe_evidence_place(&place),
                                     .place = place,
                                     .age_s = -1,
                                     .peer_count = call.peer_count};
    struct evidence *evidence = take_evidence(list, &new_one);
    if (evidence == NULL) {
        list->left_out++;
        return NULL;
    }
    if (call.peer_count > 0) {
        append_open(evidence, rank, serial, age_s, call.peers);
        return evidence;
    }
    ranks_add(&evidence->ranks, rank);
    if (age_s > evidence->age_s)
        evidence->age_s = age_s;
    return evidence;
}

void evidence_add_open(struct evidence_list *list, int rank, uint64_t serial, const char *prefix, struct open_call call,
                       struct evidence_place place, double age_s)
{
    add_open(list, rank, serial, prefix, call, place, age_s);
}

/* The evidence of which the operation has the text and the site, without writing them. */
static struct evidence *find_alike(struct evidence_list *list, const struct operation *operation,
                                   const struct communicator *communicator)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct operation *other = list->items[i].operation;
        if (other != NULL && other->details->site == operation->details->site &&
            list->items[i].communicator_id == communicator->id && operations_read_alike(other, operation))
            return &list->items[i];
    }
    return NULL;
}

void evidence_add_operation(struct evidence_list *list, int rank, const struct operation *operation,
                            const struct communicator *communicator, const struct communicator_labels *labels)
{
    struct open_peer peer;
    const bool is_open = open_peer_of(operation->peer_local, operation->peer_world, communicator, &peer);
    struct evidence *alike = is_open ? find_alike(list, operation, communicator) : NULL;
    if (alike != NULL) {
        append_open(alike, rank, operation->serial, operation->age_s, &peer);
        return;
    }
    struct evidence *evidence = add_open(
        list, rank, operation->serial, "not complete: ", describe_open_operation(operation, communicator, labels),
        evidence_place(operation->details->site, operation->details->function), operation->age_s);
    if (evidence != NULL && evidence->peer_count == 1 && evidence->operation == NULL) {
        evidence->operation = operation;
        evidence->communicator_id = communicator->id;
    }
}

size_t open_evidence_bytes(const struct evidence *evidence)
{
    return sizeof(struct open_evidence) + evidence->peer_count * sizeof(struct open_peer);
}

struct open_evidence *open_evidence_of(const struct evidence *evidence, size_t number)
{
    return (struct open_evidence *)(void *)(evidence->open + number * open_evidence_bytes(evidence));
}

void evidence_finish(struct evidence_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        ranks_finish(&list->items[i].ranks);
}
