/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of when a process counts as ended, in a /proc made by hand.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char proc[64];
static char directory[80];

static void make_proc(void)
{
    snprintf(proc, sizeof proc, "/tmp/mpilens-process-files-XXXXXX");
    cr_assert_not_null(mkdtemp(proc));
    snprintf(directory, sizeof directory, "%s/7", proc);
    cr_assert_eq(mkdir(directory, 0755), 0);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_proc(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/status", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/stat", directory);
    unlink(path);
    rmdir(directory);
    rmdir(proc);
}

TestSuite(process_files, .init = make_proc, .fini = remove_proc);

/* `pending`: of the process, and of its first thread. */
static void write_process(char state, unsigned flags, const char *pending_of_thread, const char *pending)
{
    char text[256];
    snprintf(text, sizeof text, "Name:\tapp) R 1\nState:\t%c (as proc(5) says)\nPPid:\t1\nSigPnd:\t%s\nShdPnd:\t%s\n",
             state, pending_of_thread, pending);
    write_file("status", text);
    snprintf(text, sizeof text, "7 (app) R 1) %c 1 7 7 0 -1 %u 100 0 0 0\n", state, flags);
    write_file("stat", text);
}

#define NONE   "0000000000000000"
#define KILL   "0000000000000100"
#define OTHERS "fffffffffffffeff"

enum { OF_MOST = 4194560, EXITING = 4 };

static void expect(bool is_ending, bool has_ended, const char *what)
{
    struct process_status status;
    cr_expect_eq(process_is_ending(proc, 7), is_ending, "%s", what);
    cr_expect_eq(process_has_ended(proc, 7), has_ended, "%s", what);
    if (read_process_status(proc, 7, &status))
        cr_expect(!status.is_ending || is_ending, "%s", what);
}

Test(process_files, of_each_state)
{
    expect(true, true, "it is gone");
    write_process('R', OF_MOST, NONE, NONE);
    expect(false, false, "it runs");
    write_process('S', OF_MOST, OTHERS, OTHERS);
    expect(false, false, "signals that it blocks, at most");
    write_process('R', OF_MOST, NONE, KILL);
    expect(true, false, "SIGKILL has come for the process");
    write_process('R', OF_MOST, KILL, NONE);
    expect(true, false, "SIGKILL has come for the thread");
    write_process('D', OF_MOST, KILL, KILL);
    expect(false, false, "a call of the kernel keeps it, perhaps for hours");
    write_process('R', OF_MOST | EXITING, NONE, NONE);
    expect(true, false, "it gives its memory up");
    write_process('Z', OF_MOST | EXITING, NONE, NONE);
    expect(true, true, "nobody has waited for it yet");
}
