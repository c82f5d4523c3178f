/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does the runtime allocate memory or call the kernel once per operation? Runs every workload N and 2N times, bare and
 * tracked, and counts all system calls (by ptrace) and all heap calls of the process in between. The runtime's share
 * must not depend on the number of iterations. A workload that does both itself shows that the counters count.
 *
 * steady_state RUNTIME
 */
#define _GNU_SOURCE
#include "heap_calls.h"
#include "mpilens/layout.h"
#include "workloads.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MARK_BEGIN = 1000001, /* numbers of system calls that there are not: workload, phase */
    MARK_END = 1000002,   /* workload, phase, heap calls since MARK_BEGIN */
    PHASES = 2,           /* phase i: i + 1 times the iterations, after a run that is not counted */
    RUNS = 3,
    MOST_WORKLOADS = 64,
    BURST_CALLS = 8, /* memory of many requests at a time comes and goes: this many calls more or less are chance */
    CONTROL = MOST_WORKLOADS - 1, /* the number of the workload that shows that the counters count */
    CONTROL_ITERATIONS = 100,
    NOT_AS_EXPECTED = 3,
    SKIPPED = 77,
    SECONDS = 240,
};

/* ---- the process that is measured ---- */

static void control(const struct traffic *traffic, int iterations)
{
    (void)traffic;
    for (int i = 0; i < iterations; i++) {
        void *volatile memory = malloc(16);
        free(memory);
        syscall(SYS_getppid);
    }
}

static void run_counted(size_t number, void (*run)(const struct traffic *, int), const struct traffic *traffic,
                        int iterations)
{
    run(traffic, 2 * iterations);
    for (int phase = 0; phase < PHASES; phase++) {
        syscall(MARK_BEGIN, number, phase);
        const unsigned long before = heap_calls;
        run(traffic, (phase + 1) * iterations);
        syscall(MARK_END, number, phase, heap_calls - before);
    }
}

/* Whether the runtime is there and keeps records. */
static bool is_tracked(void)
{
    const struct mpilens_process *process = dlsym(RTLD_DEFAULT, "mpilens_process");
    return process && process->memory_bytes > 0;
}

static int run_workloads(bool tracked)
{
    MPI_Init(NULL, NULL);
    const struct calls calls = calls_linked();
    const struct traffic traffic = traffic_alone(&calls);
    run_counted(CONTROL, control, &traffic, CONTROL_ITERATIONS);
    for (size_t i = 0; i < workload_count; i++)
        if (workloads[i].ranks == 1)
            run_counted(i, workloads[i].run, &traffic, workloads[i].iterations);
    const bool as_expected = is_tracked() == tracked;
    MPI_Finalize();
    return as_expected ? 0 : NOT_AS_EXPECTED;
}

/* ---- the process that counts ---- */

struct counts {
    unsigned long system_calls;
    unsigned long heap_calls;
    bool counted;
};

struct process_counts {
    struct counts of[MOST_WORKLOADS][PHASES];
};

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static void start(const char *runtime)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(SKIPPED);
    if (runtime)
        setenv("LD_PRELOAD", runtime, 1);
    raise(SIGSTOP);
    execl("/proc/self/exe", "steady_state", runtime ? "--tracked" : "--bare", (char *)NULL);
    _exit(1);
}

/* A system call begins. `current`: where those between two marks are counted, or NULL. */
static void note(pid_t pid, struct process_counts *counts, struct counts **current)
{
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info) <= 0)
        fail("PTRACE_GET_SYSCALL_INFO");
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
        return;
    if (info.entry.nr != MARK_BEGIN && info.entry.nr != MARK_END) {
        if (*current)
            (*current)->system_calls++;
        return;
    }
    struct counts *marked = &counts->of[info.entry.args[0] % MOST_WORKLOADS][info.entry.args[1] % PHASES];
    *current = info.entry.nr == MARK_BEGIN ? marked : NULL;
    if (info.entry.nr == MARK_END) {
        marked->heap_calls = info.entry.args[2];
        marked->counted = true;
    }
}

