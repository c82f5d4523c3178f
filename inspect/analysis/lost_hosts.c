/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings of ranks that wait for ranks on hosts that have not answered.
 */
#include "analysis/analysis_internal.h"

#include "analysis/causes/causes.h"
#include "base/base.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

bool is_on_lost_host(const struct awaited_ranks *awaited)
{
    return awaited->liveness == LIVES_UNREAD && awaited->count > 0 && awaited->processes[0]->is_lost;
}

/* A host, and who waits for its ranks. */
struct lost_wait {
    const struct process *typical; /* whose host and reason the others have */
    struct ranks awaited;
    size_t *groups; /* of awaited ranks, by number: each has its own waiters */
    size_t group_count;
};

struct lost_waits {
    struct lost_wait **items;
    size_t count;
    struct arena_node *tree; /* of the same by host */
};

static const char *host_of(const struct process *process)
{
    return process->host != NULL ? process->host : "a host";
}

static int compare_hosts(const void *left, const void *right)
{
    return strcmp(host_of(((const struct lost_wait *)left)->typical),
                  host_of(((const struct lost_wait *)right)->typical));
}

static struct lost_wait *find_wait(struct lost_waits *waits, const struct process *process)
{
    const struct lost_wait wanted = {.typical = process};
    struct lost_wait *wait = arena_find(&wanted, waits->tree, compare_hosts);
    if (wait != NULL)
        return wait;
    wait = arena_allocate(sizeof *wait);
    wait->typical = process;
    arena_search(wait, &waits->tree, compare_hosts);
    waits->items = arena_append(waits->items, &waits->count, sizeof(struct lost_wait *));
    waits->items[waits->count - 1] = wait;
    return wait;
}

static void add_group(struct lost_wait *wait, size_t number)
{
    if (wait->group_count > 0 && wait->groups[wait->group_count - 1] == number)
        return;
    wait->groups = arena_append(wait->groups, &wait->group_count, sizeof *wait->groups);
    wait->groups[wait->group_count - 1] = number;
}

/* 0: the same ranks wait for both, and both do not answer for the same reason. They are told together. */
static int compare_stories(const struct lost_wait *left, const struct lost_wait *right)
{
    if (left->group_count != right->group_count)
        return left->group_count < right->group_count ? -1 : 1;
    const int order = memcmp(left->groups, right->groups, left->group_count * sizeof *left->groups);
    return order != 0 ? order : strcmp(left->typical->reason, right->typical->reason);
}

/* Orders hosts that are reported together by their ranks. */
static int compare_waits(const void *left_wait, const void *right_wait)
{
    const struct lost_wait *left = *(struct lost_wait *const *)left_wait;
    const struct lost_wait *right = *(struct lost_wait *const *)right_wait;
    const int order = compare_stories(left, right);
    return order != 0 ? order : left->typical->rank - right->typical->rank;
}

/* "n3", "n[3-8]". */
static const char *name_hosts(struct lost_wait *const *waits, size_t count)
{
    struct host_list hosts = {.count = 0};
    for (size_t i = 0; i < count; i++)
        if (host_list_add(&hosts, host_of(waits[i]->typical)) != 0)
            return count == 1 ? arena_copy(host_of(waits[0]->typical)) : arena_text("%zu hosts", count);
    return host_list_fold(&hosts);
}

static void add_evidence(const struct cause_text *text, const struct ranks *waiters, struct finding *finding)
{
    for (size_t i = 0; i < waiters->count; i++) {
        const struct process *process = job_index_process(&text->waits->index, waiters->items[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
}

/* Adds the finding for hosts that are reported together. */
static void add_finding(const struct cause_text *text, const struct awaited_list *list, struct lost_wait *const *waits,
                        size_t count, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_HOST_LOST);
    struct ranks waiters = {.count = 0}, awaited = {.count = 0};
    for (size_t i = 0; i < waits[0]->group_count; i++)
        ranks_add_all(&waiters, &list->items[waits[0]->groups[i]].waiters);
    for (size_t i = 0; i < count; i++)
        ranks_add_all(&awaited, &waits[i]->awaited);
    ranks_finish(&waiters);
    ranks_finish(&awaited);
    const char *who = ranks_name(&waiters), *whom = ranks_name(&awaited), *where = name_hosts(waits, count);
    const char *does = count == 1 ? "does" : "do";
    finding->message = arena_text("%s %s for %s on %s, which %s not answer: %s", who,
                                  waiters.count > 1 ? "wait" : "waits", whom, where, does, waits[0]->typical->reason);
    finding->remedy = arena_text("find out why %s %s not answer: nothing is known about %s ranks", where, does,
                                 count == 1 ? "its" : "their");
    ranks_add_all(&finding->ranks, &waiters);
    ranks_add_all(&finding->ranks, &awaited);
    ranks_add_all(&finding->culprits, &awaited);
    finding_finish(finding);
    add_evidence(text, &waiters, finding);
    finding->confirmed = job_was_watched(text->waits->job);
}

static struct lost_waits list_waits(const struct awaited_list *list)
{
    struct lost_waits waits = {.count = 0};
    for (size_t i = 0; i < list->count; i++) {
        const struct awaited_ranks *awaited = &list->items[i];
        for (size_t j = 0; awaited->waiters.count > 0 && j < awaited->count; j++) {
            if (!awaited->processes[j]->is_lost)
                continue;
            struct lost_wait *wait = find_wait(&waits, awaited->processes[j]);
            ranks_add(&wait->awaited, awaited->processes[j]->rank);
            add_group(wait, i);
        }
    }
    return waits;
}

void lost_hosts_find(const struct cause_text *text, const struct awaited_list *list, struct findings *findings)
{
    struct lost_waits waits = list_waits(list);
    if (waits.count > 1)
        qsort(waits.items, waits.count, sizeof(struct lost_wait *), compare_waits);
    for (size_t first = 0, end; first < waits.count; first = end) {
        end = first + 1;
        while (end < waits.count && compare_stories(waits.items[first], waits.items[end]) == 0)
            end++;
        add_finding(text, list, waits.items + first, end - first, findings);
    }
}
