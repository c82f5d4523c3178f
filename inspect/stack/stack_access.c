/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Holds the stacks of a target still while they are unwound.
 */
#include "stack/stack_access.h"

#include "base/base.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>

static int attach(struct target *target, struct reason *ret_reason)
{
    if (target->is_lost)
        return reason_set(ret_reason, "process %ld ended while its stacks were read", (long)target->pid);
    if (dwfl_pid(target->dwfl) > 0)
        return 0;
    const int result = target->core != NULL ? dwfl_core_file_attach(target->dwfl, target->core)
                                            : dwfl_linux_proc_attach(target->dwfl, target->pid, true);
    if (target->core != NULL ? result > 0 : result == 0)
        return 0;
    return reason_set(ret_reason, "the stacks of %s cannot be unwound: %s",
                      target->core != NULL ? target->core_path : "the process",
                      target->core == NULL && result > 0 ? strerror(result) : dwfl_errmsg(-1));
}

int stack_access_begin(struct target *target, bool is_stopped, struct stack_access *ret_access,
                       struct reason *ret_reason)
{
    struct stack_access access = {.target = target};
    if (target->dwfl == NULL)
        return reason_set(ret_reason, "a snapshot has no stacks");
    if (target->core == NULL && !is_stopped && freeze_process(target->pid, &access.freeze, ret_reason) != 0)
        return -1;
    if (attach(target, ret_reason) != 0) {
        freeze_release(&access.freeze);
        return -1;
    }
    *ret_access = access;
    return 0;
}

void stack_access_end(struct stack_access *access)
{
    freeze_release(&access->freeze);
}

struct taker {
    int (*take)(Dwfl_Frame *frame, void *argument);
    void *argument;
    bool has_taken;
};

static int take_frame(Dwfl_Frame *frame, void *argument)
{
    struct taker *taker = argument;
    taker->has_taken = true;
    return taker->take(frame, taker->argument);
}

/* Has stopped, and this thread is its tracer; EINVAL: a stop of its group has none. */
static bool is_held(pid_t thread)
{
    siginfo_t signal;
    return ptrace(PTRACE_GETSIGINFO, thread, NULL, &signal) == 0 || errno == EINVAL;
}

int stack_access_walk(const struct stack_access *access, pid_t thread, int (*take)(Dwfl_Frame *frame, void *argument),
                      void *argument)
{
    struct target *target = access->target;
    struct taker taker = {.take = take, .argument = argument};
    const bool is_alive = target->core == NULL;
    if (is_alive && (target->is_lost || !is_held(thread)))
        return -1;
    blocked_read_begin(target->pid);
    const int result = dwfl_getthread_frames(target->dwfl, thread, take_frame, &taker);
    blocked_read_end();
    /* A thread that is killed just now has no registers. libdwfl would not survive being asked for another one's. */
    target->is_lost = target->is_lost || (is_alive && !taker.has_taken);
    return result;
}