/* Runs this program under ptrace to its end. */
static void count(const char *runtime, struct process_counts *ret_counts)
{
    struct counts *current = NULL;
    int status;
    const pid_t pid = fork();
    if (pid < 0)
        fail("fork");
    if (pid == 0)
        start(runtime);
    if (waitpid(pid, &status, 0) != pid)
        fail("waitpid");
    if (!WIFSTOPPED(status)) {
        printf("skipped: ptrace is not allowed here\n");
        exit(SKIPPED);
    }
    ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
    int signal_number = 0;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal_number) != 0 || waitpid(pid, &status, 0) != pid)
            fail("ptrace");
        signal_number = 0;
        if (WIFEXITED(status) || WIFSIGNALED(status))
            break;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            note(pid, ret_counts, &current);
        else if (WSTOPSIG(status) != SIGTRAP)
            signal_number = WSTOPSIG(status);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_AS_EXPECTED) {
        fprintf(stderr, "the runtime is %s\n", runtime ? "not at work" : "there, though it should not be");
        exit(1);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "the measured process ended with wait status %#x\n", (unsigned)status);
        exit(1);
    }
}

static unsigned long smaller(unsigned long a, unsigned long b)
{
    return a < b ? a : b;
}

/* The smallest counts of several runs: a library that now and then looks at its sockets does not do so in all. */
static void count_least(const char *runtime, struct process_counts *ret_counts)
{
    static struct process_counts again;
    count(runtime, ret_counts);
    for (int run = 1; run < RUNS; run++) {
        memset(&again, 0, sizeof again);
        count(runtime, &again);
        for (size_t i = 0; i < MOST_WORKLOADS; i++)
            for (int phase = 0; phase < PHASES; phase++) {
                struct counts *least = &ret_counts->of[i][phase];
                least->system_calls = smaller(least->system_calls, again.of[i][phase].system_calls);
                least->heap_calls = smaller(least->heap_calls, again.of[i][phase].heap_calls);
            }
    }
}

/* The runtime's additional calls. */
static long added_system_calls(const struct counts *bare, const struct counts *tracked)
{
    return (long)tracked->system_calls - (long)bare->system_calls;
}

static long added_heap_calls(const struct counts *bare, const struct counts *tracked)
{
    return (long)tracked->heap_calls - (long)bare->heap_calls;
}

static bool control_is_right(const struct process_counts *counts)
{
    bool right = true;
    for (unsigned long phase = 0; phase < PHASES; phase++) {
        const struct counts *control = &counts->of[CONTROL][phase];
        right = right && control->counted && control->system_calls == (phase + 1) * CONTROL_ITERATIONS &&
                control->heap_calls == 2 * (phase + 1) * CONTROL_ITERATIONS;
    }
    return right;
}

/* One line of the table. Returns false where what the runtime adds to operations is not the same for both phases. */
static bool compare(const struct workload *workload, const struct counts bare[PHASES],
                    const struct counts tracked[PHASES])
{
    bool same = true;
    printf("%-28s", workload->name);
    for (int phase = 0; phase < PHASES; phase++) {
        printf(" %9d %9lu %+7ld %9lu %+7ld", (phase + 1) * workload->iterations, bare[phase].system_calls,
               added_system_calls(&bare[phase], &tracked[phase]), bare[phase].heap_calls,
               added_heap_calls(&bare[phase], &tracked[phase]));
        const long more = added_system_calls(&bare[phase], &tracked[phase]) - added_system_calls(&bare[0], &tracked[0]);
        same = same && bare[phase].counted && tracked[phase].counted &&
               labs(more) <= (workload->prepares_much ? BURST_CALLS : 0) &&
               added_heap_calls(&bare[phase], &tracked[phase]) == added_heap_calls(&bare[0], &tracked[0]);
    }
    printf("%s\n", same ? "" : workload->makes_objects ? "  (makes objects)" : "  FAIL");
    return same || workload->makes_objects;
}

int main(int argc, char **argv)
{
    static struct process_counts bare;
    static struct process_counts tracked;
    if (argc == 2 && (strcmp(argv[1], "--bare") == 0 || strcmp(argv[1], "--tracked") == 0))
        return run_workloads(strcmp(argv[1], "--tracked") == 0);
    if (argc != 2) {
        fprintf(stderr, "usage: steady_state RUNTIME\n");
        return 2;
    }
    alarm(SECONDS);
    count_least(NULL, &bare);
    count_least(argv[1], &tracked);
    if (!control_is_right(&bare) || !control_is_right(&tracked)) {
        printf("FAIL: the counters do not count what is known\n");
        return 1;
    }
    printf("System calls and heap calls of the bare library, and what the runtime adds\n%-28s", "");
    for (int phase = 0; phase < PHASES; phase++)
        printf(" %9s %9s %7s %9s %7s", "times", "system", "added", "heap", "added");
    printf("\n");
    bool same = true;
    for (size_t i = 0; i < workload_count; i++)
        if (workloads[i].ranks == 1)
            same = compare(&workloads[i], bare.of[i], tracked.of[i]) && same;
    return same ? 0 : 1;
}
