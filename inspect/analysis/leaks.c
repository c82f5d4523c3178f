/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups live objects by the place where they were made.
 */
#include "analysis/analysis.h"

#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_texts(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return (left != NULL) - (right != NULL);
    return strcmp(left, right);
}

/* Knowledge of a place, increasing. */
enum knowledge { KNOWN_ADDRESS, KNOWN_OFFSET, KNOWN_LINE };

static enum knowledge knowledge_of(const struct site *site)
{
    if (site == NULL || (site->file == NULL && site->offset == 0))
        return KNOWN_ADDRESS;
    return site->file == NULL ? KNOWN_OFFSET : KNOWN_LINE;
}

/* Ranks have the same program at different addresses. */
static int compare_sites(const struct leak *left, const struct leak *right)
{
    const struct site *one = left->site, *other = right->site;
    const enum knowledge known = knowledge_of(one);
    if (known != knowledge_of(other))
        return compare_numbers(known, knowledge_of(other));
    if (known == KNOWN_ADDRESS)
        return compare_numbers(left->site_address, right->site_address);
    if (known == KNOWN_OFFSET && one->offset != other->offset)
        return compare_numbers(one->offset, other->offset);
    if (known == KNOWN_OFFSET)
        return compare_texts(one->module, other->module);
    const int result = compare_texts(one->file, other->file);
    if (result != 0 || one->line != other->line)
        return result != 0 ? result : one->line - other->line;
    const int functions = compare_texts(one->function, other->function);
    return functions != 0 ? functions : compare_texts(one->module, other->module);
}

static int compare_places(const void *left_leak, const void *right_leak)
{
    const struct leak *left = left_leak, *right = right_leak;
    if (left->kind != right->kind)
        return compare_numbers(left->kind, right->kind);
    if (left->is_released != right->is_released)
        return left->is_released ? 1 : -1;
    if (left->is_active != right->is_active)
        return left->is_active ? 1 : -1;
    const int functions = strcmp(left->function, right->function);
    return functions != 0 ? functions : compare_sites(left, right);
}

/* Active requests last, most first, else by kind and place. */
static int compare_importance(const void *left_item, const void *right_item)
{
    const struct leak *left = *(struct leak *const *)left_item, *right = *(struct leak *const *)right_item;
    if (left->is_active != right->is_active)
        return left->is_active ? 1 : -1;
    return left->count != right->count ? -compare_numbers(left->count, right->count) : compare_places(left, right);
}

/* The result in progress. */
struct search {
    struct leaks leaks;
    struct arena_node *root; /* struct leak by place */
    const struct process *process;
    struct leak_rank rank; /* the rank whose leaks are being added */
};

static struct leak *find_place(struct search *search, const struct leak *like)
{
    struct leak *leak = arena_find(like, search->root, compare_places);
    if (leak != NULL)
        return leak;
    leak = arena_allocate(sizeof *leak);
    *leak = *like;
    leak->oldest_s = -1;
    arena_search(leak, &search->root, compare_places);
    search->leaks.items = arena_append(search->leaks.items, &search->leaks.count, sizeof(struct leak *));
    search->leaks.items[search->leaks.count - 1] = leak;
    return leak;
}

static void add(struct search *search, const struct leak *like, double age_s, uint64_t count)
{
    struct leak *leak = find_place(search, like);
    leak->count += count;
    if (age_s > leak->oldest_s)
        leak->oldest_s = age_s;
    if (leak->rank_count == 0 || leak->ranks[leak->rank_count - 1].rank != search->rank.rank) {
        leak->ranks = arena_append(leak->ranks, &leak->rank_count, sizeof *leak->ranks);
        leak->ranks[leak->rank_count - 1] = search->rank;
    }
    leak->ranks[leak->rank_count - 1].count += count;
}

static void add_objects(struct search *search)
{
    for (size_t i = 0; i < search->process->object_count; i++) {
        const struct object *object = &search->process->objects[i];
        if (object->freed || object->kind == MPILENS_OBJECT_ATTRIBUTE)
            continue;
        const struct leak like = {.kind = object->kind,
                                  .function = object->function,
                                  .site = object->site,
                                  .site_address = object->site_address};
        add(search, &like, object->age_s, object->references > 1 ? object->references : 1);
    }
}

static bool is_under_way(uint32_t state)
{
    return state == MPILENS_OPERATION_PENDING || state == MPILENS_OPERATION_MATCHED;
}

static void add_operations(struct search *search, const struct operation *operations, size_t count, bool are_receives)
{
    for (size_t i = 0; i < count; i++) {
        const struct operation *operation = &operations[i];
        const bool is_half = operation->details->purpose == MPILENS_PURPOSE_EXCHANGE; /* of what has one request */
        if ((operation->flags & MPILENS_OPERATION_BLOCKING) != 0 || (are_receives && is_half))
            continue;
        const struct leak like = {.kind = MPILENS_OBJECT_REQUEST,
                                  .is_released = operation->state == MPILENS_OPERATION_RELEASED,
                                  .is_active = !search->rank.has_finalized && !operation->complete &&
                                               is_under_way(operation->state),
                                  .function = operation->details->function,
                                  .site = operation->details->site,
                                  .site_address = operation->details->site_address};
        add(search, &like, operation->age_s, 1);
    }
}

