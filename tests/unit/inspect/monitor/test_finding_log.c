/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings that are told once, to a command that inherits nothing.
 */
#include "base/base.h"
#include "model_builder.h"
#include "monitor/monitor.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct render_options plain;
static char directory[] = "/tmp/mpilens-log-XXXXXX";
static struct job job;
static struct analysis analysis;
static struct machine_verdict verdict;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    job = ring_of_receives(4);
    analysis = judge_wait_job(&job);
    verdict = (struct machine_verdict){.verb = "guard",
                                       .job = &job,
                                       .findings = &analysis.findings,
                                       .analysis = &analysis,
                                       .options = &plain,
                                       .elapsed_s = -1};
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
    analysis_clear(&analysis);
    job_clear(&job);
}

TestSuite(finding_log, .init = begin, .fini = end);

static char *run(struct finding_log *log, const char *command)
{
    char *text;
    FILE *stream = open_text(&text);
    finding_log_run(stream, log, command, "hang.mpilens");
    fclose(stream);
    return text;
}

static void expect_status(const char *command)
{
    cr_expect_eq(system(command), 0, "%s", command);
}

Test(finding_log, once)
{
    struct finding_log *log = finding_log_begin();
    const size_t all = analysis.findings.count;
    cr_assert_geq(all, 1);
    cr_expect_eq(finding_log_add(log, &verdict), all);
    analysis.findings.items[0].message = "the same, later";
    cr_expect_eq(finding_log_add(log, &verdict), 0);
    cr_expect_eq(finding_log_count(log), all);
    free(run(log, "echo >> runs"));
    cr_expect_eq(finding_log_count(log), 0);
    expect_status(arena_text("test $(wc -l < runs) = %zu", all));
    analysis.findings.items[0].kind = FINDING_NO_MATCH;
    cr_expect_eq(finding_log_add(log, &verdict), 1, "another kind is new");
    finding_log_end(log);
}

/* As guard_tell() does it: one process finds, another one tells. */
Test(finding_log, is_shared)
{
    struct finding_log *log = finding_log_begin();
    const pid_t child = fork();
    if (child == 0) {
        finding_log_add(log, &verdict);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_expect_eq(finding_log_count(log), analysis.findings.count);
    finding_log_end(log);
}

Test(finding_log, what_a_command_gets)
{
    struct finding_log *log = finding_log_begin();
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGPIPE, SIG_IGN);
    setenv("LD_PRELOAD", "libnothing.so", 1);
    setenv("MPILENS_GUARD", "mark", 1);
    cr_expect_geq(finding_log_add(log, &verdict), 1);
    const int open_file = dup(STDERR_FILENO);
    char *said =
        run(log, "env > environment; cat > json; ls /proc/self/fd > files; grep Sig /proc/self/status > signals");
    unsetenv("LD_PRELOAD");
    cr_expect_str_eq(said, "");
    expect_status("grep -qx MPILENS_KIND=deadlock environment");
    expect_status("grep -qx MPILENS_RANKS=0-3 environment");
    expect_status("grep -qx MPILENS_JOB=1000 environment");
    expect_status("grep -qx MPILENS_PLACE=ring.c:41 environment");
    expect_status("grep -q '^MPILENS_FILE=/.*/hang.mpilens$' environment");
    expect_status("! grep -qE 'LD_PRELOAD|MPILENS_GUARD' environment");
    expect_status("grep -q '\"kind\": \"deadlock\"' json");
    expect_status(arena_text("! grep -qx %d files", open_file));
    expect_status("grep -q 'SigBlk:.0*$' signals && grep -q 'SigIgn:.0*$' signals");
    close(open_file);
    free(said);
    finding_log_end(log);
}

Test(finding_log, failures_in_a_line)
{
    static const char *const cases[][2] = {
        {"exit 3", "mpilens: --on-finding: exit 3: exit status 3\n"},
        {"kill -9 $$", "mpilens: --on-finding: kill -9 $$: died of SIGKILL (Killed)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct finding_log *log = finding_log_begin();
        finding_log_add(log, &verdict);
        char *said = run(log, cases[i][0]);
        cr_expect_eq(strncmp(said, cases[i][1], strlen(cases[i][1])), 0, "%s", said);
        free(said);
        finding_log_end(log);
    }
}
