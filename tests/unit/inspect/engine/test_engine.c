/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Command lines of engines.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-engine.XXXXXX";

static void write_program(const char *name, const char *text)
{
    char *path = format_text("%s/%s", directory, name);
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0700);
    free(path);
}

/* PATH has these programs only. */
static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    setenv("PATH", directory, 1);
}

static void end(void)
{
    static const char *const names[] = {"srun", "ssh", "clush", "pdsh", "mpiexec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = format_text("%s/%s", directory, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(directory);
}

TestSuite(engine, .init = begin, .fini = end);

static const char *const command[] = {"/opt/my tools/mpilens", "part", "it's", NULL};

static char *describe(const struct engine_plan *plan)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    for (size_t i = 0; i < plan->count; i++) {
        fprintf(stream, "%s:", plan->commands[i].host != NULL ? plan->commands[i].host : "all");
        for (char **word = plan->commands[i].arguments; *word != NULL; word++)
            fprintf(stream, " <%s>",
                    strncmp(*word, directory, strlen(directory)) == 0 ? *word + strlen(directory) + 1 : *word);
        for (size_t j = 0; j < plan->commands[i].output_count; j++)
            fprintf(stream, " %d", plan->commands[i].outputs[j]);
        fprintf(stream, "\n");
    }
    fclose(stream);
    return text;
}

static char *plan_of(const char *name, struct engine_task *task)
{
    struct host_list hosts = {.count = 0};
    struct engine_plan plan;
    struct reason reason;
    const struct engine *engine = name != NULL ? engine_by_name(name) : &engine_of_words;
    cr_assert_not_null(engine);
    cr_assert_eq(host_list_parse(&hosts, "n[1-3]"), 0);
    task->hosts = &hosts;
    task->timeout_s = 20;
    if (task->command == NULL)
        task->command = command;
    char *text = engine_plan_make(engine, task, &plan, &reason) == 0 ? describe(&plan) : copy_text(reason.text);
    return text;
}

