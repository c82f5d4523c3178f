/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Children that wait in system calls.
 */
#include "stack/stack_internal.h"

#include "child.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOON_MS = 20000 };

static char directory[64], fifo[96], locked[96];
static int lock, ends[2];

static void make_files(void)
{
    snprintf(directory, sizeof directory, "/tmp/mpilens-wait-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(fifo, sizeof fifo, "%s/input.fifo", directory);
    snprintf(locked, sizeof locked, "%s/run.lock", directory);
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    lock = open(locked, O_RDWR | O_CREAT, 0600);
    cr_assert_eq(flock(lock, LOCK_EX), 0);
    cr_assert_eq(pipe(ends), 0);
}

static void remove_files(void)
{
    close(lock);
    unlink(fifo);
    unlink(locked);
    rmdir(directory);
}

TestSuite(system_call_wait, .init = make_files, .fini = remove_files);

static char *wait_until_said(pid_t pid)
{
    struct target *target;
    struct reason reason;
    char *said = NULL;
    cr_assert_eq(target_open_process(pid, &target, &reason), 0, "%s", reason.text);
    for (int i = 0; i < SOON_MS && said == NULL; i++) {
        const struct system_call call = system_call_of_thread("/proc", target, pid);
        said = describe_system_call_wait(target, &call);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    target_close(target);
    return said;
}

static void expect(void (*wait_somewhere)(void), const char *before, const char *file)
{
    const pid_t pid = child_fork();
    if (pid == 0) {
        wait_somewhere();
        _exit(1);
    }
    char wanted[192];
    snprintf(wanted, sizeof wanted, "%s%s", before, file);
    char *said = wait_until_said(pid);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    cr_assert_not_null(said);
    cr_expect_str_eq(said, wanted);
    free(said);
}

static void open_fifo(void)
{
    open(fifo, O_RDONLY);
}

static void take_lock(void)
{
    flock(open(locked, O_RDWR), LOCK_EX);
}

static void lock_record(void)
{
    struct flock record = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(open(locked, O_RDWR), F_SETLKW, &record);
}

static void read_pipe(void)
{
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        _exit(1);
}

static void read_as_input(void)
{
    char byte;
    dup2(ends[0], 0);
    if (read(0, &byte, 1) != 1)
        _exit(1);
}

static void wait_for_children(void)
{
    if (child_fork() == 0)
        read_pipe();
    waitpid(-1, NULL, 0);
}

Test(system_call_wait, files)
{
    expect(open_fifo, "waiting to open ", fifo);
    expect(take_lock, "waiting for a lock of ", locked);
    expect(read_pipe, "waiting to read ", "a pipe");
    expect(read_as_input, "waiting to read ", "standard input (a pipe)");
}

Test(system_call_wait, record_locks)
{
    struct flock record = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    cr_assert_eq(fcntl(lock, F_SETLK, &record), 0);
    expect(lock_record, "waiting for a lock of ", locked);
}

Test(system_call_wait, names_the_holder_of_a_lock)
{
    const pid_t pid = child_fork();
    if (pid == 0) {
        take_lock();
        _exit(1);
    }
    free(wait_until_said(pid));
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(pid, &target, &reason), 0, "%s", reason.text);
    const struct system_call call = system_call_of_thread("/proc", target, pid);
    cr_expect_eq(system_call_lock_holder(target, &call), getpid());
    target_close(target);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    const struct system_call none = {.is_known = true, .number = -1};
    cr_assert_eq(target_open_process(getpid(), &target, &reason), 0, "%s", reason.text);
    cr_expect_eq(system_call_lock_holder(target, &none), 0);
    target_close(target);
}

Test(system_call_wait, children)
{
    expect(wait_for_children, "waiting for a child process to end", "");
}

Test(system_call_wait, others_say_nothing)
{
    const struct system_call none = {.is_known = true, .number = -1}, unknown = {.is_known = false};
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(getpid(), &target, &reason), 0, "%s", reason.text);
    cr_expect_null(describe_system_call_wait(target, &none));
    cr_expect_null(describe_system_call_wait(target, &unknown));
    target_close(target);
}
