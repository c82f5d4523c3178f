/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens: shows what the ranks of an MPI job are doing and which messages are pending. This file finds the verb.
 */
#include "escaped_text.h"
#include "printed_line.h"
#include "verbs.h"

#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct verb {
    const char *name;
    const char *summary;
    enum exit_status (*function)(int argument_count, char **arguments);
} verbs[] = {
    {"run", "start a rank with the mpilens runtime in it (use it behind mpiexec)", verb_run},
    {"list", "list the MPI jobs of this host", verb_list},
    {"why", "say which ranks can never go on, and which rank is to blame", verb_why},
    {"show", "show the current calls, message queues and collective calls of every rank", verb_show},
    {"handle", "show what one opaque handle (MPI_Comm, MPI_Datatype, ...) names", verb_handle},
    {"watch", "show what all ranks are doing, a line per moment", verb_watch},
    {"leaks", "list what the ranks have made and not freed, by the place where it was made", verb_leaks},
    {"snapshot", "save all that can be read of a job to a file, to be looked at later", verb_snapshot},
    {"guard", "start a job, and end it with the verdict when it makes no progress any more", verb_guard},
};

const char *argp_program_version = "mpilens " MPILENS_VERSION;

static void print_usage(FILE *stream)
{
    fputs("Usage: mpilens VERB [OPTION...] [TARGET...]\n"
          "Shows what the ranks of a running, hung or dead MPI job are doing.\n\n",
          stream);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(stream, "  mpilens %-8s  %s\n", verbs[i].name, verbs[i].summary);
    fputs("\nStart a job so that it can be read, then look at it from another terminal:\n"
          "  mpiexec -n 4 mpilens run ./app\n"
          "  mpilens show\n\n"
          "'mpilens VERB --help' tells the options of a verb; 'mpilens --version' the version.\n"
          "Exit status: 0 nothing wrong, 1 something is wrong in the job, 2 wrong usage, 3 nothing could be read.\n",
          stream);
}

static int finish_output(void)
{
    if (fflush(stdout) == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

/* What was started without them must not write its messages into a file that comes by their numbers, such as a
 * snapshot: reading and writing fail as before, and a program that this process becomes or starts does not get them. */
static void reserve_standard_files(void)
{
    int file;
    do
        file = open("/dev/null", O_PATH | O_CLOEXEC);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

int main(int argument_count, char **arguments)
{
    reserve_standard_files();
    argp_err_exit_status = EXIT_USAGE;
    escaped_text_set_locale();
    unsetenv("DEBUGINFOD_URLS"); /* source lines come from this machine; the network would keep the user waiting */
    if (argument_count < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = arguments[1];
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return (int)verbs[i].function(argument_count - 1, arguments + 1);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts(argp_program_version);
        return finish_output();
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return finish_output();
    }
    print_line(stderr, "mpilens: '%s' is not a verb of mpilens; 'mpilens --help' lists them", name);
    return EXIT_USAGE;
}
