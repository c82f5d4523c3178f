/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads what launchers have put into environments, and what Hydra's proxies were told.
 */
#include "discover/launcher_identity.h"

#include "base/allocation.h"
#include "base/process_files.h"
#include "base/process_table.h"

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
    process_table_clear(&table);
    return proxy;
}

static char *identity_of_hydra(const char *proc, pid_t pid)
{
    size_t bytes;
    const pid_t proxy = find_proxy(proc, pid);
    char *arguments = proxy != 0 ? read_process_file(proc, proxy, "cmdline", &bytes) : NULL;
    if (arguments == NULL)
        return NULL;
    const char *port = find_argument(arguments, bytes, "--control-port");
    const char *group = find_argument(arguments, bytes, "--pgid");
    char *identity = port != NULL ? format_text("hydra %s %s", port, group != NULL ? group : "0") : NULL;
    free(arguments);
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
