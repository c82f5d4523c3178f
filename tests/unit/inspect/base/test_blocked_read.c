/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads that never end: which ones are noticed, and the note about them.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SILENT = 4711, BLOCKED = 7, READS = 15, PAUSE_NS = 100 * 1000 * 1000 };

static void end_here(pid_t pid)
{
    _exit(pid == SILENT ? BLOCKED : 1);
}

/* The exit status of a process that reads. */
static int status_of(void (*read_memory)(void))
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        blocked_read_watch(end_here);
        read_memory();
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_for_ever(void)
{
    int ends[2];
    char byte;
    blocked_read_begin(SILENT);
    blocked_read_begin(SILENT + 1); /* stands within the other */
    blocked_read_end();
    if (pipe(ends) != 0 || read(ends[0], &byte, 1) < 0)
        _exit(2);
}

/* None of them lasts for a second, but all do. */
static void read_often(void)
{
    for (int i = 0; i < READS; i++) {
        blocked_read_begin(SILENT);
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        blocked_read_end();
    }
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 5L * PAUSE_NS}, NULL);
}

Test(blocked_read, is_noticed)
{
    cr_expect_eq(status_of(read_for_ever), BLOCKED);
}

Test(blocked_read, others_go_on)
{
    cr_expect_eq(status_of(read_often), 0);
    cr_expect_eq(status_of(rest), 0);
}

Test(blocked_read, is_noted_twice)
{
    cr_expect_not(blocked_read_is_noted(47));
    cr_expect(blocked_read_note(47));
    cr_expect(blocked_read_note(SILENT));
    cr_expect(blocked_read_is_noted(47) && blocked_read_is_noted(SILENT));
    cr_expect_not(blocked_read_is_noted(471));
    cr_expect_not(blocked_read_is_silent(47));
    cr_expect(blocked_read_note(47));
    cr_expect(blocked_read_is_silent(47) && !blocked_read_is_silent(SILENT));
    cr_expect_not(blocked_read_note(47));
    size_t bytes;
    char *text = read_process_file("/proc", getpid(), "environ", &bytes);
    cr_assert_not_null(text);
    free(text);
    cr_expect(blocked_read_note(getpid()) && blocked_read_note(getpid()));
    cr_expect_null(read_process_file("/proc", getpid(), "environ", &bytes));
    blocked_read_forget();
    cr_expect_not(blocked_read_is_noted(47));
}

/* Processes come and go for weeks, and any of them may be slow once. */
Test(blocked_read, notes_of_processes_that_are_gone_are_dropped)
{
    enum { ROUNDS = 100000, MOST_NOTES = 100, ABOVE_ALL = 1 << 23 };
    cr_assert(blocked_read_note(getpid()) && blocked_read_note(getpid()));
    for (pid_t i = 0; i < ROUNDS; i++)
        if (!blocked_read_note(ABOVE_ALL + i))
            cr_assert_fail("%ld is not noted", (long)i);
    cr_expect_leq(blocked_read_count_noted(), MOST_NOTES, "%zu", blocked_read_count_noted());
    cr_expect(blocked_read_is_silent(getpid()));
}

Test(blocked_read, is_handed_on_with_when_the_process_was_started)
{
    cr_assert(blocked_read_note(getpid()) && blocked_read_hand_on());
    const char *list = getenv("MPILENS_BLOCKED");
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%ld.%llu.1 ", (long)getpid(), process_start("/proc", getpid()));
    cr_assert_not_null(list);
    cr_expect_str_eq(list, wanted);
}

Test(blocked_read, another_process_of_that_number_is_not_meant)
{
    char list[128];
    snprintf(list, sizeof list, "%ld.%llu.2 %ld.%llu.2 nonsense 47", (long)getpid(),
             process_start("/proc", getpid()) + 1, (long)getppid(), process_start("/proc", getppid()));
    setenv("MPILENS_BLOCKED", list, 1);
    cr_expect_not(blocked_read_is_noted(getpid()));
    cr_expect(blocked_read_is_silent(getppid()));
    cr_expect_not(blocked_read_is_noted(47));
}