static void add_requests(struct search *search)
{
    const struct process *process = search->process;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct operations *sends = &process->communicators[i].sends;
        const struct operations *receives = &process->communicators[i].receives;
        add_operations(search, sends->items, sends->count, false);
        add_operations(search, receives->items, receives->count, true);
    }
    add_operations(search, process->requests, process->request_count, false);
}

static struct leaks finish(struct search *search)
{
    if (search->leaks.count > 1)
        qsort(search->leaks.items, search->leaks.count, sizeof(struct leak *), compare_importance);
    return search->leaks;
}

struct leaks find_leaks(const struct job *job, const struct rank_set *ranks)
{
    struct search search = {.root = NULL};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(ranks, process->rank))
            continue;
        search.process = process;
        search.rank = (struct leak_rank){.rank = process->rank,
                                         .has_finalized = process->state == PROCESS_FINALIZING ||
                                                          process->state == PROCESS_FINALIZED};
        add_objects(&search);
        add_requests(&search);
    }
    return finish(&search);
}

static int compare_ranks(const void *left_leak, const void *right_leak)
{
    const int left = ((const struct leak *)left_leak)->ranks[0].rank;
    const int right = ((const struct leak *)right_leak)->ranks[0].rank;
    return left < right ? -1 : left > right;
}

struct leaks merge_leaks(struct leak *parts, size_t count)
{
    struct search search = {.root = NULL};
    if (count > 1)
        qsort(parts, count, sizeof *parts, compare_ranks);
    for (size_t i = 0; i < count; i++) {
        const struct leak like = {.kind = parts[i].kind,
                                  .is_released = parts[i].is_released,
                                  .function = parts[i].function,
                                  .site = parts[i].site,
                                  .site_address = parts[i].site_address};
        search.rank =
            (struct leak_rank){.rank = parts[i].ranks[0].rank, .has_finalized = parts[i].ranks[0].has_finalized};
        add(&search, &like, parts[i].oldest_s, parts[i].ranks[0].count);
    }
    return finish(&search);
}

const char *describe_leak_kind(const struct leak *leak, uint64_t count)
{
    const char *name = leak->kind == MPILENS_OBJECT_REQUEST ? "request" : mpilens_object_kind_name((int)leak->kind);
    return arena_text("%s%s%s",
                      leak->is_released ? "released "
                      : leak->is_active ? "active "
                                        : "",
                      name, count != 1 ? "s" : "");
}

static void add_evidence(struct finding *finding, const struct leak *leak, const char *kind)
{
    const char *text = arena_text("has %s alive", kind);
    for (size_t i = 0; i < finding->ranks.count; i++)
        evidence_add(&finding->evidence, finding->ranks.items[i], 0, text, evidence_place(leak->site, leak->function),
                     leak->oldest_s);
    evidence_finish(&finding->evidence);
}

/* The ranks that make it a finding: those that have finalized, else those beyond the limit. */
static void judge(struct findings *findings, const struct leak *leak, bool at_finalize, uint64_t limit)
{
    struct finding *finding = NULL;
    uint64_t count = 0;
    for (size_t i = 0; i < leak->rank_count; i++) {
        const struct leak_rank *rank = &leak->ranks[i];
        if (at_finalize ? !rank->has_finalized || leak->is_released : rank->has_finalized || rank->count <= limit)
            continue;
        if (finding == NULL)
            finding = findings_add(findings, FINDING_LEAK);
        ranks_add(&finding->ranks, rank->rank);
        ranks_add(&finding->culprits, rank->rank);
        count += rank->count;
    }
    if (finding == NULL)
        return;
    finding->confirmed = at_finalize;
    const char *kind = describe_leak_kind(leak, count);
    const char *site = describe_site(leak->site);
    finding_finish(finding);
    const char *ranks = ranks_name(&finding->ranks);
    finding->message =
        arena_text("%llu %s made by %s%s%s %s alive%s at %s", (unsigned long long)count, kind,
                   leak->function[0] != '\0' ? leak->function : "an unknown call", site[0] != '\0' ? " at " : "", site,
                   count != 1 ? "are" : "is", at_finalize ? " in or after MPI_Finalize" : "", ranks);
    add_evidence(finding, leak, kind);
}

struct findings judge_leaks(const struct leaks *leaks, uint64_t limit)
{
    struct findings findings = {0};
    for (size_t i = 0; i < leaks->count; i++)
        judge(&findings, leaks->items[i], true, limit);
    for (size_t i = 0; i < leaks->count; i++)
        judge(&findings, leaks->items[i], false, limit);
    return findings;
}
