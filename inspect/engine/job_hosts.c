/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the hosts of a job.
 */
#include "engine/engine.h"

#include "base/base.h"
#include "discover/discover.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number of a job is not longer. A launcher's children beyond are not looked at. */
enum { MOST_JOB_BYTES = 32, MOST_CHILDREN = MOST_HOSTS, MOST_LINE = 1024 };
/* Components of a heterogeneous job (MAX_HET_JOB_COMPS of Slurm). */
enum { MOST_COMPONENTS = 128 };

bool is_slurm_job(const char *text)
{
    const size_t length = strspn(text, "0123456789_+");
    return isdigit((unsigned char)text[0]) && text[length] == '\0' && length < MOST_JOB_BYTES;
}

static void note_slurm_job(struct job_hosts *hosts, const char *job)
{
    if (hosts->slurm_job == NULL && job != NULL && is_slurm_job(job))
        hosts->slurm_job = arena_copy(job);
}

/* Slurm before 20.02 called them packs. */
static int count_components(const char *environment, size_t bytes)
{
    const char *size = find_variable(environment, bytes, "SLURM_HET_SIZE");
    if (size == NULL)
        size = find_variable(environment, bytes, "SLURM_PACK_SIZE");
    const long count = size != NULL ? strtol(size, NULL, 10) : 0;
    return count > 1 && count <= MOST_COMPONENTS ? (int)count : 0;
}

/* SLURM_STEP_NODELIST is no better: in the step of a launcher's daemons, it leaves the first host out. */
static void look_at_slurm(const char *environment, size_t bytes, struct job_hosts *hosts)
{
    note_slurm_job(hosts, find_variable(environment, bytes, "SLURM_JOB_ID"));
    const char *nodes = find_variable(environment, bytes, "SLURM_JOB_NODELIST");
    hosts->slurm_components = count_components(environment, bytes);
    if (hosts->slurm_job != NULL && hosts->hosts.count == 0 && nodes != NULL)
        host_list_parse(&hosts->hosts, nodes);
}

static void look_at_table(pid_t launcher, struct job_hosts *hosts)
{
    struct launcher_table table;
    struct host_list found = {.count = 0};
    if (!launcher_table_of(launcher, &table))
        return;
    bool is_good = true;
    for (size_t i = 0; i < table.count && is_good; i++)
        is_good = host_list_add(&found, table.items[i].host) == 0;
    if (is_good)
        hosts->hosts = found;
}

const char *find_ssh_host(const char *command, size_t bytes)
{
    static const char with_value[] = "BbcDEeFIiJLlmOopQRSWw"; /* options of ssh(1) that the next word belongs to */
    const char *word = command + strnlen(command, bytes) + 1;
    for (; word < command + bytes; word += strlen(word) + 1) {
        if (word[0] != '-') {
            const char *user = strrchr(word, '@');
            const char *host = user != NULL ? user + 1 : word;
            return is_host_name(host) ? host : NULL;
        }
        if (word[1] != '\0' && word[2] == '\0' && strchr(with_value, word[1]) != NULL)
            word += strlen(word) + 1;
    }
    return NULL;
}

static bool is_remote_shell(const char *name)
{
    return strcmp(name, "ssh") == 0 || strcmp(name, "rsh") == 0 || strcmp(name, "remsh") == 0;
}

/* A daemon of the launcher for this host. */
static bool is_daemon(const char *name)
{
    return strncmp(name, "hydra_", 6) == 0 || strcmp(name, "pmi_proxy") == 0 || strcmp(name, "orted") == 0 ||
           strcmp(name, "prted") == 0;
}

static void look_at_child(const char *proc, pid_t pid, struct host_list *remote, bool *is_here)
{
    struct process_status status;
    size_t bytes;
    if (!read_process_status(proc, pid, &status))
        return;
    *is_here = *is_here || is_daemon(status.name);
    char *command = is_remote_shell(status.name) ? read_process_file(proc, pid, "cmdline", &bytes) : NULL;
    const char *host = command != NULL ? find_ssh_host(command, bytes) : NULL;
    if (host != NULL)
        host_list_add(remote, host);
    free(command);
}

/* Hydra and PRRTE start one daemon per host, on other hosts through ssh. */
static void look_at_children(const char *proc, pid_t rank, pid_t launcher, struct job_hosts *hosts)
{
    char file[64], own[MOST_HOST_NAME_BYTES + 1] = "";
    struct host_list remote = {.count = 0};
    bool is_here = rank != 0;
    size_t bytes;
    snprintf(file, sizeof file, "task/%ld/children", (long)launcher);
    char *children = read_process_file(proc, launcher, file, &bytes);
    char *next = children;
    for (int i = 0; i < MOST_CHILDREN && next != NULL; i++) {
        char *end;
        const long child = strtol(next, &end, 10);
        if (end == next)
            break;
        next = end;
        look_at_child(proc, (pid_t)child, &remote, &is_here);
    }
    free(children);
    if (remote.count > 0 && is_here && gethostname(own, sizeof own - 1) == 0)
        host_list_add(&hosts->hosts, own);
    for (size_t i = 0; i < remote.count; i++)
        host_list_add(&hosts->hosts, remote.names[i]);
}

static void note_launcher_host(struct job_hosts *hosts, const char *name, size_t length)
{
    const char *host = arena_text("%.*s", (int)length, name);
    if (is_host_name(host) && !is_this_host(host) && hosts->launcher_host == NULL)
        hosts->launcher_host = host;
}

