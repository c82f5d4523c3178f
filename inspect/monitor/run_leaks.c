/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches a rank until it ends, and lists its leaks.
 */

#include "base/base.h"
#include "collect/collect.h"
#include "monitor/monitor_internal.h"
#include "render/text/render_text.h"
#include "target/target.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENT_SHIFT = 16, STATUS_OF_SIGNAL = 128 };
static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

struct watched {
    pid_t rank;
    const struct rank_set *ranks;
    bool has_ended;
    bool has_leaks; /* that were said here */
    int status;     /* of the rank, as of waitpid; where it has ended */
    bool has_dll;
    struct dll dll;
    bool is_meeting; /* those who watch the other ranks */
    struct leak_meeting meeting;
};

static const char *describe_ranks(const struct leaks *leaks)
{
    struct ranks ranks = {0};
    for (size_t i = 0; i < leaks->count; i++)
        for (size_t j = 0; j < leaks->items[i]->rank_count; j++)
            ranks_add(&ranks, leaks->items[i]->ranks[j].rank);
    ranks_finish(&ranks);
    return arena_text("%s %s", ranks_name(&ranks), ranks.count == 1 ? "has" : "have");
}

/* In one piece, so that the tables do not mix. */
static void say(struct watched *watched, const struct leaks *leaks)
{
    char *text;
    watched->has_leaks = true;
    FILE *stream = open_text(&text);
    fprintf(stream, "mpilens run: %s made and not freed:\n", describe_ranks(leaks));
    render_leaks_table(stream, leaks, false);
    fclose(stream);
    for (size_t done = 0, bytes = strlen(text); done < bytes;) {
        const ssize_t part = write(STDERR_FILENO, text + done, bytes - done);
        if (part < 0 && errno != EINTR)
            break;
        done += part > 0 ? (size_t)part : 0;
    }
    free(text);
}

/* A process that is about to end. */
static void look_at(struct watched *watched, pid_t pid)
{
    const struct collect_plan plan = {.depth = COLLECT_ALL};
    const struct arena_mark mark = arena_mark();
    struct job job = {.size = -1};
    add_live_process(&job, pid, -1);
    read_processes(&watched->dll, &job, false, &plan);
    complete_job(&watched->dll, &job, plan.depth);
    const struct process *process = &job.processes[0];
    if (process->reason == NULL && process->state == PROCESS_FINALIZED) {
        struct leaks leaks = find_leaks(&job, watched->ranks);
        const bool is_left_to_others =
            leaks.count > 0 && watched->is_meeting && leak_meeting_add(&watched->meeting, &leaks) == 0;
        if (leaks.count > 0 && !is_left_to_others)
            say(watched, &leaks);
    }
    job_clear(&job);
    arena_release(mark);
}

static void go_on(struct watched *watched, pid_t pid, int status)
{
    const int number = WSTOPSIG(status);
    const int event = status >> EVENT_SHIFT;
    if (event == PTRACE_EVENT_EXIT && watched->has_dll)
        look_at(watched, pid);
    if (event == PTRACE_EVENT_STOP &&
        (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU))
        ptrace(PTRACE_LISTEN, pid, NULL, NULL); /* it stays stopped, as without us */
    else
        ptrace(PTRACE_CONT, pid, NULL, (void *)(long)(event == 0 ? number : 0));
}

static void handle_children(struct watched *watched)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
        if (WIFSTOPPED(status))
            go_on(watched, pid, status);
        else if (pid == watched->rank) {
            watched->has_ended = true;
            watched->status = status;
        }
    }
}

static void watch(struct watched *watched, const sigset_t *awaited)
{
    for (handle_children(watched); !watched->has_ended; handle_children(watched)) {
        siginfo_t signal;
        const int number = sigwaitinfo(awaited, &signal);
        if (number > 0 && number != SIGCHLD && signal.si_code != SI_KERNEL) /* the terminal signals both */
            kill(watched->rank, number);
    }
}

/* Becomes the program as soon as the other end of the pipe is closed. */
static void become(const char *path, char **arguments, int pipe_end, const sigset_t *mask)
{
    char nothing;
    while (read(pipe_end, &nothing, 1) < 0 && errno == EINTR)
        continue;
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(path, arguments); /* also gives a file without a format to the shell */
    fprintf(stderr, "mpilens run: %s: %s\n", path, strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static void attach(struct watched *watched)
{
    const long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL;
    struct reason reason;
    prctl(PR_SET_NAME, FREEZE_WATCHER);
    if (ptrace(PTRACE_SEIZE, watched->rank, NULL, (void *)options) != 0)
        reason_set(&reason, "the program cannot be traced: %s", strerror(errno));
    else if (dll_open(NULL, &watched->dll, &reason) == 0)
        watched->has_dll = true;
    char *path = leak_meeting_path();
    watched->is_meeting = watched->has_dll && path != NULL && leak_meeting_join(path, &watched->meeting);
    free(path);
    if (!watched->has_dll)
        print_line(stderr, "mpilens run: leaks cannot be found: %s", reason.text);
}

/* The last to leave reports the leaks of all. */
static void leave(struct watched *watched)
{
    struct leak_records records;
    if (!watched->is_meeting || !leak_meeting_leave(&watched->meeting, &records))
        return;
    struct leaks leaks = merge_leaks(records.items, records.count);
    if (leaks.count > 0)
        say(watched, &leaks);
}

/* As if it had been this process: its parent is to see the same. */
static int end_as(int status)
{
    const struct rlimit no_core = {0, 0}; /* there is one already */
    sigset_t none;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return STATUS_OF_SIGNAL + WTERMSIG(status);
}

int run_with_leaks(const char *path, char **arguments, const struct rank_set *ranks, int error_status)
{
    struct watched watched = {.ranks = ranks};
    sigset_t awaited, before;
    int ends[2];
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(&awaited, passed_on[i]);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fprintf(stderr, "mpilens run: %s\n", strerror(errno));
        return EXIT_UNREADABLE;
    }
    signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
    sigprocmask(SIG_BLOCK, &awaited, &before);
    watched.rank = fork();
    if (watched.rank == 0) {
        close(ends[1]);
        become(path, arguments, ends[0], &before);
    }
    if (watched.rank > 0)
        attach(&watched);
    else
        fprintf(stderr, "mpilens run: %s: %s\n", path, strerror(errno));
    close(ends[0]);
    close(ends[1]);
    if (watched.rank < 0)
        return EXIT_UNREADABLE;
    watch(&watched, &awaited);
    leave(&watched);
    if (watched.has_dll)
        dll_close(&watched.dll);
    return watched.has_leaks && watched.status == 0 ? error_status : end_as(watched.status);
}
