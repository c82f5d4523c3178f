/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of some ranks each are read as one job; snapshots of different jobs are refused.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "collect/collect.h"
#include "job/job.h"
#include "job_facts.h"
#include "model_builder.h"
#include "opened_dll.h"
#include "saved_job.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(job_parts, .init = saved_begin, .fini = saved_end);

enum { RANKS = 4 };

static const char *const names[] = {"even", "odd"};

/* Rank 0 has sent rank 1 a message with tag 7 and waits for it, which waits for tag 8; ranks 2 and 3 wait for each
 * other.
 */
static struct job make_job(void)
{
    struct job job = begin_wait_job(RANKS);
    build_details(build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED))->function = "MPI_Send";
    wait_in_recv(&job, 0, 1, 9);
    wait_in_recv(&job, 1, 0, 8);
    wait_in_recv(&job, 2, 3, 1);
    wait_in_recv(&job, 3, 2, 1);
    job_add_facts(&job);
    job.identity = copy_text("slurm 4711.0");
    job.samples = 2;
    job.interval_s = 0.5;
    for (int i = 0; i < RANKS; i++) {
        struct process *process = &job.processes[i];
        process->job_identity = "slurm 4711.0";
        process->library_version = "MPICH Version:\t4.0.2\n";
        process->runtime_version = "1.0";
        free(process->host);
        process->host = copy_text(i % 2 == 0 ? "n1" : "n2");
        process->pid = 500 + i / 2; /* equal on both hosts */
        process->threads[0].tid = (uint32_t)process->pid;
    }
    return job;
}

enum left_out { LEFT_NOTHING, LEFT_UNREAD, LEFT_ABSENT };

/* Leaves every second rank, from `first` on; `left_out`: the fate of the others. */
static void leave_ranks(struct job *job, int first, enum left_out left_out)
{
    size_t kept = 0;
    for (int i = 0; i < RANKS; i++) {
        struct process *process = &job->processes[i];
        if (i % 2 == first || left_out == LEFT_UNREAD)
            job->processes[kept++] = *process;
        if (i % 2 == first)
            continue;
        if (left_out == LEFT_ABSENT)
            rank_set_append(&job->absent, i);
        if (left_out != LEFT_UNREAD) {
            process_clear(process);
            continue;
        }
        process = &job->processes[kept - 1];
        process_clear_contents(process);
        process->reason = copy_text("it does not run on this host");
        process->state = PROCESS_UNREADABLE;
        process->pid = 0;
    }
    if (left_out == LEFT_ABSENT)
        job->absent_reason = copy_text("it does not run on this host");
    job->process_count = kept;
}

static char *path_of(const char *name)
{
    return format_text("%s/%s", saved_directory, name);
}

/* Takes the job. `taken` 0: now. */
static void write_part(struct job *job, const char *name, int64_t taken)
{
    char *path = path_of(name);
    char *statement = format_text("UPDATE job SET snapshot_taken = %lld", (long long)taken);
    cr_assert_eq(snapshot_write(path, 0600, job, &saved_reason), 0, "%s", saved_reason.text);
    char *usual = saved_path;
    saved_path = path;
    if (taken > 0)
        saved_change(statement);
    saved_path = usual;
    free(statement);
    free(path);
    job_clear(job);
}

static void write_half(int first, enum left_out left_out)
{
    struct job job = make_job();
    leave_ranks(&job, first, left_out);
    write_part(&job, names[first], 0);
}

/* Reads the files with these names and removes them. */
static enum exit_status read_files(const char *const *files, size_t count, struct job *ret_job)
{
    struct job_request request = {.target_count = count, .plan.depth = COLLECT_ALL};
    request.targets = allocate(count * sizeof *request.targets);
    for (size_t i = 0; i < count; i++)
        request.targets[i] = path_of(files[i]);
    const enum exit_status status = sample_job(
        opened_dll(), &request, &(struct sample_plan){.samples = 2, .interval_s = 0.01}, ret_job, &saved_reason);
    for (size_t i = 0; i < count; i++) {
        unlink(request.targets[i]);
        free(request.targets[i]);
    }
    free(request.targets);
    return status;
}

