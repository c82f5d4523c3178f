/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens history: prints what the ranks have called last.
 */
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>

static const char description[] =
    "Show what the ranks of a job have called last: the collective calls of each "
    "communicator by number, ranks with the "
    "same calls in one column, and the first call that differs; with --rank, also the messages of these ranks, "
    "each beside its other end.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or a "
    "core file, a snapshot or a directory of black boxes. Without TARGET, the only job of this user on this host is "
    "meant, else the last one that has ended.\n\n"
    "Ranks remember at least the last 256 messages of each of their threads, or more with 'mpilens run --history'. Of "
    "a "
    "communicator the last eight collective calls are known, and some earlier ones. A '-' stands for a call that the "
    "ranks have not begun; an empty cell for one that they have forgotten.\n\n"
    "Exit status: 0 the job was read, 2 wrong usage, 3 nothing could be read.\n\n"
    "Examples:\n"
    "  mpilens history\n"
    "  mpilens history 4711 --rank 3 --all\n"
    "  mpilens history hang.mpilens --perfetto hang.json";

static enum exit_status show_history(const struct options *options, const struct job *job)
{
    struct reason reason = {.text = ""};
    if (options->perfetto != NULL && render_history_trace(options->perfetto, job, &options->render, &reason) != 0)
        print_line(stderr, "mpilens: %s", reason.text);
    if (options->perfetto != NULL)
        return reason.text[0] == '\0' ? EXIT_GOOD : EXIT_UNREADABLE;
    const int result = options->form == FORM_JSON ? render_history_json(stdout, job, &options->render)
                                                  : render_history_text(stdout, job, &options->render);
    if (result == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

enum exit_status verb_history(int argument_count, char **arguments)
{
    static const struct job_verb verb = {
        .description = description,
        .more = more,
        .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_LISTS | OPTIONS_TRACE,
        .shows_past = true,
        .on_job = show_history,
    };
    return job_verb_run(&verb, argument_count, arguments);
}
