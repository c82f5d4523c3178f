/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs as OpenMetrics, for the textfile collector of node_exporter.
 */
#include "render/machine/machine_internal.h"

#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A thread that has not polled for this long does something else in between. */
static const double polling_pause_s = 1;

enum { DECIMALS = 3 };

struct job_numbers {
    size_t ranks;   /* that have a process here */
    size_t unread;  /* of these */
    size_t in_mpi;  /* in a call of MPI */
    double quiet_s; /* for which all ranks have been in their calls; -1: not known, for none could be read */
};

/* Age of the call that the process has been in for longest; 0: it is in none. */
static double seconds_in_call(const struct process *process)
{
    double most_s = 0;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        const bool is_outside = thread->function[0] == '\0' || (thread->polling && thread->idle_s > polling_pause_s);
        if (!thread->ended && !is_outside)
            most_s = fmax(most_s, thread->age_s);
    }
    return most_s;
}

static struct job_numbers count(const struct job *job)
{
    struct job_numbers numbers = {.quiet_s = -1};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->pid <= 0)
            continue;
        numbers.ranks++;
        if (process->reason != NULL) {
            numbers.unread++;
            continue;
        }
        const double seconds = seconds_in_call(process);
        numbers.in_mpi += seconds > 0;
        numbers.quiet_s = numbers.quiet_s < 0 ? seconds : fmin(numbers.quiet_s, seconds);
    }
    return numbers;
}

static void write_label(FILE *stream, const char *separator, const char *name, const char *value)
{
    char *valid = valid_text(value != NULL ? value : "");
    fprintf(stream, "%s%s=\"", separator, name);
    for (const char *at = valid; *at != '\0'; at++)
        fprintf(stream, *at == '\\' || *at == '"' ? "\\%c" : "%c", *at);
    fputc('"', stream);
    free(valid);
}

static const char *program_of(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].executable != NULL)
            return file_name(job->processes[i].executable);
    return "";
}

struct family {
    const char *name, *unit, *help;                                                             /* unit "": none */
    bool (*value)(const struct job *job, const struct job_numbers *numbers, double *ret_value); /* false: not known */
};

static bool value_of_ranks(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)job;
    *ret_value = (double)numbers->ranks;
    return true;
}

static bool value_of_size(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)numbers;
    *ret_value = job->size;
    return job->size > 0;
}

static bool value_of_unread(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)job;
    *ret_value = (double)numbers->unread;
    return true;
}

static bool value_of_in_mpi(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)job;
    *ret_value = (double)numbers->in_mpi;
    return numbers->quiet_s >= 0;
}

static bool value_of_quiet(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)job;
    *ret_value = numbers->quiet_s;
    return numbers->quiet_s >= 0;
}

static bool value_of_start(const struct job *job, const struct job_numbers *numbers, double *ret_value)
{
    (void)numbers;
    *ret_value = (double)job->started;
    return job->started > 0;
}

static const struct family families[] = {
    {"mpilens_job_ranks", "", "Ranks of the job on this host.", value_of_ranks},
    {"mpilens_job_world_size", "", "Ranks of the job on all hosts.", value_of_size},
    {"mpilens_job_unreadable_ranks", "", "Ranks on this host that cannot be read.", value_of_unread},
    {"mpilens_job_ranks_in_mpi", "", "Readable ranks on this host that are in a call of MPI.", value_of_in_mpi},
    {"mpilens_job_quiet_seconds", "seconds",
     "How long every readable rank on this host has been in one call of MPI; 0: one is outside.", value_of_quiet},
    {"mpilens_job_start_time_seconds", "seconds", "When the job was started, since 1970.", value_of_start},
};

static void write_family(FILE *stream, const struct family *family, const struct job *jobs,
                         const struct job_numbers *numbers, size_t job_count)
{
    fprintf(stream, "# TYPE %s gauge\n", family->name);
    if (family->unit[0] != '\0')
        fprintf(stream, "# UNIT %s %s\n", family->name, family->unit);
    fprintf(stream, "# HELP %s %s\n", family->name, family->help);
    for (size_t i = 0; i < job_count; i++) {
        double value;
        if (!family->value(&jobs[i], &numbers[i], &value))
            continue;
        fputs(family->name, stream);
        write_label(stream, "{", "job", jobs[i].id);
        write_label(stream, ",", "user", jobs[i].user);
        write_label(stream, ",", "program", program_of(&jobs[i]));
        write_label(stream, ",", "mpi", jobs[i].mpi);
        fprintf(stream, "} %.*f\n", value == floor(value) ? 0 : DECIMALS, value);
    }
}

int machine_metrics_write(FILE *stream, const struct job *jobs, size_t job_count)
{
    struct job_numbers *numbers = allocate((job_count + 1) * sizeof *numbers);
    for (size_t i = 0; i < job_count; i++)
        numbers[i] = count(&jobs[i]);
    fprintf(stream,
            "# TYPE mpilens_jobs gauge\n# HELP mpilens_jobs MPI jobs with ranks on this host.\nmpilens_jobs %zu\n",
            job_count);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        write_family(stream, &families[i], jobs, numbers, job_count);
    fputs("# EOF\n", stream);
    free(numbers);
    return finish_output(stream);
}
