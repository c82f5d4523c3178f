/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of collecting a job on very many hosts: reading and joining the lines of all hosts, in two rounds, and the
 * verdict. The hosts are simulated: each has 100 ranks of a job that nobody has run.
 *
 *     host_parts [HOSTS [OPERATIONS [MISSING [FILE]]]]
 *
 * HOSTS: 1000; OPERATIONS of each rank: 2; MISSING: one host of this many does not answer in round 2 (0: all do). FILE:
 * the lines of the first pattern are written there, and nothing is measured; an engine that writes them shows what a
 * whole command takes:
 *
 *     mpilens why --hosts 'node[00000-00999]' --engine 'sh -c "cat FILE"'
 *
 * Steps are measured in processes of their own, for the sake of their memory.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "job/job.h"
#include "opened_dll.h"
#include "part/part.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "synthetic_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS_OF_HOST = 100, MOST_SECONDS = 1200 };

struct plan {
    struct synthetic_plan job;
    const char *lines; /* file */
    size_t missing;    /* one host of this many; 0: none */
};

/* Processor time, as other work of the machine is none of this. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void report(const char *step, double begun_s)
{
    printf("  %-34s %9.2f s %9.0f MiB at most\n", step, now_s() - begun_s, peak_mib());
    fflush(stdout);
}

/* The ranks of one host out of the job, which loses them. */
static struct job take_host(struct job *job, size_t host)
{
    struct job part = {.size = job->size, .samples = 2, .interval_s = -1};
    const size_t first = host * RANKS_OF_HOST;
    part.identity = copy_text("slurm 4711.0");
    for (size_t i = first; i < first + RANKS_OF_HOST && i < job->process_count; i++) {
        part.processes = array_append(part.processes, &part.process_count, sizeof *part.processes);
        struct process *process = &part.processes[part.process_count - 1];
        *process = job->processes[i];
        job->processes[i] = (struct process){.rank = -1};
        free(process->host);
        process->host = format_text("node%05zu", host);
        process->pid = (pid_t)(1000 + i - first);
    }
    return part;
}

static int send_round(FILE *stream, struct job *part, int round, size_t *packed)
{
    void *bytes;
    size_t count;
    struct reason reason;
    if (snapshot_pack(part, round == 1 ? SNAPSHOT_MARKS : SNAPSHOT_LIGHT, &bytes, &count, &reason) != 0)
        return -1;
    const long before = ftell(stream);
    const int result = part_write(stream, part->processes[0].host, round, bytes, count);
    *packed += (size_t)(ftell(stream) - before);
    free(bytes);
    return result;
}

static int write_lines(const struct plan *plan)
{
    const double begun_s = now_s();
    struct job job = synthetic_job(&plan->job);
    FILE *stream = fopen(plan->lines, "we");
    const size_t hosts = job.process_count / RANKS_OF_HOST;
    size_t packed[2] = {0, 0};
    int result = stream != NULL ? 0 : -1;
    for (size_t host = 0; host < hosts && result == 0; host++) {
        struct job part = take_host(&job, host);
        const bool is_missing = plan->missing > 0 && host % plan->missing == plan->missing / 2;
        for (int round = 1; round <= (is_missing ? 1 : 2) && result == 0; round++)
            result = send_round(stream, &part, round, &packed[round - 1]);
        job_clear(&part);
    }
    if (stream != NULL && fclose(stream) != 0)
        result = -1;
    report("(making the parts of all hosts)", begun_s);
    printf("  bytes of lines for each rank: %.0f in round 1, %.0f in round 2\n",
           (double)packed[0] / (double)plan->job.ranks, (double)packed[1] / (double)plan->job.ranks);
    job_clear(&job);
    return result;
}

static int read_lines(const struct plan *plan)
{
    const struct collect_plan everything = {.depth = COLLECT_ALL};
    const struct analysis_options how = analysis_default_options();
    const struct render_options options = {0};
    FILE *nowhere = fopen("/dev/null", "we");
    struct reason reason;
    struct analysis analysis;
    struct job job;
    double begun_s = now_s();
    if (nowhere == NULL || read_part_lines(opened_dll(), plan->lines, &everything, &job, &reason) != EXIT_GOOD) {
        printf("  %s\n", reason.text);
        return -1;
    }
    report("reading and joining the parts", begun_s);
    begun_s = now_s();
    analyze(&job, &how, &analysis);
    render_why_text(nowhere, &job, &analysis, &options);
    report("verdict", begun_s);
    printf("  %zu parts, %zu ranks, %.1f KiB at most for each; %zu findings: %.60s...\n", job.part_count,
           job.process_count, peak_mib() * 1024 / (double)job.process_count, analysis.findings.count,
           analysis.findings.count > 0 ? analysis.findings.items[0].message : "none");
    analysis_clear(&analysis);
    job_clear(&job);
    fclose(nowhere);
    return 0;
}

/* 0: the work is done. */
static int run(int (*work)(const struct plan *), const struct plan *plan)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        exit(work(plan) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return 0;
    printf("  ended with status 0x%x\n", (unsigned)status);
    return -1;
}

int main(int argument_count, char **arguments)
{
    static const enum synthetic_pattern patterns[] = {SYNTHETIC_RING, SYNTHETIC_BARRIER};
    const long hosts = argument_count > 1 ? strtol(arguments[1], NULL, 10) : 1000;
    const long operations = argument_count > 2 ? strtol(arguments[2], NULL, 10) : 2;
    const long missing = argument_count > 3 ? strtol(arguments[3], NULL, 10) : 0;
    char lines[] = "/tmp/host_parts_XXXXXX";
    const int file = mkstemp(lines);
    struct plan plan = {.job = {.ranks = (int)hosts * RANKS_OF_HOST, .operations = (int)operations},
                        .lines = lines,
                        .missing = (size_t)missing};
    int result = EXIT_SUCCESS;
    if (file < 0 || hosts < 1 || operations < 2 || missing < 0)
        return EXIT_FAILURE;
    close(file);
    if (argument_count > 4) {
        unlink(lines);
        plan.lines = arguments[4];
        return run(write_lines, &plan) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        plan.job.pattern = patterns[i];
        printf("%s, %ld hosts, %d ranks, %ld operations each\n", synthetic_name(plan.job.pattern), hosts,
               plan.job.ranks, operations);
        if (run(write_lines, &plan) != 0 || run(read_lines, &plan) != 0)
            result = EXIT_FAILURE;
    }
    unlink(lines);
    return result;
}
