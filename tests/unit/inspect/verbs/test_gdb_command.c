/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command that starts gdb on ranks: attached here, on core files, on another host, and why it cannot be.
 */
#include "base/base.h"
#include "model_builder.h"
#include "verbs/verbs_internal.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct job build_live_job(int size)
{
    struct job job = build_job(size);
    char host[256] = "";
    cr_assert_eq(gethostname(host, sizeof host - 1), 0);
    for (int rank = 0; rank < size; rank++) {
        job.processes[rank].pid = 100 + rank;
        free(job.processes[rank].host);
        job.processes[rank].host = copy_text(host);
    }
    return job;
}

static void move_to(struct process *process, const char *host)
{
    free(process->host);
    process->host = copy_text(host);
}

/* The command as a line, its words apart, or the reason. */
static char *command_of(const struct job *job, const char *text, bool is_shipped)
{
    struct rank_set ranks = {.count = 0};
    struct engine_words words = {0};
    struct reason reason = {.text = ""};
    cr_assert_eq(rank_set_parse(&ranks, text), 0);
    const int result = gdb_command_make(job, &ranks, "4711", is_shipped, &words, &reason);
    char *line = copy_text(reason.text);
    for (size_t i = 0; result == 0 && i < words.count; i++) {
        char *longer = format_text("%s%s%s", line, i > 0 ? "|" : "", words.items[i]);
        free(line);
        line = longer;
    }
    rank_set_clear(&ranks);
    return line;
}

static void expect(const struct job *job, const char *ranks, const char *part)
{
    char *line = command_of(job, ranks, false);
    cr_expect_not_null(strstr(line, part), "%s: %s", ranks, line);
    free(line);
}

Test(gdb_command, attaches_in_the_order_of_the_ranks_that_were_named)
{
    struct job job = build_live_job(3);
    expect(&job, "2,0,2",
           "-ex|with pagination off -- attach 102|-ex|add-inferior -no-connection|-ex|inferior 2|"
           "-ex|with pagination off -- attach 100|-ex|inferior 1");
    job_clear(&job);
}

Test(gdb_command, opens_core_files)
{
    struct job job = build_live_job(1);
    job.processes[0].core = copy_text("core.100");
    free(job.processes[0].executable);
    job.processes[0].executable = copy_text("/opt/my ring");
    expect(&job, "0", "-ex|file /opt/my\\ ring|-ex|with pagination off -- core-file core.100");
    job.processes[0].has_ended = true;
    expect(&job, "0", "rank 0 has ended, and a black box has no registers: 'mpilens show --rank 0 4711'");
    job_clear(&job);
}

Test(gdb_command, goes_to_the_only_other_host)
{
    struct job job = build_live_job(3);
    move_to(&job.processes[1], "node3.other");
    move_to(&job.processes[2], "node3.other");
    expect(&job, "1", "ssh|-t|node3.other|");
    expect(&job, "1,2", " gdb 1,2 101");
    expect(&job, "0,1", "start a gdb for each: 'mpilens gdb 0 4711', 'mpilens gdb 1 4711'");
    char *shipped = command_of(&job, "1,2", true);
    cr_expect_str_eq(shipped, "ssh|-t|node3.other|gdb -q -ex 'with pagination off -- attach 101' -ex "
                              "'add-inferior -no-connection' -ex 'inferior 2' -ex "
                              "'with pagination off -- attach 102' -ex 'inferior 1'");
    free(shipped);
    move_to(&job.processes[1], "-oProxyCommand=x");
    expect(&job, "1", "'-oProxyCommand=x' is no name of a host");
    job_clear(&job);
}

Test(gdb_command, needs_a_process)
{
    struct job job = build_live_job(2);
    job.processes[0].state = PROCESS_EXITED;
    job.processes[0].reason = copy_text("its process has exited");
    expect(&job, "0", "gdb cannot look into rank 0: its process has exited");
    job.processes[1].is_saved = true;
    job.processes[1].is_sent = true;
    expect(&job, "1", "-- attach 101");
    job.processes[1].is_sent = false;
    expect(&job, "1", "a snapshot has no registers, so gdb cannot look into rank 1: 'mpilens show --rank 1 4711'");
    job_clear(&job);
}
