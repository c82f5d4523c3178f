/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ways to other hosts, and whether the hosts of the job that runs here have mpilens.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"
#include "collect/collect.h"
#include "engine/engine.h"
#include "gather/gather.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* More hosts are not asked one by one. */
enum { MOST_ASKED = 8 };

static const double limit_s = 10;

static void check_engine(struct doctor *doctor)
{
    struct reason reason;
    const struct engine *engine = engine_choose(NULL, 0, 2, &reason);
    if (engine != NULL)
        doctor_add(doctor, "other hosts", DOCTOR_GOOD, arena_text("reached by %s", engine->name), NULL);
    else
        doctor_add(doctor, "other hosts", DOCTOR_LIMITED, arena_copy(reason.text),
                   "install ssh, clush or pdsh; a job on this host alone needs none");
}

/* The host's answer to the question for the version of mpilens; true: it has it. */
static bool ask_host(const struct engine *engine, const struct job_hosts *where, const char *name,
                     const char **ret_said)
{
    char command[PATH_MAX] = "mpilens";
    const ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    if (length > 0)
        command[length] = '\0';
    struct host_list one = {.count = 0};
    struct engine_plan plan;
    struct reason reason;
    const char *words[] = {command, "--version", NULL};
    const struct engine_task task = {.hosts = &one,
                                     .slurm_job = where->slurm_job,
                                     .slurm_components = where->slurm_components,
                                     .command = words,
                                     .timeout_s = limit_s};
    host_list_add(&one, name);
    host_list_finish(&one);
    if (engine_plan_make(engine, &task, &plan, &reason) == 0)
        return doctor_ask((const char *const *)plan.commands[0].arguments, limit_s, ret_said) &&
               strstr(*ret_said, "mpilens ") != NULL;
    *ret_said = arena_copy(reason.text);
    return false;
}

static void check_host(struct doctor *doctor, const struct engine *engine, const struct job_hosts *where,
                       const char *name)
{
    const char *said;
    if (ask_host(engine, where, name, &said)) {
        doctor_add(doctor, "host of the job", DOCTOR_GOOD, arena_text("%s has mpilens", name), NULL);
    } else {
        said = arena_text("%.*s", (int)strcspn(said, "\n"), said);
        doctor_add(
            doctor, "host of the job", DOCTOR_BAD,
            arena_text("%s cannot be asked through %s: %s", name, engine->name, said[0] != '\0' ? said : "no answer"),
            arena_text("mpilens why --ship (if 'ssh %s true' works without a password), or install mpilens there",
                       name));
    }
}

static void check_job_hosts(struct doctor *doctor, const struct dll *dll)
{
    const struct wide_job_request request = {0};
    struct reason reason;
    struct wide_job job;
    if (wide_job_find(dll, &request, &job, &reason) != WIDE_JOB_HOSTS) {
        doctor_add(doctor, "host of the job", DOCTOR_GOOD, "no job of this user here runs on other hosts", NULL);
        return;
    }
    const struct engine *engine =
        engine_choose(job.where.slurm_job, job.where.slurm_components, job.where.hosts.count, &reason);
    for (size_t i = 0; engine != NULL && i < job.where.hosts.count && i < MOST_ASKED; i++)
        check_host(doctor, engine, &job.where, job.where.hosts.names[i]);
}

void doctor_check_hosts(struct doctor *doctor)
{
    struct reason reason;
    struct dll dll;
    check_engine(doctor);
    if (dll_open(NULL, &dll, &reason) != 0)
        return;
    check_job_hosts(doctor, &dll);
    dll_close(&dll);
}