static void expect_plan(const char *name, struct engine_task task, const char *expected)
{
    char *text = plan_of(name, &task);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(engine, slurm)
{
    write_program("srun", "#!/bin/sh\necho slurm-wlm 22.05.8\n");
    expect_plan("slurm", (struct engine_task){.slurm_job = "8", .own_host = "n1"},
                "all: <srun> <--overlap> <--jobid=8> <--nodelist=n[1-3]> <--nodes=3> <--ntasks=3> "
                "<--ntasks-per-node=1> <--mpi=none> <--mem-per-cpu=0> <--gres=none> <--kill-on-bad-exit=0> <--quiet> "
                "<--quit-on-interrupt> <--wait=21> </opt/my tools/mpilens> <part> <it's>\n");
    write_program("srun", "#!/bin/sh\necho slurm 20.02.7\n");
    char *text = plan_of("slurm", &(struct engine_task){.slurm_job = "8"});
    cr_expect_null(strstr(text, "--overlap"), "%s", text);
    free(text);
    expect_plan("slurm", (struct engine_task){.own_host = "n1"},
                "the engine slurm needs a job of Slurm: name it with --slurm JOBID");
    expect_plan("slurm", (struct engine_task){.slurm_job = "8", .slurm_components = 2},
                "job 8 is heterogeneous: one srun reaches a component of it only: name another engine with --engine, "
                "such as ssh");
}

Test(engine, ssh_reaches_the_others)
{
    write_program("ssh", "");
    char *text = plan_of("ssh", &(struct engine_task){.own_host = "n2"});
    cr_expect_eq(strncmp(text, "n2: </opt/my tools/mpilens> <part> <it's>\nn1: <ssh> <-T>", 55), 0, "%s", text);
    cr_expect_not_null(strstr(text, "<-oBatchMode=yes> <-oConnectTimeout=5>"), "%s", text);
    cr_expect_not_null(strstr(text, " <n3> <'/opt/my tools/mpilens' part 'it'\\''s'>\n"), "%s", text);
    free(text);
}

Test(engine, clush_and_pdsh)
{
    write_program("clush", "");
    write_program("pdsh", "");
    expect_plan("clush", (struct engine_task){.own_host = NULL},
                "all: <clush> <-w> <n[1-3]> <-t5> <-u21> <-f3> <-o-oBatchMode=yes -oConnectTimeout=5 "
                "-oServerAliveInterval=5 -oServerAliveCountMax=2 -oLogLevel=ERROR> <'/opt/my tools/mpilens' part "
                "'it'\\''s'>\n");
    expect_plan("pdsh", (struct engine_task){.own_host = "n1"},
                "n1: </opt/my tools/mpilens> <part> <it's>\n"
                "all: <pdsh> <-Rssh> <-wn[2-3]> <-t5> <-u21> <-f64> <'/opt/my tools/mpilens' part 'it'\\''s'>\n");
}

Test(engine, hydra_writes_each_rank_into_a_file_of_its_own)
{
    write_program("mpiexec", "#!/bin/sh\necho HYDRA build details:\n");
    expect_plan("hydra", (struct engine_task){.own_host = "n1"},
                "n1: </opt/my tools/mpilens> <part> <it's>\n"
                "all: <mpiexec> <-hosts> <n2,n3> <-ppn> <1> <-disable-auto-cleanup> <-outfile-pattern> "
                "</proc/self/fd/1%r> <-n> <2> </opt/my tools/mpilens> <part> <it's> 10 11\n");
    write_program("mpiexec", "#!/bin/sh\necho 'mpiexec (OpenRTE) 4.1.4'\n");
    char *text = plan_of("hydra", &(struct engine_task){.own_host = NULL});
    cr_expect_not_null(strstr(text, "/mpiexec is not Hydra's"), "%s", text);
    free(text);
}

Test(engine, of_the_user)
{
    static const char *const plain[] = {"/opt/mpilens", "part", NULL};
    expect_plan(NULL, (struct engine_task){.custom = "my\\ exec -w %h '-n %n' \"100%%\" %f", .command = plain},
                "all: <my exec> <-w> <n1,n2,n3> <-n 3> <100%> <n[1-3]> </opt/mpilens> <part>\n");
    expect_plan(NULL, (struct engine_task){.custom = "x"},
                "'/opt/my tools/mpilens' cannot be passed on by an engine of yours: it has blanks or signs of a "
                "shell");
    expect_plan(NULL, (struct engine_task){.custom = "x 'y", .command = plain},
                "'x 'y' is no command: a quote does not end, or there are no words");
    expect_plan(NULL, (struct engine_task){.custom = " ", .command = plain},
                "' ' is no command: a quote does not end, or there are no words");
    expect_plan(NULL, (struct engine_task){.custom = "x %q", .command = plain},
                "'%q' has a % before another letter than h, f, n and %");
}

Test(engine, that_is_not_there)
{
    expect_plan("pdsh", (struct engine_task){.own_host = NULL},
                "the engine pdsh needs the program pdsh, which is not in PATH");
    cr_expect_null(engine_by_name("telnet"));
    struct reason reason;
    cr_expect_null(engine_choose(NULL, 0, 3, &reason));
    cr_expect_not_null(strstr(reason.text, "--engine"), "%s", reason.text);
}

Test(engine, chosen)
{
    struct reason reason;
    write_program("ssh", "");
    write_program("srun", "");
    cr_expect_str_eq(engine_choose("8", 0, 3, &reason)->name, "slurm");
    cr_expect_str_eq(engine_choose("8", 2, 3, &reason)->name, "ssh", "srun reaches one component");
    cr_expect_str_eq(engine_choose(NULL, 0, 3, &reason)->name, "ssh");
    cr_expect_str_eq(engine_choose(NULL, 0, 1000, &reason)->name, "ssh", "there is no other");
    write_program("clush", "");
    cr_expect_str_eq(engine_choose(NULL, 0, 64, &reason)->name, "ssh");
    cr_expect_str_eq(engine_choose(NULL, 0, 65, &reason)->name, "clush");
}

static bool has_variable(char **environment, const char *variable)
{
    for (; *environment != NULL; environment++)
        if (strcmp(*environment, variable) == 0)
            return true;
    return false;
}

Test(engine, environment)
{
    static const char *const left[] = {"PMI_RANK",
                                       "PMIX_NAMESPACE",
                                       "OMPI_COMM_WORLD_RANK",
                                       "PRTE_MCA_x",
                                       "HYDI_CONTROL_FD",
                                       "MPI_LOCALRANKID",
                                       "LD_PRELOAD",
                                       "SLURM_NTASKS",
                                       "SRUN_DEBUG",
                                       "MPILENS_GUARD",
                                       "_SLURM_SPANK_OPTION_mpilens_mpilens"};
    static const char *const more[] = {"OTHER=2"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        setenv(left[i], "1", 1);
    setenv("SLURM_CONF", "/etc/slurm.conf", 1);
    setenv("OTHER", "1", 1);
    setenv("OTHERS", "1", 1);
    char **environment = engine_environment(more, 1);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char *variable = format_text("%s=1", left[i]);
        cr_expect_not(has_variable(environment, variable), "%s", variable);
        free(variable);
    }
    cr_expect(has_variable(environment, "SLURM_CONF=/etc/slurm.conf"));
    cr_expect(has_variable(environment, "OTHER=2"));
    cr_expect_not(has_variable(environment, "OTHER=1"));
    cr_expect(has_variable(environment, "OTHERS=1"));
}
