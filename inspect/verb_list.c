/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens list: the MPI jobs of this host.
 */
#include "allocation.h"
#include "job_processes.h"
#include "options.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char description[] =
    "List the MPI jobs of this user on this host (of all users when root), with the state of every rank.";

static const char more[] = "Exit status: 0 there are jobs or none, 2 wrong usage, 3 the debugger library is missing.";

static int render(const struct options *options, const struct job *jobs, size_t count)
{
    if (options->json)
        return render_list_json(stdout, jobs, count, &options->render);
    if (count == 0)
        fputs("mpilens: no MPI job of this user on this host\n", stderr);
    return render_list_text(stdout, jobs, count, &options->render);
}

enum exit_status verb_list(int argument_count, char **arguments)
{
    struct options options;
    struct reason reason;
    struct dll dll;
    options_parse(argument_count, arguments, 0, description, more, &options);
    if (dll_open(NULL, &dll, &reason) != 0) {
        fprintf(stderr, "mpilens: %s\n", reason.text);
        options_clear(&options);
        return EXIT_UNREADABLE;
    }
    const struct collect_plan plan = {.depth = COLLECT_PROCESS};
    struct found_jobs found = discover_jobs("/proc", geteuid() == 0 ? ANY_USER : geteuid());
    struct job *jobs = allocate(found.count * sizeof *jobs);
    for (size_t i = 0; i < found.count; i++)
        read_found_job(&dll, &found.items[i], false, &plan, &jobs[i]);
    enum exit_status status = EXIT_GOOD;
    if (render(&options, jobs, found.count) != 0) {
        perror("mpilens: standard output");
        status = EXIT_UNREADABLE;
    }
    for (size_t i = 0; i < found.count; i++)
        job_clear(&jobs[i]);
    free(jobs);
    found_jobs_clear(&found);
    dll_close(&dll);
    options_clear(&options);
    return status;
}