static char *verdict_of(const struct job *job)
{
    const struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    analyze(job, &options, &analysis);
    char *text = copy_text("");
    for (size_t i = 0; i < analysis.findings.count; i++) {
        char *longer = format_text("%s%s%s\n", text, analysis.findings.items[i].confirmed ? "" : "perhaps ",
                                   analysis.findings.items[i].message);
        free(text);
        text = longer;
    }
    analysis_clear(&analysis);
    return text;
}

static char *verdict_of_whole(void)
{
    struct job job = make_job();
    complete_job(opened_dll(), &job, COLLECT_SAMPLE);
    job.samples = 2;
    char *verdict = verdict_of(&job);
    cr_assert_neq(verdict[0], '\0');
    job_clear(&job);
    return verdict;
}

static bool has_note(const struct job *job, const char *text)
{
    for (size_t i = 0; i < job->note_count; i++)
        if (strstr(job->notes[i], text) != NULL)
            return true;
    return false;
}

Test(job_parts, are_judged_as_one_job)
{
    static const enum left_out kinds[] = {LEFT_NOTHING, LEFT_UNREAD, LEFT_ABSENT};
    char *whole = verdict_of_whole();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct job job;
        write_half(0, kinds[i]);
        write_half(1, kinds[i]);
        cr_assert_eq(read_files(names, 2, &job), EXIT_GOOD, "%s", saved_reason.text);
        cr_assert_eq(job.process_count, RANKS);
        cr_expect_eq(job.size, RANKS);
        cr_expect_eq(job.absent.count, 0);
        cr_expect_null(job.absent_reason);
        cr_expect_eq(job.samples, 2);
        cr_expect_eq(job.part_count, 2);
        for (int rank = 0; rank < RANKS; rank++) {
            cr_expect_eq(job.processes[rank].rank, rank);
            cr_expect_null(job.processes[rank].reason);
            cr_expect_str_eq(job.processes[rank].host, rank % 2 == 0 ? "n1" : "n2");
        }
        cr_expect_eq(job.parts[0].ranks + job.parts[1].ranks, RANKS);
        cr_expect(has_note(&job, "not read at one moment"));
        cr_expect_eq(job.note_count, 1);
        char *verdict = verdict_of(&job);
        cr_expect_str_eq(verdict, whole);
        free(verdict);
        job_clear(&job);
    }
    free(whole);
}

Test(job_parts, made_one_are_the_same_job)
{
    struct job job;
    char *whole = verdict_of_whole();
    write_half(0, LEFT_UNREAD);
    write_half(1, LEFT_NOTHING);
    cr_assert_eq(read_files(names, 2, &job), EXIT_GOOD, "%s", saved_reason.text);
    saved_write(&job);
    job_clear(&job);
    job = saved_read();
    char *verdict = verdict_of(&job);
    cr_expect_str_eq(verdict, whole);
    free(verdict);
    free(whole);
    job_clear(&job);
}

Test(job_parts, what_no_part_has_stays_unknown)
{
    static const char *const one_and_one[] = {"even", "even2"};
    struct job job = make_job();
    leave_ranks(&job, 0, LEFT_ABSENT);
    write_part(&job, one_and_one[1], 0);
    write_half(0, LEFT_UNREAD);
    cr_assert_eq(read_files(one_and_one, 2, &job), EXIT_GOOD, "%s", saved_reason.text);
    cr_assert_eq(job.process_count, RANKS);
    cr_expect_not_null(job.processes[1].reason);
    cr_expect_not_null(job.processes[3].reason);
    cr_expect_eq(job.absent.count, 0);
    cr_expect(!has_note(&job, "not read at one moment"), "one of both does not count");
    job_clear(&job);
}

