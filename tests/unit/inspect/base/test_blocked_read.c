/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads that never end: which ones are noticed, and the note about them.
 */
#include "base/blocked_read.h"

#include "base/process_files.h"

#include <criterion/criterion.h>
#include <stdlib.h>
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
    enum { MOST = 10000 };
    cr_expect_not(blocked_read_is_noted(47));
    cr_expect(blocked_read_note(47));
    cr_expect(blocked_read_note(4711));
    cr_expect(blocked_read_is_noted(47) && blocked_read_is_noted(4711));
    cr_expect_not(blocked_read_is_noted(471));
    cr_expect_not(blocked_read_is_silent(47));
    cr_expect(blocked_read_note(47));
    cr_expect(blocked_read_is_silent(47) && !blocked_read_is_silent(4711));
    cr_expect_not(blocked_read_note(47));
    size_t bytes;
    char *text = read_process_file("/proc", getpid(), "environ", &bytes);
    cr_assert_not_null(text);
    free(text);
    cr_expect(blocked_read_note(getpid()) && blocked_read_note(getpid()));
    cr_expect_null(read_process_file("/proc", getpid(), "environ", &bytes));
    int count = 0;
    while (count < MOST && blocked_read_note(100000 + count))
        count++;
    cr_expect(count > 10 && count < MOST, "%d", count);
    setenv("MPILENS_BLOCKED", "nonsense 47", 1);
    cr_expect_not(blocked_read_is_noted(47));
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
    cr_assert_eq(pipe(reading.ends), 0);
    cr_expect(blocked_read_leave_out(read_unless_noted, &reading));
    cr_expect(blocked_read_is_silent(SILENT));
    cr_expect(reading.calls == 3 && reading.complete == 1, "%d %d", reading.calls, reading.complete);
    /* What comes too late has no effect. */
    cr_assert_eq(write(reading.ends[1], "ab", 2), 2);
    for (int left = 2; left > 0; nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL))
        cr_assert_eq(ioctl(reading.ends[0], FIONREAD, &left), 0);
    rest();
    cr_expect_eq(reading.complete, 1);
    cr_expect(blocked_read_leave_out(read_unless_noted, &reading));
    cr_expect_eq(reading.complete, 2);
}
