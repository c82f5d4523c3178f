/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The identity of the job: from variables that launchers give all its processes, else the process of this host that
 * launched it.
 */
#include "mpi/mpi_traits.h"
#include "mpilens/black_box.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chain of parents longer than this is not looked through. */
enum { MOST_ANCESTORS = 64, MOST_STATUS_BYTES = 1024, MOST_HOST_BYTES = 64, MOST_ARGUMENT_BYTES = 4096 };

struct source {
    const char *kind;
    const char *variable;
    const char *part_variable; /* the job's part that is an MPI job, NULL: none */
};

static bool write_of_environment(const struct source *source, char *identity, size_t bytes)
{
    const char *value = getenv(source->variable);
    const char *part = source->part_variable != NULL ? getenv(source->part_variable) : "";
    if (value == NULL || part == NULL || value[0] == '\0')
        return false;
    snprintf(identity, bytes, "%s %s%s%s", source->kind, value, part[0] != '\0' ? "." : "", part);
    return true;
}

static bool write_of_any(const struct source *sources, size_t count, char *identity, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        if (write_of_environment(&sources[i], identity, bytes))
            return true;
    return false;
}

struct ancestor {
    char name[32];
    long parent;
    unsigned long long started; /* ticks since the host was booted */
};

/* By proc(5): "pid (name) state parent ...", where the name may have anything in it; the 22nd is the start. */
static bool look_at(long pid, struct ancestor *ret_ancestor)
{
    char path[32], text[MOST_STATUS_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    if (count <= 0)
        return false;
    text[count] = '\0';
    const char *name = strchr(text, '(');
    const char *end = strrchr(text, ')');
    struct ancestor ancestor = {.parent = 0};
    if (name == NULL || end == NULL || end < name ||
        sscanf(end + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &ancestor.parent, &ancestor.started) != 2)
        return false;
    snprintf(ancestor.name, sizeof ancestor.name, "%.*s", (int)(end - name - 1), name + 1);
    *ret_ancestor = ancestor;
    return true;
}

/* Those that start the processes of one MPI_COMM_WORLD on one host, and no others. */
static bool is_launcher(const char *name)
{
    static const char *const beginnings[] = {"hydra_",  "pmi_proxy", "mpiexec", "mpirun",    "orted",
                                             "orterun", "prte",      "palsd",   "slurmstepd"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void write_process(const char *kind, long pid, unsigned long long started, char *identity, size_t bytes)
{
    char host[MOST_HOST_BYTES] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    snprintf(identity, bytes, "%s %ld started %llu on %s", kind, pid, started, host);
}

/* The nearest launcher above this process. */
static bool find_launcher(long *ret_pid, struct ancestor *ret_ancestor)
{
    long pid = getppid();
    for (int i = 0; i < MOST_ANCESTORS && pid > 1 && look_at(pid, ret_ancestor); i++) {
        if (is_launcher(ret_ancestor->name)) {
            *ret_pid = pid;
            return true;
        }
        pid = ret_ancestor->parent;
    }
    return false;
}

static bool write_of_launcher(char *identity, size_t bytes)
{
    struct ancestor launcher;
    long pid;
    if (!find_launcher(&pid, &launcher))
        return false;
    write_process(launcher.name, pid, launcher.started, identity, bytes);
    return true;
}

/* The argument after the option; NULL: none. */
static const char *find_argument(const char *arguments, size_t bytes, const char *option)
{
    for (const char *next = arguments; next < arguments + bytes; next += strlen(next) + 1) {
        const char *value = next + strlen(next) + 1;
        if (strcmp(next, option) == 0 && value < arguments + bytes && value[0] != '\0')
            return value;
    }
    return NULL;
}

/* The arguments of a launcher that is a proxy of Hydra, terminated. 0: it is none, or they cannot be read. */
static size_t read_proxy_arguments(long pid, const struct ancestor *launcher, char *arguments, size_t bytes)
{
    char path[32];
    if (strncmp(launcher->name, "hydra_", strlen("hydra_")) != 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, arguments, bytes - 1) : -1;
    if (file >= 0)
        close(file);
    if (count <= 0)
        return 0;
    arguments[count] = '\0';
    return (size_t)count;
}

/* Every proxy of Hydra, the one on the host of mpiexec too, is told where that listens, and which of the process groups
 * that it has started this one is. */
static bool write_of_hydra(char *identity, size_t bytes)
{
    struct ancestor launcher;
    char arguments[MOST_ARGUMENT_BYTES] = "";
    long pid;
    const size_t count =
        find_launcher(&pid, &launcher) ? read_proxy_arguments(pid, &launcher, arguments, sizeof arguments) : 0;
    const char *port = find_argument(arguments, count, "--control-port");
    const char *group = find_argument(arguments, count, "--pgid");
    if (port != NULL)
        snprintf(identity, bytes, MPILENS_BOX_HYDRA "%s %s", port, group != NULL ? group : "0");
    return port != NULL;
}

void job_identity_find(char *identity, size_t bytes)
{
    static const struct source of_launchers[] = {
        {"pmix", "PMIX_NAMESPACE", NULL}, {"orte", "OMPI_MCA_ess_base_jobid", NULL},
        {"pals", "PALS_APID", NULL},      {"pmi", "PMI_KVSNAME", NULL},
        {"pmi", "PMI_JOBID", NULL},
    };
    static const struct source of_schedulers[] = {
        {"slurm", "SLURM_JOB_ID", "SLURM_STEP_ID"},
        {"flux", "FLUX_JOB_ID", NULL},
    };
    static const char *const numbered[] = {"PMI_RANK", "PMI_FD", "PMI_PORT", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    identity[0] = '\0';
    /* Hydra hands on what others have said of the process that it was itself started in. */
    const bool is_of_hydra = getenv("HYDI_CONTROL_FD") != NULL || getenv("MPI_LOCALNRANKS") != NULL;
    if ((is_of_hydra && write_of_hydra(identity, bytes)) ||
        write_of_any(of_launchers, sizeof of_launchers / sizeof *of_launchers, identity, bytes))
        return;
    if (is_of_hydra && write_of_launcher(identity, bytes))
        return;
    if (write_of_any(of_schedulers, sizeof of_schedulers / sizeof *of_schedulers, identity, bytes) ||
        write_of_launcher(identity, bytes))
        return;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (getenv(numbered[i]) != NULL)
            return;
    struct ancestor self; /* started by nobody: a job of its own */
    if (look_at(getpid(), &self))
        write_process("process", getpid(), self.started, identity, bytes);
}

uint64_t job_identity_process_start(void)
{
    struct ancestor self;
    return look_at(getpid(), &self) ? self.started : 0;
}

uint64_t job_identity_launcher_start(uint32_t *ret_part)
{
    struct ancestor launcher;
    char arguments[MOST_ARGUMENT_BYTES] = "";
    long pid;
    if (!find_launcher(&pid, &launcher))
        return 0;
    const size_t count = read_proxy_arguments(pid, &launcher, arguments, sizeof arguments);
    const char *part = find_argument(arguments, count, "--proxy-id");
    *ret_part = part != NULL ? (uint32_t)strtoul(part, NULL, 10) : 0;
    return launcher.started;
}
