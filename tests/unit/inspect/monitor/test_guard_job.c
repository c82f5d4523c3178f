/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of what guard takes from signals that come more than once.
 */
#include "monitor/monitor.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>

static struct signalfd_siginfo signal_of(int number, int code, pid_t sender)
{
    return (struct signalfd_siginfo){.ssi_signo = (uint32_t)number, .ssi_code = code, .ssi_pid = (uint32_t)sender};
}

static const struct guard_job ended = {.has_ended = true}; /* so that nothing is passed on */

Test(guard_job, timeout_sends_its_signal_twice)
{
    struct guard_job job = ended;
    const struct signalfd_siginfo first = signal_of(SIGINT, SI_USER, 7), other = signal_of(SIGINT, SI_USER, 8);
    cr_expect_not(guard_job_take(&job, &first));
    cr_expect_eq(job.asked, SIGINT);
    cr_expect_not(guard_job_take(&job, &first), "the same once more");
    job.last_asked.when_s -= 3; /* it was told of for so long */
    guard_job_pass_on(&job);
    cr_expect_not(guard_job_take(&job, &first), "late");
    cr_expect(guard_job_take(&job, &other), "somebody else asks, too");
}

Test(guard_job, same_sender_asks_again_later)
{
    struct guard_job job = ended;
    const struct signalfd_siginfo signal = signal_of(SIGINT, SI_USER, 7);
    cr_expect_not(guard_job_take(&job, &signal));
    job.last_asked.when_s -= 3;
    cr_expect(guard_job_take(&job, &signal));
}

Test(guard_job, senders_of_other_namespaces_are_not_told_apart)
{
    struct guard_job job = ended;
    const struct signalfd_siginfo signal = signal_of(SIGINT, SI_USER, 0);
    cr_expect_not(guard_job_take(&job, &signal));
    cr_expect(guard_job_take(&job, &signal));
}

Test(guard_job, terminal_sends_each_once)
{
    struct guard_job job = ended;
    const struct signalfd_siginfo signal = signal_of(SIGINT, SI_KERNEL, 0);
    cr_expect_not(guard_job_take(&job, &signal));
    cr_expect(job.is_of_terminal);
    cr_expect(guard_job_take(&job, &signal), "^C ^C");
}

Test(guard_job, announcement_comes_twice)
{
    struct guard_job job = ended;
    const struct signalfd_siginfo announcement = signal_of(SIGUSR1, SI_USER, 7), end = signal_of(SIGTERM, SI_USER, 7);
    guard_job_take(&job, &announcement);
    cr_expect_eq(job.asked, SIGUSR1);
    job.asked = 0;
    guard_job_take(&job, &announcement);
    cr_expect_eq(job.asked, 0);
    cr_expect_not(guard_job_take(&job, &end));
    cr_expect_eq(job.was_asked, SIGTERM);
}