static long count_threads(void)
{
    size_t bytes;
    long threads = 0;
    char *status = read_process_file("/proc", getpid(), "status", &bytes);
    cr_assert_not_null(status);
    cr_assert_eq(sscanf(strstr(status, "\nThreads:"), "\nThreads: %ld", &threads), 1);
    free(status);
    return threads;
}

/* Reads that are left behind end when they can. */
static bool come_to_threads(long wanted)
{
    enum { TURNS = 100 };
    for (int turn = 0; turn < TURNS && count_threads() != wanted; turn++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return count_threads() == wanted;
}

struct reading {
    int ends[2];
    int calls, complete;
};

static void read_unless_noted(void *context)
{
    struct reading *reading = context;
    char byte;
    reading->calls++;
    if (!blocked_read_is_silent(SILENT)) {
        blocked_read_begin(SILENT);
        cr_expect_eq(read(reading->ends[0], &byte, 1), 1);
        blocked_read_end();
    }
    reading->complete++;
}

Test(blocked_read, is_left_behind)
{
    struct reading reading = {.calls = 0};
    const long threads = count_threads();
    cr_assert_eq(pipe(reading.ends), 0);
    cr_expect(blocked_read_leave_out(read_unless_noted, &reading));
    cr_expect(blocked_read_is_silent(SILENT));
    cr_expect(reading.calls == 3 && reading.complete == 1, "%d %d", reading.calls, reading.complete);
    /* Late results have no effect. */
    cr_assert_eq(write(reading.ends[1], "ab", 2), 2);
    for (int left = 2; left > 0; nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL))
        cr_assert_eq(ioctl(reading.ends[0], FIONREAD, &left), 0);
    rest();
    cr_expect_eq(reading.complete, 1);
    cr_expect(come_to_threads(threads));
    cr_expect(blocked_read_leave_out(read_unless_noted, &reading));
    cr_expect_eq(reading.complete, 2);
}

static void write_text(void *context)
{
    const char **text = context;
    *text = arena_text("by thread %ld", (long)gettid());
}

Test(blocked_read, arena_of_the_thread_is_handed_over)
{
    struct arena arena = {0};
    const char *text = NULL;
    arena_use(&arena);
    cr_expect(blocked_read_leave_out(write_text, &text));
    cr_expect_not_null(arena.last, "it ends with the caller's");
    cr_expect_str_neq(text, arena_text("by thread %ld", (long)gettid()));
    arena_use(NULL);
    arena_clear(&arena);
}

struct apart {
    int ends[2];
    _Atomic int discarded;
};

static void read_a_byte(void *context)
{
    const struct apart *apart = context;
    char byte;
    cr_expect_eq(read(apart->ends[0], &byte, 1), 1);
}

static void discard(void *context)
{
    struct apart *apart = context;
    apart->discarded++;
}

static int attempts;

static void read_two_apart(void *context)
{
    struct apart *pipes = context;
    attempts++;
    cr_expect(blocked_read_apart(getpid(), read_a_byte, discard, &pipes[1]));
    cr_expect_not(blocked_read_apart(SILENT, read_a_byte, discard, &pipes[0]));
}

/* A reading that was begun beside it finishes, once. */
Test(blocked_read, that_shares_nothing_is_left_behind_alone)
{
    struct apart pipes[2] = {0};
    const long threads = count_threads();
    cr_assert(pipe(pipes[0].ends) == 0 && pipe(pipes[1].ends) == 0);
    cr_assert_eq(write(pipes[1].ends[1], "a", 1), 1);
    cr_expect(blocked_read_leave_out(read_two_apart, pipes));
    cr_expect(attempts == 1 && blocked_read_count_left() == 0);
    cr_expect(blocked_read_is_noted(SILENT) && !blocked_read_is_noted(getpid()));
    cr_expect_eq(pipes[0].discarded, 0);
    cr_assert_eq(write(pipes[0].ends[1], "a", 1), 1);
    cr_expect(come_to_threads(threads));
    cr_expect(pipes[0].discarded == 1 && pipes[1].discarded == 0);
}
