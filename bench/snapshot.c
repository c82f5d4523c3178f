/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of saving a job and of loading it: time, memory and the size of the file.
 *
 *   snapshot [RANKS [OPERATIONS]]       default: 100000 ranks, 1000000 operations in all
 *
 * Half of the operations are sends, half receives. Saving and loading are processes of their own, so that each has its
 * own peak of memory.
 */
#include "snapshot/snapshot.h"
#include "base/base.h"
#include "opened_dll.h"
#include "synthetic_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int save(const char *path, int ranks, int operations)
{
    struct job job = synthetic_job(
        &(struct synthetic_plan){.pattern = SYNTHETIC_ALLTOALL, .ranks = ranks, .operations = operations});
    struct reason reason;
    const double begin = now();
    const int result = snapshot_write(path, 0600, &job, &reason);
    if (result == 0)
        printf("%-28s %8.2f s\n", "saving", now() - begin);
    else
        fprintf(stderr, "%s\n", reason.text);
    job_clear(&job);
    return result;
}

static int load(const char *path, enum collect_depth depth, const char *what)
{
    const struct collect_plan plan = {.depth = depth};
    struct job job;
    struct reason reason;
    const double begin = now();
    const int result = snapshot_read(opened_dll(), path, &plan, &job, &reason);
    if (result == 0)
        printf("%-28s %8.2f s\n", what, now() - begin);
    else
        fprintf(stderr, "%s\n", reason.text);
    if (result == 0)
        job_clear(&job);
    return result;
}

/* Waits for a step, and prints its processor time, making or giving back the model included, and its peak of memory. */
static int end_step(pid_t pid)
{
    int status;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0)
        return -1;
    const double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("%-28s %8.2f s\n", "  processor, with the model", seconds);
    printf("%-28s %8.0f MiB\n", "  memory, at most", (double)usage.ru_maxrss / 1024);
    fflush(stdout);
    return 0;
}

static pid_t begin_step(void)
{
    fflush(stdout);
    return fork();
}

static int measure(const char *path, int ranks, int operations)
{
    pid_t pid = begin_step();
    if (pid == 0)
        exit(save(path, ranks, operations) == 0 ? 0 : 1);
    if (end_step(pid) != 0)
        return -1;
    struct stat information;
    if (stat(path, &information) != 0)
        return -1;
    printf("%-28s %8.0f MiB\n", "file", (double)information.st_size / (1 << 20));
    static const struct {
        enum collect_depth depth;
        const char *what;
    } steps[] = {{COLLECT_PROCESS, "loading the processes alone"}, {COLLECT_ALL, "loading"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        pid = begin_step();
        if (pid == 0)
            exit(load(path, steps[i].depth, steps[i].what) == 0 ? 0 : 1);
        if (end_step(pid) != 0)
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const int ranks = argc > 1 ? atoi(argv[1]) : 100000;
    const int all = argc > 2 ? atoi(argv[2]) : 1000000;
    char directory[] = "/tmp/mpilens-bench-XXXXXX";
    if (ranks < 2 || all / 2 < ranks || mkdtemp(directory) == NULL)
        return 2;
    char *path = format_text("%s/job", directory);
    printf("snapshot of %d ranks, %d operations\n", ranks, all / ranks / 2 * 2 * ranks);
    const int result = measure(path, ranks, all / ranks / 2 * 2);
    unlink(path);
    rmdir(directory);
    free(path);
    return result == 0 ? 0 : 1;
}
