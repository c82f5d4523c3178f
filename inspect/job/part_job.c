/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds what hosts have sent to the job of their round, and accounts for ranks of hosts that have not answered.
 */
#include "job/part_job.h"

#include "base/allocation.h"
#include "collect/job_processes.h"
#include "discover/launcher_table.h"
#include "job/job_parts.h"
#include "job/progress.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

void part_job_begin(struct part_job *parts)
{
    *parts = (struct part_job){.lost_count = 0};
    for (int i = 0; i < MOST_ROUNDS; i++)
        parts->rounds[i].size = -1;
}

void part_job_clear(struct part_job *parts)
{
    for (int i = 0; i < MOST_ROUNDS; i++)
        job_clear(&parts->rounds[i]);
    for (size_t i = 0; i < parts->lost_count; i++) {
        free(parts->lost[i].name);
        free(parts->lost[i].reason);
    }
    free(parts->lost);
    *parts = (struct part_job){.lost_count = 0};
}

void part_job_lose_host(struct part_job *parts, const char *host, const char *reason)
{
    for (size_t i = 0; i < parts->lost_count; i++)
        if (strcmp(parts->lost[i].name, host) == 0)
            return;
    parts->lost = array_append(parts->lost, &parts->lost_count, sizeof *parts->lost);
    parts->lost[parts->lost_count - 1] = (struct lost_host){.name = copy_text(host), .reason = copy_text(reason)};
}

void part_job_lose_torn(struct part_job *parts, const struct part_reader *reader, int round)
{
    for (size_t i = 0; i < part_reader_host_count(reader); i++) {
        const char *host = part_reader_host(reader, i);
        struct reason reason = {"it has not answered"};
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
    return job_add_part(job, &part, received->host, ret_reason);
}

size_t part_job_take(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                     struct part_reader *reader)
{
    struct received_part received;
    size_t count = 0;
    while (part_reader_take(reader, &received)) {
        struct reason reason;
        if (add(parts, dll, plan, &received, &reason) == 0) {
            parts->parts[received.round - 1]++;
            count++;
        } else {
            part_job_lose_host(parts, received.host, reason.text);
        }
        free(received.bytes);
    }
    return count;
}

static const struct lost_host *find_lost(const struct part_job *parts, const char *host)
{
    for (size_t i = 0; host != NULL && i < parts->lost_count; i++)
        if (is_same_host(parts->lost[i].name, host))
            return &parts->lost[i];
    return NULL;
}

static void add_lost_rank(struct job *job, int rank, const char *host, const struct lost_host *lost)
{
    struct process *process = add_process(job, rank);
    process->state = PROCESS_UNREADABLE;
    process->is_lost = true;
    process->host = host != NULL ? copy_text(host) : NULL;
    process->reason = copy_text(lost->reason);
}

/* What earlier rounds, or who asked, know of the rank's host; NULL: nothing. */
static const char *find_host_of(const struct part_job *parts, int rank, char *const *hosts, size_t host_count)
{
    if (hosts != NULL && (size_t)rank < host_count && hosts[rank] != NULL)
        return hosts[rank];
    const struct process *process = find_process(&parts->rounds[0], rank);
    return process != NULL ? process->host : NULL;
}

/* Ranks that no part has. Where one host is lost and nothing is known of the rank, it can be there only. */
static void add_lost_ranks(const struct part_job *parts, struct job *job, char *const *hosts, size_t host_count)
{
    const size_t read = job->process_count;
    struct rank_set absent = {.count = 0};
    size_t next = 0;
    for (int rank = 0; rank < job->size; rank++) {
        while (next < read && job->processes[next].rank < rank)
            next++;
        const bool is_read = next < read && job->processes[next].rank == rank && job->processes[next].reason == NULL;
        const bool is_here = next < read && job->processes[next].rank == rank;
        const char *host = is_read ? NULL : find_host_of(parts, rank, hosts, host_count);
        const struct lost_host *lost = find_lost(parts, host);
        if (lost == NULL && host == NULL && !is_here && parts->lost_count == 1)
            lost = &parts->lost[0];
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

static void say_lost_hosts(const struct part_job *parts, struct job *job)
{
    for (size_t i = 0; i < parts->lost_count; i++) {
        job->notes = array_append(job->notes, &job->note_count, sizeof *job->notes);
        job->notes[job->note_count - 1] =
            format_text("host %s did not answer: %s", parts->lost[i].name, parts->lost[i].reason);
    }
}

static bool has_read_rank(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL)
            return true;
    return false;
}

int part_job_finish(struct part_job *parts, enum collect_depth depth, char *const *hosts, size_t host_count,
                    struct job *ret_job, struct reason *ret_reason)
{
    struct job *before = &parts->rounds[0], *last = &parts->rounds[1];
    const bool has_before = parts->parts[0] > 0;
    if (has_before) {
        job_settle_parts(before, true);
        complete_parts(before, COLLECT_SAMPLE);
    }
    job_settle_parts(last, has_before);
    last->size = last->size > before->size ? last->size : before->size;
    add_lost_ranks(parts, last, hosts, host_count);
    complete_parts(last, depth);
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
