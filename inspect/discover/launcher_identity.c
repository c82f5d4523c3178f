/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads what launchers have put into environments, and what Hydra's proxies were told.
 */
#include "discover/discover.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *kind;
    const char *variable;
    const char *part_variable; /* the job's part that is an MPI job; NULL: none */
};

/* NULL: the environment does not have it. */
static char *identity_of_source(const char *environment, size_t bytes, const struct source *source)
{
    const char *value = find_variable(environment, bytes, source->variable);
    const char *part = source->part_variable != NULL ? find_variable(environment, bytes, source->part_variable) : "";
    if (value == NULL || part == NULL || value[0] == '\0')
        return NULL;
    return format_text("%s %s%s%s", source->kind, value, part[0] != '\0' ? "." : "", part);
}

/* The nearest proxy of Hydra above; 0: there is none. */
static pid_t find_proxy(const char *proc, pid_t pid)
{
    static const char beginning[] = "hydra_";
    struct process_table table = process_table_read_above(proc, pid);
    const struct process_status *status = process_table_find(&table, pid);
    pid_t proxy = 0;
    for (size_t i = 0; i < table.count && status != NULL && proxy == 0; i++) {
        if (strncmp(status->name, beginning, strlen(beginning)) == 0)
            proxy = status->pid;
        status = process_table_find(&table, status->parent);
    }
    return proxy;
}

static char *identity_of_hydra_words(const char *arguments, size_t bytes)
{
    const char *port = find_argument(arguments, bytes, "--control-port");
    const char *group = find_argument(arguments, bytes, "--pgid");
    return port != NULL ? format_text("hydra %s %s", port, group != NULL ? group : "0") : NULL;
}

static char *identity_of_hydra(const char *proc, pid_t pid)
{
    size_t bytes;
    const pid_t proxy = find_proxy(proc, pid);
    char *arguments = proxy != 0 ? read_process_file(proc, proxy, "cmdline", &bytes) : NULL;
    char *identity = arguments != NULL ? identity_of_hydra_words(arguments, bytes) : NULL;
    free(arguments);
    return identity;
}

/* Its daemons are job 0 of a family, of which job 1 has the ranks; ssh gets the number in quotes. */
static char *identity_of_orte_words(const char *arguments, size_t bytes)
{
    const char *word = find_argument(arguments, bytes, "ess_base_jobid");
    const unsigned long daemons = word != NULL ? strtoul(word + strspn(word, "\""), NULL, 10) : 0;
    return daemons > 0 ? format_text("pmix %lu", daemons + 1) : NULL;
}

static char *identity_of_daemon(const char *proc, pid_t pid)
{
    size_t bytes;
    char *arguments = read_process_file(proc, pid, "cmdline", &bytes);
    char *identity = arguments != NULL ? identity_of_hydra_words(arguments, bytes) : NULL;
    if (identity == NULL && arguments != NULL)
        identity = identity_of_orte_words(arguments, bytes);
    free(arguments);
    return identity;
}

char *launcher_identity_below(const char *proc, pid_t launcher)
{
    char file[64];
    char *identity = NULL, *end = NULL;
    size_t bytes;
    snprintf(file, sizeof file, "task/%ld/children", (long)launcher);
    char *children = read_process_file(proc, launcher, file, &bytes);
    for (char *next = children; next != NULL && identity == NULL; next = end) {
        const long child = strtol(next, &end, 10);
        if (end == next)
            break;
        identity = identity_of_daemon(proc, (pid_t)child);
    }
    free(children);
    return identity;
}

char *launcher_identity_of(const char *proc, pid_t pid)
{
    static const struct source sources[] = {
        {"pmix", "PMIX_NAMESPACE", NULL}, {"orte", "OMPI_MCA_ess_base_jobid", NULL},
        {"pals", "PALS_APID", NULL},      {"pmi", "PMI_KVSNAME", NULL},
        {"pmi", "PMI_JOBID", NULL},       {"slurm", "SLURM_JOB_ID", "SLURM_STEP_ID"},
        {"flux", "FLUX_JOB_ID", NULL},
    };
    size_t bytes;
    char *environment = read_process_file(proc, pid, "environ", &bytes);
    if (environment == NULL)
        return NULL;
    const bool is_of_hydra = find_variable(environment, bytes, "HYDI_CONTROL_FD") != NULL ||
                             find_variable(environment, bytes, "MPI_LOCALNRANKS") != NULL;
    char *identity = is_of_hydra ? identity_of_hydra(proc, pid) : NULL;
    for (size_t i = 0; i < sizeof sources / sizeof *sources && identity == NULL; i++)
        identity = identity_of_source(environment, bytes, &sources[i]);
    free(environment);
    return identity;
}