/* hydra_pmi_proxy --control-port n1:44277 --pgid 0 ... */
static void look_at_control_port(const char *proc, pid_t launcher, struct job_hosts *hosts)
{
    size_t bytes;
    char *command = read_process_file(proc, launcher, "cmdline", &bytes);
    const char *port = command != NULL ? find_argument(command, bytes, "--control-port") : NULL;
    if (port != NULL)
        note_launcher_host(hosts, port, strcspn(port, ":"));
    free(command);
}

/* "n1:2,n2", as --host of Open MPI and -hosts of Hydra have it: a number of ranks, or where they are bound, follows. */
static void add_hosts_with_slots(struct host_list *list, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        char *name = strndup(text, strcspn(text, ",:"));
        if (name != NULL)
            host_list_add(list, name);
        free(name);
        text += length + (text[length] == ',');
    }
}

/* A host at the beginning of each line: "n1 slots=2", "n2:4". */
static void read_host_file(const char *path, struct host_list *list)
{
    const int number = regular_file_open(path);
    FILE *file = number >= 0 ? fdopen(number, "r") : NULL;
    char line[MOST_LINE];
    if (file == NULL && number >= 0)
        close(number);
    while (file != NULL && list->count < MOST_HOSTS && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, ":# \t\r\n")] = '\0';
        host_list_add(list, line);
    }
    if (file != NULL)
        fclose(file);
}

/* The value of the option, "--host n1" or "--host=n1"; NULL: another word. */
static const char *value_of(const char *const *names, const char *word, const char *end)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) != 0)
            continue;
        if (word[length] == '=')
            return word + length + 1;
        if (word[length] == '\0' && word + length + 1 < end)
            return word + length + 1;
    }
    return NULL;
}

/* Files are read for their owner only: nobody has others read them. */
static void look_at_words(const char *proc, pid_t launcher, const char *command, const char *end,
                          struct host_list *list)
{
    static const char *const with_list[] = {"--host", "-host", "-H", "--hosts", "-hosts", NULL};
    static const char *const with_file[] = {"--hostfile", "-hostfile", "--machinefile", "-machinefile", NULL};
    struct process_status status;
    const bool is_own = read_process_status(proc, launcher, &status) && status.user == geteuid();
    for (const char *word = command; word < end; word += strlen(word) + 1) {
        const char *hosts = value_of(with_list, word, end), *file = value_of(with_file, word, end);
        if (hosts != NULL)
            add_hosts_with_slots(list, hosts);
        if (file == NULL || !is_own)
            continue;
        char *path = file[0] == '/' ? copy_text(file) : format_text("%s/%ld/cwd/%s", proc, (long)launcher, file);
        read_host_file(path, list);
        free(path);
    }
}

/* Takes the hosts of a launcher whose daemons have let go of their ssh (PRRTE 4) from its arguments. Words of the
 * program may look like its own, so a job with ranks here must be on this host. */
static void look_at_arguments(const char *proc, pid_t rank, pid_t launcher, struct job_hosts *hosts)
{
    struct host_list named = {.count = 0};
    size_t bytes;
    char *command = read_process_file(proc, launcher, "cmdline", &bytes);
    if (command != NULL)
        look_at_words(proc, launcher, command, command + bytes, &named);
    free(command);
    host_list_finish(&named);
    if (rank == 0 || host_list_find_own(&named) != NULL)
        hosts->hosts = named;
}

/* prterun-n1-55@1: host and process of prterun (PRRTE 3). */
static void look_at_namespace(const char *name, struct job_hosts *hosts)
{
    static const char *const beginnings[] = {"prterun-", "prte-"};
    for (size_t i = 0; name != NULL && i < sizeof beginnings / sizeof *beginnings; i++) {
        const size_t length = strlen(beginnings[i]);
        const char *end = strrchr(name, '@');
        if (strncmp(name, beginnings[i], length) != 0 || end == NULL)
            continue;
        while (end > name + length && *end != '-')
            end--;
        if (end > name + length)
            note_launcher_host(hosts, name + length, (size_t)(end - name) - length);
        return;
    }
}

static void look_at_rank(const char *proc, pid_t rank, struct job_hosts *hosts)
{
    size_t bytes;
    char *environment = read_process_file(proc, rank, "environ", &bytes);
    if (environment == NULL)
        return;
    look_at_slurm(environment, bytes, hosts);
    const char *nodes = find_variable(environment, bytes, "OMPI_MCA_orte_node_regex");
    if (hosts->hosts.count == 0 && nodes != NULL)
        host_list_parse_node_regex(&hosts->hosts, nodes);
    look_at_namespace(find_variable(environment, bytes, "PMIX_NAMESPACE"), hosts);
    free(environment);
}

static void look_at_launcher(const char *proc, pid_t rank, pid_t launcher, struct job_hosts *hosts)
{
    size_t bytes;
    note_slurm_job(hosts, launcher_job_of(launcher));
    look_at_table(launcher, hosts);
    char *environment = hosts->hosts.count == 0 ? read_process_file(proc, launcher, "environ", &bytes) : NULL;
    if (environment != NULL)
        look_at_slurm(environment, bytes, hosts);
    free(environment);
    if (hosts->hosts.count == 0)
        look_at_children(proc, rank, launcher, hosts);
    if (hosts->hosts.count == 0)
        look_at_control_port(proc, launcher, hosts);
    if (hosts->hosts.count == 0 && hosts->launcher_host == NULL)
        look_at_arguments(proc, rank, launcher, hosts);
}

struct job_hosts job_hosts_find(const char *proc, pid_t rank, pid_t launcher)
{
    struct job_hosts hosts = {.slurm_job = NULL};
    if (rank != 0)
        look_at_rank(proc, rank, &hosts);
    if (launcher != 0 && hosts.hosts.count == 0)
        look_at_launcher(proc, rank, launcher, &hosts);
    host_list_finish(&hosts.hosts);
    return hosts;
}
