/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What very large jobs cost: the time and memory of what follows from the processes together, of the verdict, and of
 * showing both, once all processes have been read.
 *
 *     synthetic_jobs [RANKS [OPERATIONS]]
 *
 * RANKS: 100000; OPERATIONS of each: 10. Each pattern has a process of its own, for the sake of its memory.
 */
#include "analysis/analysis.h"
#include "describe.h"
#include "job_processes.h"
#include "render.h"
#include "render_why.h"
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

static int measure(const struct synthetic_plan *plan)
{
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL)
        return EXIT_FAILURE;
    alarm(MOST_SECONDS);
    lap_s();
    struct job job = synthetic_job(plan);
    report("the processes as read");
    complete_job(&job, COLLECT_ALL);
    job.samples = 2;
    job.interval_s = 0.5;
    report("what follows from them together");
    printf("  %zu operations pending or unexpected\n", count_operations(&job));
    lap_s();
    const struct render_options options = {0};
    render_show_text(nowhere, &job, &options);
    report("show");
    const struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    analyze(&job, &how, &analysis);
    report("verdict");
    render_why_text(nowhere, &job, &analysis, &options);
    report("why");
    printf("  %zu findings: %s\n", analysis.findings.count,
           analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
    analysis_clear(&analysis);
    job_clear(&job);
    fclose(nowhere);
    return EXIT_SUCCESS;
}

int main(int argument_count, char **arguments)
{
    struct synthetic_plan plan = {.ranks = argument_count > 1 ? atoi(arguments[1]) : 100000,
                                  .operations = argument_count > 2 ? atoi(arguments[2]) : 10};
    int result = EXIT_SUCCESS;
    for (plan.pattern = 0; plan.pattern < SYNTHETIC_PATTERN_COUNT; plan.pattern++) {
        printf("%s, %d ranks, %d operations each\n", synthetic_name(plan.pattern), plan.ranks, plan.operations);
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            exit(measure(&plan));
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("  ended with status 0x%x\n", (unsigned)status);
            result = EXIT_FAILURE;
        }
    }
    return result;
}
