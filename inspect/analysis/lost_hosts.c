/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings of ranks that wait for ranks on hosts that have not answered.
 */
#include "analysis/lost_hosts.h"

#include "analysis/process_evidence.h"
#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

bool is_on_lost_host(const struct awaited_ranks *awaited)
{
    return awaited->liveness == LIVES_UNREAD && awaited->count > 0 && awaited->processes[0]->is_lost;
}

struct lost_wait {
    const struct process *typical; /* whose host and reason the others have */
    struct ranks awaited, waiters;
};

struct lost_waits {
    struct lost_wait *items;
    size_t count;
};

static const char *host_of(const struct process *process)
{
    return process->host != NULL ? process->host : "a host";
}

static struct lost_wait *find_wait(struct lost_waits *waits, const struct process *process)
{
    for (size_t i = 0; i < waits->count; i++)
        if (strcmp(host_of(waits->items[i].typical), host_of(process)) == 0)
            return &waits->items[i];
    waits->items = array_append(waits->items, &waits->count, sizeof *waits->items);
    waits->items[waits->count - 1].typical = process;
    return &waits->items[waits->count - 1];
}

static void add_finding(const struct cause_text *text, struct lost_wait *wait, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_HOST_LOST);
    ranks_finish(&wait->awaited);
    ranks_finish(&wait->waiters);
    char *waiters = ranks_name(&wait->waiters), *awaited = ranks_name(&wait->awaited);
    finding->message =
        format_text("%s %s for %s on %s, which does not answer: %s", waiters,
                    wait->waiters.count > 1 ? "wait" : "waits", awaited, host_of(wait->typical), wait->typical->reason);
    finding->remedy =
        format_text("find out why %s does not answer: nothing is known about its ranks", host_of(wait->typical));
    ranks_add_all(&finding->ranks, &wait->waiters);
    ranks_add_all(&finding->ranks, &wait->awaited);
    ranks_add_all(&finding->culprits, &wait->awaited);
    finding_finish(finding);
    for (size_t i = 0; i < wait->waiters.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, wait->waiters.items[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
    finding->confirmed = job_was_watched(text->waits->job);
    free(waiters);
    free(awaited);
}

void lost_hosts_find(const struct cause_text *text, const struct awaited_list *list, struct findings *findings)
{
    struct lost_waits waits = {.count = 0};
    for (size_t i = 0; i < list->count; i++) {
        const struct awaited_ranks *awaited = &list->items[i];
        for (size_t j = 0; awaited->waiters.count > 0 && j < awaited->count; j++) {
            if (!awaited->processes[j]->is_lost)
                continue;
            struct lost_wait *wait = find_wait(&waits, awaited->processes[j]);
            ranks_add(&wait->awaited, awaited->processes[j]->rank);
            ranks_add_all(&wait->waiters, &awaited->waiters);
        }
    }
    for (size_t i = 0; i < waits.count; i++) {
        add_finding(text, &waits.items[i], findings);
        ranks_clear(&waits.items[i].awaited);
        ranks_clear(&waits.items[i].waiters);
    }
    free(waits.items);
}