/* No part makes ranks stand still that did not in their own. */
Test(job_parts, keep_what_their_samples_told)
{
    struct job job = make_job();
    for (int i = 0; i < RANKS; i++)
        job.processes[i].threads[0].stalled = false;
    leave_ranks(&job, 0, LEFT_NOTHING);
    write_part(&job, names[0], 0);
    write_half(1, LEFT_NOTHING);
    cr_assert_eq(read_files(names, 2, &job), EXIT_GOOD, "%s", saved_reason.text);
    for (int rank = 0; rank < RANKS; rank++)
        cr_expect_eq(job.processes[rank].threads[0].stalled, rank % 2 == 1);
    job_clear(&job);
}

Test(job_parts, of_different_jobs_are_refused)
{
    for (int i = 0; i < 5; i++) {
        static const char *const reasons[] = {"is of the job 'slurm 4711.0', but", "is of a job of 4 ranks, but",
                                              "is of a job of MPICH 4.0.2, but", "the runtime in",
                                              "is no part of a job: the launcher"};
        struct job job = make_job();
        leave_ranks(&job, 1, LEFT_NOTHING);
        for (size_t j = 0; j < job.process_count; j++) {
            struct process *process = &job.processes[j];
            process->job_identity = i == 0 ? "slurm 4711.1" : process->job_identity;
            process->size = i == 1 ? 6 : process->size;
            process->library_version = i == 2 ? "Open MPI v4.1.4, package" : process->library_version;
            process->runtime_version = i == 3 ? "2.0" : process->runtime_version;
        }
        if (i == 0) {
            free(job.identity);
            job.identity = copy_text("slurm 4711.1");
        }
        if (i == 2) {
            free(job.mpi);
            job.mpi = NULL;
        }
        job.size = i == 1 ? 6 : job.size;
        job.launch_problem = i == 4 ? copy_text("the launcher is that of Open MPI") : NULL;
        write_part(&job, names[1], 0);
        write_half(0, LEFT_NOTHING);
        cr_expect_eq(read_files(names, 2, &job), EXIT_USAGE);
        cr_expect_not_null(strstr(saved_reason.text, reasons[i]), "%s", saved_reason.text);
        cr_expect_not_null(strstr(saved_reason.text, "/odd"), "%s", saved_reason.text);
        cr_expect(i == 4 || strstr(saved_reason.text, "/even") != NULL, "%s", saved_reason.text);
    }
}

/* Both have rank 0 and 2, with pid 500 and 501; in `first` they are in MPI_Wait for 1 s, in `second` for 2 s. */
static void write_twice(const char *first_host, int64_t first_taken, const char *second_host, int64_t second_taken)
{
    for (int i = 0; i < 2; i++) {
        struct job job = make_job();
        leave_ranks(&job, 0, LEFT_NOTHING);
        for (size_t j = 0; j < job.process_count; j++) {
            free(job.processes[j].host);
            job.processes[j].host = copy_text(i == 0 ? first_host : second_host);
            job.processes[j].threads[0].age_s = 1 + i;
        }
        write_part(&job, names[i], i == 0 ? first_taken : second_taken);
    }
}

Test(job_parts, of_a_rank_that_was_read_twice_the_newer_counts)
{
    static const struct {
        const char *second_host;
        int64_t first_taken, second_taken;
        double age_s;
        const char *note;
    } cases[] = {
        {"n1", 1000, 2000, 2, "odd counts, which is newer"},
        {"n1", 2000, 1000, 1, "even counts, which is newer"},
        {"n1", 1000, 1000, 2, "odd counts, which was named later"},
        {"n9", 2000, 1000, 2, "odd counts, which was named later"}, /* clocks of hosts are not compared */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job;
        write_twice("n1", cases[i].first_taken, cases[i].second_host, cases[i].second_taken);
        cr_assert_eq(read_files(names, 2, &job), EXIT_GOOD, "%s", saved_reason.text);
        cr_assert_eq(job.process_count, 2);
        for (size_t j = 0; j < 2; j++)
            cr_expect_eq(job.processes[j].threads[0].age_s, cases[i].age_s, "case %zu", i);
        cr_expect(has_note(&job, cases[i].note), "%s", job.notes[0]);
        cr_expect(has_note(&job, "ranks [0,2] were read in "), "%s", job.notes[0]);
        job_clear(&job);
    }
}
