/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of very large jobs: time and memory to join the processes that were read, for the verdict, and to show both;
 * then again from a snapshot.
 *
 *     synthetic_jobs [RANKS [OPERATIONS]]
 *
 * RANKS: 100000; OPERATIONS of each: 10. Each pattern has a process of its own, for the sake of its memory.
 */
#include "analysis/analysis.h"
#include "collect/collect.h"
#include "opened_dll.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "synthetic_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 300 };

/* Processor time, as other work of the machine is none of this. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds since the last call. */
static double lap_s(void)
{
    static double last;
    const double before = last;
    last = now_s();
    return last - before;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static size_t count_operations(const struct job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++)
            count += job->processes[i].communicators[j].sends.count +
                     job->processes[i].communicators[j].receives.count +
                     job->processes[i].communicators[j].unexpected.count;
    return count;
}

static void report(const char *step)
{
    printf("  %-34s %9.2f s %9.0f MiB at most\n", step, lap_s(), peak_mib());
    fflush(stdout);
}

static void judge(const struct job *job, FILE *stream)
{
    const struct analysis_options how = analysis_default_options();
    const struct render_options options = {0};
    struct analysis analysis;
    analyze(job, &how, &analysis);
    report("verdict");
    render_why_text(stream, job, &analysis, &options);
    report("why");
    printf("  %zu findings, the first: %.100s ...\n", analysis.findings.count,
           analysis.findings.count > 0 ? analysis.findings.items[0].message : "none");
    analysis_clear(&analysis);
}

/* A step of the benchmark, in a process of its own. */
struct step {
    const struct synthetic_plan *plan;
    const char *snapshot;
    FILE *nowhere;
};

static int work_in_memory(const struct step *step)
{
    struct job job = synthetic_job(step->plan);
    report("the processes as read");
    complete_job(opened_dll(), &job, COLLECT_ALL);
    job.samples = 2;
    job.interval_s = 0.5;
    report("what follows from them together");
    printf("  %zu operations pending or unexpected\n", count_operations(&job));
    judge(&job, step->nowhere);
    const struct render_options options = {0};
    render_show_text(step->nowhere, &job, &options);
    report("show");
    struct reason reason;
    const int result = snapshot_write(step->snapshot, 0600, &job, &reason);
    if (result != 0)
        printf("  %s\n", reason.text);
    report("writing a snapshot");
    job_clear(&job);
    return result;
}

static int work_on_snapshot(const struct step *step)
{
    const struct collect_plan plan = {.depth = COLLECT_ALL};
    struct reason reason;
    struct job job;
    if (snapshot_read(opened_dll(), step->snapshot, &plan, &job, &reason) != 0) {
        printf("  %s\n", reason.text);
        return -1;
    }
    report("reading the snapshot");
    judge(&job, step->nowhere);
    job_clear(&job);
    return 0;
}

/* 0: the work is done. */
static int run(int (*work)(const struct step *), const struct step *step)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        lap_s();
        exit(work(step) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return 0;
    printf("  ended with status 0x%x\n", (unsigned)status);
    return -1;
}

int main(int argument_count, char **arguments)
{
    struct synthetic_plan plan = {.ranks = argument_count > 1 ? atoi(arguments[1]) : 100000,
                                  .operations = argument_count > 2 ? atoi(arguments[2]) : 10};
    char snapshot[] = "/tmp/synthetic_jobs_XXXXXX";
    const int file = mkstemp(snapshot);
    const struct step step = {&plan, snapshot, fopen("/dev/null", "w")};
    if (file < 0 || step.nowhere == NULL)
        return EXIT_FAILURE;
    close(file);
    int result = EXIT_SUCCESS;
    for (plan.pattern = 0; plan.pattern < SYNTHETIC_PATTERN_COUNT; plan.pattern++) {
        printf("%s, %d ranks, %d operations each\n", synthetic_name(plan.pattern), plan.ranks, plan.operations);
        if (run(work_in_memory, &step) != 0 || run(work_on_snapshot, &step) != 0)
            result = EXIT_FAILURE;
    }
    unlink(snapshot);
    fclose(step.nowhere);
    return result;
}
