/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that stand still in MPI_Init: when that is a finding, and what is said of those that have not come to it.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <string.h>

enum { longer_than_patience = 100 };

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(start_up, .fini = end);

static struct thread *initialize(int rank, double age_s)
{
    struct thread *thread = add_judged_thread(&job, rank, "MPI_Init", MPILENS_CALL_ENVIRONMENT);
    thread->purpose = MPILENS_PURPOSE_INITIALIZE;
    thread->age_s = age_s;
    job.processes[rank].state = PROCESS_INITIALIZING;
    return thread;
}

static struct process *leave_out(int rank, double age_s)
{
    struct process *process = &job.processes[rank];
    process->state = PROCESS_UNREADABLE;
    process->reason = copy_text("process 7 has not called MPI yet");
    process->is_before_mpi = true;
    process->age_s = age_s;
    return process;
}

/* Ranks 0 and 2 of three are in MPI_Init. */
static void begin(double age_s)
{
    job = new_judged_job(3);
    initialize(0, age_s);
    initialize(2, age_s);
}

static void expect_remark(const char *text)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 0, "%s", analysis.findings.items[0].message);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark, text), "%s", analysis.remark);
}

static void expect_start_up(int culprit, const char *text)
{
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_START_UP, 1, &culprit);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, text), "%s", analysis.findings.items[0].message);
}

Test(start_up, of_a_rank_that_does_not_come)
{
    begin(longer_than_patience);
    struct process *late = leave_out(1, longer_than_patience);
    late->activity = ACTIVITY_SLEEPING;
    late->place = "main (a.c:7)";
    expect_start_up(1, "have been in MPI_Init for 100 s; rank 1 has not come to it: process 7 has not called MPI yet: "
                       "sleeping in main (a.c:7)");
}

Test(start_up, before_the_patience_is_over)
{
    begin(3);
    leave_out(1, 3);
    expect_remark("rank 1 has not come to it: process 7 has not called MPI yet; if nothing changes, this is a finding "
                  "in 57.0 s");
}

Test(start_up, of_a_rank_that_was_started_late)
{
    begin(longer_than_patience);
    leave_out(1, 3);
    expect_remark("a finding in 57.0 s");
}

Test(start_up, of_a_rank_that_has_exited)
{
    begin(3);
    job.processes[1].state = PROCESS_EXITED;
    job.processes[1].reason = copy_text("its process 7 has exited with status 3");
    expect_start_up(1, "rank 1 has not come to it: its process 7 has exited with status 3");
}

Test(start_up, nothing_is_said_of_ranks_that_cannot_be_seen)
{
    begin(longer_than_patience);
    leave_out(1, longer_than_patience)->is_before_mpi = false;
    expect_remark("could not be read");
}

Test(start_up, of_all_ranks_inside)
{
    begin(longer_than_patience);
    initialize(1, longer_than_patience);
    analysis = judge_job(&job);
    static const int all[] = {0, 1, 2};
    expect_one_finding(&analysis, FINDING_START_UP, 3, all);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "all have come to it, and none has come out"));
}

/* Rank 1 of the three that are all inside. */
static void have_kernel_facts(struct troubled_socket *socket, const char *inside)
{
    struct process *process = &job.processes[1];
    const uint32_t tid = process->threads[process->thread_count - 1].tid;
    process->kernel = allocate(sizeof *process->kernel);
    *process->kernel = (struct kernel_facts){
        .tid = tid, .state = 'S', .system_call = "connect", .kernel_function = "", .manager = "", .devices = ""};
    process->kernel->troubled_sockets = array_append(NULL, &process->kernel->troubled_socket_count, sizeof *socket);
    process->kernel->troubled_sockets[0] = *socket;
    process->call_stacks = array_append(NULL, &process->call_stack_count, sizeof *process->call_stacks);
    process->call_stacks[0] = (struct call_stack){.tid = tid, .inside = inside};
}

static void expect_kept(const char *text, const char *remedy)
{
    expect_start_up(1, text);
    cr_assert_not_null(analysis.findings.items[0].remedy);
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, remedy), "%s", analysis.findings.items[0].remedy);
}

static struct troubled_socket socket_over(const char *interface)
{
    return (struct troubled_socket){.kind = SOCKET_TCP,
                                    .state = "SYN_SENT",
                                    .local = "",
                                    .peer = "172.17.0.1:1024",
                                    .interface = interface,
                                    .silent_s = -1};
}

Test(start_up, of_one_that_connects_over_a_bridge_of_containers)
{
    begin(longer_than_patience);
    initialize(1, longer_than_patience);
    struct troubled_socket socket = socket_over("docker0");
    have_kernel_facts(&socket, "connect < tcp_connect");
    expect_kept("; rank 1 has a socket in SYN_SENT with 172.17.0.1:1024 over docker0, a bridge of", "name the network");
    expect_evidence(&analysis, 1, "inside MPI: connect < tcp_connect");
}

Test(start_up, of_one_that_connects_elsewhere)
{
    begin(longer_than_patience);
    initialize(1, longer_than_patience);
    struct troubled_socket socket = socket_over("eth0");
    have_kernel_facts(&socket, "connect");
    expect_kept("; rank 1 has a socket in SYN_SENT with 172.17.0.1:1024 over eth0", "firewall");
}

Test(start_up, of_one_that_resolves_a_name)
{
    begin(longer_than_patience);
    initialize(1, longer_than_patience);
    struct troubled_socket socket = socket_over("");
    have_kernel_facts(&socket, "poll < libc.so.6+0x123 < getaddrinfo < MPID_Init");
    expect_kept("; rank 1 resolves a name, in getaddrinfo", "/etc/hosts");
}

Test(start_up, of_one_that_does_not_come_out)
{
    job = new_judged_job(2);
    initialize(0, longer_than_patience);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    expect_start_up(0, "rank 0 has been in MPI_Init for 100 s; rank 1 has come out of it");
}
