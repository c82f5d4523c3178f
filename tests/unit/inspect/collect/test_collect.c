/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a process cannot be read.
 */
#include "child.h"
#include "collect/collect.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

static struct dll dll = {
#define DLL_LINKED(function) .function = function,
    DLL_FUNCTIONS(DLL_LINKED) DLL_HANDLE_FUNCTIONS(DLL_LINKED)
#undef DLL_LINKED
};

/* Its files in /proc are still there, and empty, until its parent has waited for it. */
Test(collect, process_that_ends_after_it_was_opened)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct target *target = NULL;
    struct reason reason = {.text = ""};
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0, "%s", reason.text);
    kill(child.pid, SIGKILL);
    siginfo_t end;
    cr_assert_eq(waitid(P_PID, (id_t)child.pid, &end, WEXITED | WNOWAIT), 0);
    struct job job = {0};
    struct process process = {0};
    char wanted[64];
    snprintf(wanted, sizeof wanted, "process %ld has ended", (long)child.pid);
    cr_assert_eq(collect_process(&dll, target, &(struct collect_plan){.depth = COLLECT_ALL}, &job, &process, &reason),
                 -1);
    cr_expect_str_eq(reason.text, wanted);
    target_close(target);
    child_end(&child);
}
