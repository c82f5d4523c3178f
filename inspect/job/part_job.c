/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds what hosts have sent to the job of their round, and accounts for ranks of hosts that have not answered.
 */

#include "base/base.h"
#include "collect/collect.h"
#include "engine/engine.h"
#include "job/job_internal.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

/* Reasons told for hosts that have not answered. */
enum { MOST_REASONS = 32 };

void part_job_begin(struct part_job *parts)
{
    *parts = (struct part_job){.lost_count = 0};
    for (int i = 0; i < MOST_ROUNDS; i++)
        parts->rounds[i].size = -1;
}

static int compare_lost(const void *left, const void *right)
{
    return strcmp(((const struct lost_host *)left)->name, ((const struct lost_host *)right)->name);
}

void part_job_clear(struct part_job *parts)
{
    for (int i = 0; i < MOST_ROUNDS; i++)
        job_clear(&parts->rounds[i]);
    *parts = (struct part_job){.lost_count = 0};
}

void part_job_lose_host(struct part_job *parts, const char *host, const char *reason)
{
    if (part_job_lost_reason(parts, host) != NULL)
        return;
    struct lost_host *lost = arena_allocate(sizeof *lost);
    *lost = (struct lost_host){.name = arena_copy(host), .reason = arena_copy(reason)};
    arena_search(lost, &parts->lost_by_name, compare_lost);
    parts->lost = arena_append(parts->lost, &parts->lost_count, sizeof(struct lost_host *));
    parts->lost[parts->lost_count - 1] = lost;
}

void part_job_lose_torn(struct part_job *parts, const struct part_reader *reader, int round)
{
    for (size_t i = 0; i < part_reader_host_count(reader); i++) {
        const char *host = part_reader_host(reader, i);
        struct reason reason = {.text = "it has not answered"};
        if (part_reader_state(reader, host, round, &reason) != PART_WHOLE)
            part_job_lose_host(parts, host, reason.text);
    }
}

static int add(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
               const struct received_part *received, struct reason *ret_reason)
{
    struct job *job = &parts->rounds[received->round - 1];
    struct job part;
    if (snapshot_unpack_part(dll, received->host, received->bytes, received->count, job->part_count + 1, plan, job,
                             &part, ret_reason) != 0)
        return -1;
    for (size_t i = 0; i < part.process_count; i++) {
        part.processes[i].is_sent = true;
        part.processes[i].ages_end_s = 0; /* hosts are read in one round: their clocks may be further apart than that */
    }
    return job_add_part(job, &part, received->host, ret_reason);
}

void part_job_add(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                  struct received_part *received)
{
    struct reason reason;
    if (add(parts, dll, plan, received, &reason) == 0)
        parts->parts[received->round - 1]++;
    else
        part_job_lose_host(parts, received->host, reason.text);
    free(received->bytes);
    received->bytes = NULL;
}

void part_job_take(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                   struct part_reader *reader)
{
    struct received_part received;
    while (part_reader_take(reader, &received))
        part_job_add(parts, dll, plan, &received);
}

const char *part_job_lost_reason(const struct part_job *parts, const char *host)
{
    const struct lost_host wanted = {.name = host};
    const struct lost_host *found = arena_find(&wanted, parts->lost_by_name, compare_lost);
    return found != NULL ? found->reason : NULL;
}

/* The names of the hosts that have not answered. */
static struct host_list list_lost(const struct part_job *parts)
{
    struct host_list list = {.names = arena_allocate(parts->lost_count * sizeof *list.names),
                             .count = parts->lost_count};
    for (size_t i = 0; i < parts->lost_count; i++)
        list.names[i] = parts->lost[i]->name;
    return list;
}

static const struct lost_host *find_lost(const struct part_job *parts, const struct host_index *index, const char *host)
{
    const size_t number = host != NULL ? host_index_find(index, host) : parts->lost_count;
    return number < parts->lost_count ? parts->lost[number] : NULL;
}

static void add_lost_rank(struct job *job, int rank, const char *host, const struct lost_host *lost)
{
    struct process *process = add_process(job, rank);
    process->state = PROCESS_UNREADABLE;
    process->is_lost = true;
    process->host = host != NULL ? copy_text(host) : NULL;
    process->reason = copy_text(lost->reason);
}

/* The rank's host as known to earlier rounds or to the caller; NULL: not known. */
static const char *find_host_of(const struct part_job *parts, int rank, const char *const *hosts, size_t host_count)
{
    if (hosts != NULL && (size_t)rank < host_count && hosts[rank] != NULL)
        return hosts[rank];
    const struct process *process = find_process(&parts->rounds[0], rank);
    return process != NULL ? process->host : NULL;
}

