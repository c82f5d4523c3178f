/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts that hosts sent in two rounds become one job, with ranks that stand still and reasons for hosts that do not
 * answer.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "job/job.h"
#include "job_facts.h"
#include "model_builder.h"
#include "opened_dll.h"
#include "part/part.h"
#include "snapshot/snapshot.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, MOST_BYTES = 1 << 24 };

static const struct collect_plan everything = {.depth = COLLECT_ALL};
static struct part_reader *reader;
static struct part_job parts;
static struct part_stream stream;

static void start(void)
{
    reader = part_reader_create(MOST_BYTES);
    stream = (struct part_stream){.length = 0};
    part_job_begin(&parts);
}

static void end(void)
{
    part_reader_destroy(reader);
    part_job_clear(&parts);
}

TestSuite(part_job, .init = start, .fini = end);

/* Two of the four ranks of a ring of receives, on host n1 or n2, with the same pids. */
static struct job make_part(int host, const char *identity)
{
    struct job job = begin_wait_job(RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        wait_in_recv(&job, rank, (rank + 1) % RANKS, 7);
    job_add_facts(&job);
    size_t kept = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        struct process *process = &job.processes[rank];
        if (rank / 2 != host) {
            process_clear(process);
            continue;
        }
        free(process->host);
        process->host = copy_text(host == 0 ? "n1" : "n2");
        process->pid = 500 + rank % 2;
        process->job_identity = identity;
        process->threads[0].entered = 1000 + (uint64_t)rank;
        process->threads[0].operation_serial = 1;
        job.processes[kept++] = *process;
    }
    job.process_count = kept;
    job.identity = copy_text(identity);
    job.samples = 2;
    job.interval_s = -1;
    return job;
}

/* Takes the job. */
static void send_job(struct job *job, int host, int round)
{
    void *bytes;
    size_t count, length = 0;
    char *text = NULL;
    struct reason reason;
    cr_assert_eq(snapshot_pack(job, round == 1 ? SNAPSHOT_MARKS : SNAPSHOT_LIGHT, &bytes, &count, &reason), 0, "%s",
                 reason.text);
    FILE *output = open_memstream(&text, &length);
    cr_assert_eq(part_write(output, host == 0 ? "n1" : "n2", round, bytes, count), 0);
    fclose(output);
    part_reader_feed(reader, &stream, text, length);
    part_job_take(&parts, NULL, &everything, reader);
    free(text);
    free(bytes);
    job_clear(job);
}

static void send_rounds(int host, const char *identity)
{
    for (int round = 1; round <= 2; round++) {
        struct job job = make_part(host, identity);
        send_job(&job, host, round);
    }
}

static struct job finish(const char *const *hosts, size_t count)
{
    struct job job;
    struct reason reason;
    cr_assert_eq(part_job_finish(&parts, opened_dll(), COLLECT_ALL, hosts, count, &job, &reason), 0, "%s", reason.text);
    return job;
}

static char *first_message(const struct job *job)
{
    const struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    analyze(job, &options, &analysis);
    char *message = copy_text(analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
    analysis_clear(&analysis);
    return message;
}

Test(part_job, stands_still_what_is_the_same_in_both_rounds)
{
    send_rounds(0, "slurm 1.0");
    send_rounds(1, "slurm 1.0");
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.process_count, RANKS);
    cr_expect_eq(job.samples, 2);
    cr_expect_eq(job.note_count, 0);
    for (int rank = 0; rank < RANKS; rank++)
        cr_expect(job.processes[rank].threads[0].stalled);
    char *message = first_message(&job);
    cr_expect_not_null(strstr(message, "ranks [0-3]"), "%s", message);
    free(message);
    job_clear(&job);
}

Test(part_job, clocks_of_hosts_are_not_compared)
{
    for (int host = 0; host < 2; host++)
        for (int round = 1; round <= 2; round++) {
            struct job part = make_part(host, "slurm 1.0");
            for (size_t i = 0; i < part.process_count; i++)
                part.processes[i].ages_end_s = 1000 + 60 * host;
            send_job(&part, host, round);
        }
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.process_count, RANKS);
    for (int rank = 1; rank < RANKS; rank++)
        cr_expect_eq(process_ages_delay_s(&job.processes[0], &job.processes[rank]), 0);
    job_clear(&job);
}

/* Each alone looks stuck; the rank that has moved was not where it is now in round 1. */
Test(part_job, what_moves_between_the_rounds_is_not_stuck)
{
    send_rounds(0, "slurm 1.0");
    struct job first = make_part(1, "slurm 1.0"), second = make_part(1, "slurm 1.0");
    second.processes[0].threads[0].entered = 5000;
    send_job(&first, 1, 1);
    send_job(&second, 1, 2);
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.process_count, RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        cr_expect_eq(job.processes[rank].threads[0].stalled, rank != 2);
    char *message = first_message(&job);
    cr_expect_str_eq(message, "");
    free(message);
    job_clear(&job);
}

/* Its host has seen that; the deadlock would be certain if it were known to stand still. */
Test(part_job, a_rank_that_lacked_a_processor_is_not_stuck)
{
    send_rounds(0, "slurm 1.0");
    struct job first = make_part(1, "slurm 1.0"), second = make_part(1, "slurm 1.0");
    second.processes[0].lacked_processor_s = 12;
    send_job(&first, 1, 1);
    send_job(&second, 1, 2);
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.process_count, RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        cr_expect_eq(job.processes[rank].threads[0].stalled, rank != 2);
    const struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    analyze(&job, &options, &analysis);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark,
                              "rank 2 hardly had a processor for 12.0 s, so whether it stands still is "
                              "not known: ask again"),
                       "%s", analysis.remark);
    analysis_clear(&analysis);
    job_clear(&job);
}

