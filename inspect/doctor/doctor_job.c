/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of two ranks that wait for each other is compiled, started, read and ended.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "#include <" /* not an include of ours */ "mpi.h>\n"
                              "int main(int argc, char **argv)\n"
                              "{\n"
                              "    int rank, value = 0;\n"
                              "    MPI_Init(&argc, &argv);\n"
                              "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                              "    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                              "    MPI_Finalize();\n"
                              "}\n";

/* Open MPI starts no more ranks than there are processors, and none for root, unless it is told to. */
static const struct {
    const char *name, *value;
} settings[] = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
                {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};

static const double compile_s = 60, job_s = 60;

struct trial {
    const char *directory;
    const char *source;
    const char *binary;
    const char *snapshot;
    char command[PATH_MAX]; /* mpilens */
};

static bool make_trial(struct trial *ret_trial)
{
    char template[] = "/tmp/mpilens-doctor-XXXXXX";
    if (mkdtemp(template) == NULL)
        return false;
    *ret_trial = (struct trial){.directory = arena_copy(template),
                                .source = arena_text("%s/wait.c", template),
                                .binary = arena_text("%s/wait", template),
                                .snapshot = arena_text("%s/snapshot", template)};
    const ssize_t length = readlink("/proc/self/exe", ret_trial->command, sizeof ret_trial->command - 1);
    FILE *file = fopen(ret_trial->source, "we");
    if (file == NULL)
        return length > 0;
    fputs(program, file);
    return fclose(file) == 0 && length > 0;
}

static void end_trial(struct trial *trial)
{
    unlink(trial->source);
    unlink(trial->binary);
    unlink(trial->snapshot);
    rmdir(trial->directory);
}

/* The launcher beside the compiler: mpiexec.mpich beside mpicc.mpich. NULL: there is none. */
static const char *find_launcher(const char *compiler)
{
    const char *name = strrchr(compiler, '/') + 1;
    if (strncmp(name, "mpicc", strlen("mpicc")) != 0)
        return NULL;
    const char *own = arena_text("%.*smpiexec%s", (int)(name - compiler), compiler, name + strlen("mpicc"));
    if (access(own, X_OK) == 0)
        return own;
    const char *any = arena_text("%.*smpiexec", (int)(name - compiler), compiler);
    return access(any, X_OK) == 0 ? any : NULL;
}

/* Guard starts the job, sees that it hangs, prints the verdict and ends it: all that mpilens does, in one command. */
static bool run_trial(const struct trial *trial, const char *launcher, const char **ret_said)
{
    const char *words[] = {trial->command, "guard",        "--timeout",   "1s", "--limit",
                           "40s",          "--kill-after", "2s",          "-o", trial->snapshot,
                           "--here",       "--",           launcher,      "-n", "2",
                           trial->command, "run",          trial->binary, NULL};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        setenv(settings[i].name, settings[i].value, 0);
    doctor_ask(words, job_s, ret_said);
    return strstr(*ret_said, "deadlock: ranks [0,1] wait for each other") != NULL;
}

/* The last line of words that was said, which says most about why a program failed; launchers draw frames. */
static const char *last_line(const char *said)
{
    const char *last = said, *end;
    for (const char *line = said; *line != '\0'; line = end + (*end == '\n')) {
        end = strchrnul(line, '\n');
        if (line + strcspn(line, "abcdefghijklmnopqrstuvwxyz") < end)
            last = line;
    }
    return arena_text("%.*s", (int)strcspn(last, "\n"), last);
}

static void check_compiler(struct doctor *doctor, const struct doctor_compiler *compiler)
{
    struct trial trial;
    const char *said, *launcher = find_launcher(compiler->path);
    if (launcher == NULL) {
        doctor_add(doctor, "test job", DOCTOR_LIMITED, arena_text("there is no mpiexec beside %s", compiler->path),
                   "install the launcher of this MPI, or put it beside its compiler");
        return;
    }
    if (make_trial(&trial)) {
        const char *words[] = {compiler->path, "-g", trial.source, "-o", trial.binary, NULL};
        const bool compiled = doctor_ask(words, compile_s, &said);
        const bool found = compiled && run_trial(&trial, launcher, &said);
        if (found)
            doctor_add(doctor, "test job", DOCTOR_GOOD,
                       arena_text("%s: a job of two ranks was started, hung and read", compiler->family->title), NULL);
        else if (!compiled)
            doctor_add(doctor, "test job", DOCTOR_LIMITED,
                       arena_text("%s: no program can be compiled: %s", compiler->family->title, last_line(said)),
                       arena_text("make this work: %s program.c", compiler->path));
        else
            doctor_add(doctor, "test job", DOCTOR_BAD,
                       arena_text("%s: a hung job of two ranks was not understood: %s", compiler->family->title,
                                  last_line(said)),
                       arena_text("try it by hand: %s -n 2 mpilens run PROGRAM, then mpilens why", launcher));
        end_trial(&trial);
    }
}

void doctor_check_job(struct doctor *doctor)
{
    struct doctor_compilers compilers = doctor_find_compilers();
    for (size_t i = 0; i < compilers.count; i++) {
        struct reason reason;
        if (compilers.items[i].family == NULL)
            continue;
        char *runtime =
            installation_find(arena_text("libmpilens-%s.so", compilers.items[i].family->name), "runtime", &reason);
        if (runtime != NULL)
            check_compiler(doctor, &compilers.items[i]);
        free(runtime);
    }
}
