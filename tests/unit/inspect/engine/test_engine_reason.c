/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of engines, as they were seen.
 */
#include "engine/engine.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct host_list hosts_of_three(void)
{
    struct host_list hosts = {.count = 0};
    cr_assert_eq(host_list_parse(&hosts, "n[1-3]"), 0);
    return hosts;
}

Test(engine_reason, about_which_host)
{
    static const struct {
        const char *line;
        size_t host;
    } cases[] = {{"ssh: connect to host n3 port 22: No route to host", 2},
                 {"pdsh@login: n2: ssh exited with exit code 255", 1},
                 {"clush: n3: exited with exit code 255", 2},
                 {"srun: error: n1: task 0: Exited with exit code 2", 0},
                 {"srun: error: Task launch for StepId=8.1 failed on node n3.", 2},
                 {"user@n2.site: Permission denied (publickey).", 1},
                 {"srun: error: Unable to create step for job 8: Access/permission denied", 3},
                 {"n33 is not n", 3},
                 {"", 3}};
    struct host_list hosts = hosts_of_three();
    struct host_index index = host_index_make(&hosts);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(engine_reason_host(&index, cases[i].line), cases[i].host, "%s", cases[i].line);
}

Test(engine_reason, in_which_words)
{
    static const struct {
        const char *line;
        enum engine_reason_worth worth;
        const char *reason;
    } cases[] = {
        {"ssh: connect to host n3 port 22: No route to host", REASON_WORDS, "ssh: No route to host"},
        {"ssh: Could not resolve hostname n3: Name or service not known", REASON_WORDS,
         "ssh: Name or service not known"},
        {"n3: ssh: connect to host n3 port 22: Connection timed out", REASON_WORDS, "ssh: Connection timed out"},
        {"user@n3: Permission denied (publickey).", REASON_WORDS, "Permission denied (publickey)."},
        {"Host key verification failed.", REASON_WORDS, "Host key verification failed."},
        {"bash: line 1: /opt/mpilens: No such file or directory", REASON_MISSING, "mpilens is not there: /opt/mpilens"},
        {"n3: sh: 1: /opt/mpilens: not found", REASON_MISSING, "mpilens is not there: /opt/mpilens"},
        {"slurmstepd: error: execve(): /opt/mpilens: No such file or directory", REASON_MISSING,
         "mpilens is not there: /opt/mpilens"},
        {"clush: n3: exited with exit code 255", REASON_STATUS, "exited with exit code 255"},
        {"pdsh@n1: n3: ssh exited with exit code 255", REASON_STATUS, "ssh exited with exit code 255"},
        {"srun: error: n3: task 2: Exited with exit code 2", REASON_STATUS, "Exited with exit code 2"},
        {"srun: error: Unable to create step for job 8: Access/permission denied", REASON_WORDS,
         "Unable to create step for job 8: Access/permission denied"},
        {"n3: ", REASON_NONE, NULL},
        {"", REASON_NONE, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *reason = NULL;
        cr_expect_eq(engine_reason_of(cases[i].line, "n3", "/opt/mpilens", &reason), cases[i].worth, "%s",
                     cases[i].line);
        if (cases[i].reason != NULL)
            cr_expect_str_eq(reason != NULL ? reason : "", cases[i].reason);
        free(reason);
    }
}
