/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of when a process counts as ended, in a /proc made by hand.
 */
#include "base/base.h"

#include "made_proc.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { PID = 7, START = 4711 };

TestSuite(process_files, .init = made_proc_begin, .fini = made_proc_end);

/* `pending`: of the process, and of its first thread. */
static void write_process(char state, unsigned flags, const char *pending_of_thread, const char *pending)
{
    char text[256];
    snprintf(text, sizeof text, "Name:\tapp) R 1\nState:\t%c (as proc(5) says)\nPPid:\t1\nSigPnd:\t%s\nShdPnd:\t%s\n",
             state, pending_of_thread, pending);
    made_proc_write_text(PID, "status", text);
    snprintf(text, sizeof text, "7 (app) R 1) %c 1 7 7 0 -1 %u 100 0 0 0 9 9 0 0 20 0 1 0 %d 4096\n", state, flags,
             START);
    made_proc_write_text(PID, "stat", text);
}

#define NONE   "0000000000000000"
#define KILL   "0000000000000100"
#define OTHERS "fffffffffffffeff"

enum { OF_MOST = 4194560, EXITING = 4 };

static void expect(bool is_ending, bool has_ended, const char *what)
{
    struct process_status status;
    cr_expect_eq(process_is_ending(made_proc, PID), is_ending, "%s", what);
    cr_expect_eq(process_has_ended(made_proc, PID), has_ended, "%s", what);
    cr_expect_eq(process_is_alive(made_proc, PID, START), !is_ending, "%s", what);
    cr_expect_not(process_is_alive(made_proc, PID, START + 1), "%s", what);
    if (read_process_status(made_proc, PID, &status))
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
