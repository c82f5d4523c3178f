/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens: shows what the ranks of an MPI job are doing and which messages are pending. This file finds the verb.
 */
#include "base/allocation.h"
#include "base/vanished_pages.h"
#include "debug/debug_server.h"
#include "text/escaped_text.h"
#include "text/printed_line.h"
#include "verbs/start_over.h"
#include "verbs/verbs.h"

#include <argp.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words of more letters are no mistyped verbs. */
enum { MOST_LETTERS = 32 };

static const struct verb {
    const char *name;
    const char *summary; /* NULL: mpilens itself uses it on other hosts */
    enum exit_status (*function)(int argument_count, char **arguments);
    bool only_reads;
} verbs[] = {
    {"run", "start a rank with the mpilens runtime loaded (use it after mpiexec)", verb_run, false},
    {"list", "list the MPI jobs of this host", verb_list, true},
    {"hosts", "list the hosts of a job", verb_hosts, true},
    {"why", "report which ranks can never continue, and which rank is to blame", verb_why, true},
    {"show", "show the current calls, message queues and collective calls of every rank", verb_show, true},
    {"handle", "show the object that a handle (MPI_Comm, MPI_Datatype, ...) names", verb_handle, true},
    {"watch", "show what all ranks are doing, one line per moment", verb_watch, true},
    {"leaks", "list the objects that were made and not freed, by the place that made them", verb_leaks, true},
    {"snapshot", "save everything that can be read of a job to a file", verb_snapshot, true},
    {"guard", "start a job; print the verdict and end it when it makes no progress", verb_guard, false},
    {"part", NULL, verb_part, true},
};

const char *argp_program_version = "mpilens " MPILENS_VERSION;

static void print_usage(FILE *stream)
{
    fputs("Usage: mpilens VERB [OPTION...] [TARGET...]\n"
          "Shows what the ranks of a running, hung or dead MPI job are doing.\n\n",
          stream);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (verbs[i].summary != NULL)
            fprintf(stream, "  mpilens %-8s  %s\n", verbs[i].name, verbs[i].summary);
    fputs("\nStart a job so that it can be read, then look at it from another terminal:\n"
          "  mpiexec -n 4 mpilens run ./app\n"
          "  mpilens show\n\n"
          "'mpilens help VERB' lists the options of a verb; 'mpilens --version' prints the version.\n"
          "Exit status: 0 nothing wrong, 1 something is wrong in the job, 2 wrong usage, 3 nothing could be read.\n",
          stream);
}

static int flush_standard_output(void)
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

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

/* Letters to be put in, left out or replaced to make one word of the other, both of less than MOST_LETTERS. */
static size_t find_distance(const char *left, const char *right)
{
    size_t row[MOST_LETTERS];
    const size_t length = strlen(right);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; left[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            const size_t replaced = diagonal + (left[i - 1] != right[j - 1]);
            const size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[length];
}

/* The verb that was probably meant, NULL: none is like it. */
static const struct verb *find_similar(const char *name)
{
    const size_t length = strlen(name);
    const struct verb *similar = NULL;
    size_t least = length < 4 ? 2 : 3;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs && length > 1 && length < MOST_LETTERS; i++) {
        if (verbs[i].summary == NULL)
            continue;
        const bool begins = strncmp(verbs[i].name, name, length) == 0;
        const size_t distance = begins ? 0 : find_distance(name, verbs[i].name);
        if (distance < least) {
            least = distance;
            similar = &verbs[i];
        }
    }
    return similar;
}

static int fail_without_verb(const char *name)
{
    const struct verb *similar = find_similar(name);
    if (similar != NULL)
        print_line(stderr, "mpilens: '%s' is not a verb of mpilens; did you mean '%s'?", name, similar->name);
    else
        print_line(stderr, "mpilens: '%s' is not a verb of mpilens; 'mpilens --help' lists them", name);
    return EXIT_USAGE;
}

static int help_with(const char *name)
{
    static char help[] = "--help";
    const struct verb *verb = find_verb(name);
    char *arguments[] = {copy_text(name), help, NULL};
    const int status = verb != NULL ? (int)verb->function(2, arguments) : fail_without_verb(name);
    free(arguments[0]);
    return status;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0;
}

int main(int argument_count, char **arguments)
{
    allocation_prepare();
    reserve_standard_files();
    vanished_pages_read_as_zeros();
    argp_err_exit_status = EXIT_USAGE;
    escaped_text_set_locale();
    debug_server_take();
    if (argument_count < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = arguments[1];
    const struct verb *verb = find_verb(name);
    if (verb != NULL && argument_count > 2 && is_help(arguments[2]))
        return help_with(name);
    if (verb != NULL && verb->only_reads)
        start_over_where_blocked(arguments);
    if (verb != NULL)
        return (int)verb->function(argument_count - 1, arguments + 1);
    if (strcmp(name, "help") == 0 && argument_count > 2 && !is_help(arguments[2]))
        return help_with(arguments[2]);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts(argp_program_version);
        return flush_standard_output();
    }
    if (is_help(name) || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return flush_standard_output();
    }
    return fail_without_verb(name);
}