/* Ranks that no part has. Where one host is lost and nothing is known of the rank, it can be there only. */
static void add_lost_ranks(const struct part_job *parts, struct job *job, const char *const *hosts, size_t host_count)
{
    const size_t read = job->process_count;
    struct rank_set absent = {.count = 0};
    const struct host_list hosts_lost = list_lost(parts);
    struct host_index index = host_index_make(&hosts_lost);
    size_t next = 0;
    for (int rank = 0; rank < job->size; rank++) {
        while (next < read && job->processes[next].rank < rank)
            next++;
        const bool is_read = next < read && job->processes[next].rank == rank && job->processes[next].reason == NULL;
        const bool is_here = next < read && job->processes[next].rank == rank;
        const char *host = is_read ? NULL : find_host_of(parts, rank, hosts, host_count);
        const struct lost_host *lost = find_lost(parts, &index, host);
        if (lost == NULL && host == NULL && !is_here && parts->lost_count == 1)
            lost = parts->lost[0];
        if (is_here && !is_read && lost != NULL && job->processes[next].state != PROCESS_EXITED) {
            struct process *process = &job->processes[next];
            free(process->reason);
            process->reason = copy_text(lost->reason);
            process->is_lost = true;
            if (process->host == NULL)
                process->host = copy_text(lost->name);
        } else if (!is_here && lost != NULL) {
            add_lost_rank(job, rank, host != NULL ? host : lost->name, lost);
        } else if (!is_here) {
            rank_set_append(&absent, rank);
        }
    }
    rank_set_clear(&job->absent);
    free(job->absent_reason);
    job->absent = absent;
    job->absent_reason = absent.count > 0 ? copy_text("no host that has answered has it") : NULL;
}

/* Hosts that have not answered for the same reason. */
struct lost_together {
    const char *reason; /* NULL: for further ones */
    struct host_list hosts;
};

static void say_lost_together(struct job *job, struct lost_together *lost)
{
    const char *names = host_list_fold(&lost->hosts);
    if (lost->reason == NULL)
        job_add_note(job, format_text("host%s %s did not answer either, for other reasons",
                                      lost->hosts.count == 1 ? "" : "s", names));
    else
        job_add_note(
            job, format_text("host%s %s did not answer: %s", lost->hosts.count == 1 ? "" : "s", names, lost->reason));
}

static void say_lost_hosts(const struct part_job *parts, struct job *job)
{
    struct lost_together all[MOST_REASONS + 1] = {{.reason = NULL}};
    size_t count = 0;
    for (size_t i = 0; i < parts->lost_count; i++) {
        size_t number = 0;
        while (number < count && strcmp(all[number].reason, parts->lost[i]->reason) != 0)
            number++;
        if (number == count && count < MOST_REASONS)
            all[count++].reason = parts->lost[i]->reason;
        if (host_list_add(&all[number].hosts, parts->lost[i]->name) != 0)
            job_add_note(job, format_text("host %s did not answer: %s", parts->lost[i]->name, parts->lost[i]->reason));
    }
    for (size_t i = 0; i <= MOST_REASONS; i++)
        if (all[i].hosts.count > 0)
            say_lost_together(job, &all[i]);
}

static bool has_read_rank(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL || job->processes[i].seen_thread_count > 0)
            return true;
    return false;
}

int part_job_finish(struct part_job *parts, const struct dll *dll, enum collect_depth depth, const char *const *hosts,
                    size_t host_count, struct job *ret_job, struct reason *ret_reason)
{
    struct job *before = &parts->rounds[0], *last = &parts->rounds[1];
    const bool has_before = parts->parts[0] > 0;
    if (has_before) {
        job_settle_parts(before, true);
        complete_parts(dll, before, COLLECT_SAMPLE);
    }
    job_settle_parts(last, has_before);
    last->size = last->size > before->size ? last->size : before->size;
    add_lost_ranks(parts, last, hosts, host_count);
    complete_parts(dll, last, depth);
    say_lost_hosts(parts, last);
    if (has_before)
        progress_between_rounds(before, last);
    int result = 0;
    if (has_read_rank(last)) {
        *ret_job = *last;
        *last = (struct job){.size = -1};
    } else {
        result = reason_set(ret_reason, "no rank of the job was read%s%s", last->note_count > 0 ? ": " : "",
                            last->note_count > 0 ? last->notes[last->note_count - 1] : "");
    }
    part_job_clear(parts);
    return result;
}