/* With the same rank and pid on another host, it is another process. */
Test(part_job, a_rank_that_has_moved_to_another_host_is_not_stuck)
{
    send_rounds(0, "slurm 1.0");
    struct job first = make_part(1, "slurm 1.0"), second = make_part(1, "slurm 1.0");
    for (size_t i = 0; i < first.process_count; i++) {
        free(first.processes[i].host);
        first.processes[i].host = copy_text("n9");
    }
    send_job(&first, 1, 1);
    send_job(&second, 1, 2);
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.process_count, RANKS);
    cr_expect(!job.processes[2].threads[0].stalled);
    job_clear(&job);
}

static void expect_lost(const struct job *job)
{
    cr_assert_eq(job->process_count, RANKS);
    for (int rank = 2; rank < RANKS; rank++) {
        cr_expect(job->processes[rank].is_lost);
        cr_expect_str_eq(job->processes[rank].reason, "No route to host");
        cr_expect_str_eq(job->processes[rank].host, "n2");
    }
    cr_assert_eq(job->note_count, 1);
    cr_expect_str_eq(job->notes[0], "host n2 did not answer: No route to host");
    char *message = first_message(job);
    cr_expect_str_eq(message, "rank 1 waits for rank 2 on n2, which does not answer: No route to host");
    free(message);
}

Test(part_job, ranks_of_the_only_host_that_is_lost_are_there)
{
    send_rounds(0, "slurm 1.0");
    part_job_lose_host(&parts, "n2", "No route to host");
    struct job job = finish(NULL, 0);
    expect_lost(&job);
    job_clear(&job);
}

Test(part_job, ranks_of_a_host_that_is_lost_after_the_first_round_are_known)
{
    send_rounds(0, "slurm 1.0");
    struct job first = make_part(1, "slurm 1.0");
    send_job(&first, 1, 1);
    part_job_lose_host(&parts, "n2", "No route to host");
    struct job job = finish(NULL, 0);
    expect_lost(&job);
    job_clear(&job);
}

Test(part_job, a_table_says_where_ranks_are)
{
    char n1[] = "n1", n2[] = "n2.example.org";
    const char *const hosts[] = {n1, n1, n2, NULL};
    send_rounds(0, "slurm 1.0");
    part_job_lose_host(&parts, "n2", "No route to host");
    part_job_lose_host(&parts, "n3", "it took too long");
    struct job job = finish(hosts, RANKS);
    cr_assert_eq(job.process_count, 3);
    cr_expect(job.processes[2].is_lost);
    cr_assert_eq(job.absent.count, 1, "of rank 3, nothing is known");
    cr_expect_eq(job.absent.ranges[0].first, 3);
    job_clear(&job);
}

Test(part_job, a_part_of_another_job_is_no_answer)
{
    send_rounds(0, "slurm 1.0");
    send_rounds(1, "slurm 2.0");
    struct job job = finish(NULL, 0);
    cr_expect_eq(job.part_count, 1);
    cr_assert_eq(job.note_count, 1);
    cr_expect_not_null(strstr(job.notes[0], "n2 is of the job 'slurm 2.0'"), "%s", job.notes[0]);
    job_clear(&job);
}

Test(part_job, nothing_read_is_an_error)
{
    struct job job;
    struct reason reason;
    part_job_lose_host(&parts, "n2", "No route to host");
    cr_expect_eq(part_job_finish(&parts, opened_dll(), COLLECT_ALL, NULL, 0, &job, &reason), -1);
    cr_expect_str_eq(reason.text, "no rank of the job was read: host n2 did not answer: No route to host");
}

/* Bytes that are no part at all. */
Test(part_job, a_damaged_part_is_no_answer)
{
    char *text = NULL;
    size_t length = 0;
    FILE *output = open_memstream(&text, &length);
    send_rounds(0, "slurm 1.0");
    cr_assert_eq(part_write(output, "n2", 2, "SQLite format 3", 16), 0);
    fclose(output);
    part_reader_feed(reader, &stream, text, length);
    part_job_take(&parts, NULL, &everything, reader);
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.note_count, 1);
    cr_expect_not_null(strstr(job.notes[0], "host n2 did not answer: "), "%s", job.notes[0]);
    free(text);
    job_clear(&job);
}

/* Told together where the reason is the same, however many there are. */
Test(part_job, hosts_that_do_not_answer_are_told_by_reason)
{
    send_rounds(0, "slurm 1.0");
    for (int i = 3; i < 1000; i++) {
        char *host = format_text("n%d", i);
        part_job_lose_host(&parts, host, i == 7 ? "Permission denied" : "No route to host");
        part_job_lose_host(&parts, host, "a second reason");
        free(host);
    }
    part_job_lose_host(&parts, "_", "No route to host");
    cr_expect_str_eq(part_job_lost_reason(&parts, "n7"), "Permission denied");
    cr_expect_null(part_job_lost_reason(&parts, "n1"));
    struct job job = finish(NULL, 0);
    cr_assert_eq(job.note_count, 3);
    cr_expect_str_eq(job.notes[0], "host _ did not answer: No route to host", "is no name");
    cr_expect_str_eq(job.notes[1], "hosts n[3-6,8-9,10-99,100-999] did not answer: No route to host");
    cr_expect_str_eq(job.notes[2], "host n7 did not answer: Permission denied");
    job_clear(&job);
}
