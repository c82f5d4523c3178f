/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens: shows what the ranks of an MPI job are doing and which messages are pending. This file finds the verb.
 */
#include "base/base.h"
#include "debug/debug.h"
#include "text/text.h"
#include "verbs/verbs.h"

#include <argp.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *argp_program_version = "mpilens " MPILENS_VERSION;

static void print_usage(FILE *stream)
{
    fputs("Usage: mpilens VERB [OPTION...] [TARGET...]\n"
          "Shows what the ranks of a running, hung or dead MPI job are doing.\n\n",
          stream);
    for (size_t i = 0; i < verb_count; i++)
        if (verbs[i].summary != NULL)
            fprintf(stream, "  mpilens %-8s  %s\n", verbs[i].name, verbs[i].summary);
    fputs("\nStart a job so that it can be read, then look at it from another terminal:\n"
          "  mpiexec -n 4 mpilens run ./app\n"
          "  mpilens why\n\n"
          "'mpilens help VERB' lists the options of a verb; 'mpilens --version' prints the\n"
          "version.\n"
          "Exit status: 0 nothing wrong, 1 something is wrong in the job, 2 wrong usage,\n"
          "3 nothing could be read.\n",
          stream);
}

static int flush_standard_output(void)
{
    if (fflush(stdout) == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

/* Keeps messages of a program that was started without standard files out of a file that gets their numbers, such as a
 * snapshot. Reading and writing fail as before, and programs that this process executes or starts do not inherit the
 * placeholders. */
static void reserve_standard_files(void)
{
    int file;
    do
        file = open("/dev/null", O_PATH | O_CLOEXEC);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

static int help_with(char **words)
{
    static char help[] = "--help";
    const struct verb *verb = verb_find(words[0]);
    return verb != NULL ? (int)verb->function(2, (char *[]){words[0], help, NULL}) : (int)verb_refuse(words);
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
    verb_expand(&argument_count, &arguments);
    char *name = arguments[1];
    const struct verb *verb = verb_find(name);
    if (verb != NULL && argument_count > 2 && is_help(arguments[2]))
        return help_with(arguments + 1);
    if (verb != NULL && verb->only_reads)
        start_over_where_blocked(arguments);
    if (verb != NULL)
        return (int)verb->function(argument_count - 1, arguments + 1);
    if (strcmp(name, "complete") == 0)
        return (int)verb_complete(argument_count - 1, arguments + 1);
    if (strcmp(name, "tables") == 0)
        return (int)verb_tables(argument_count - 1, arguments + 1);
    if (strcmp(name, "help") == 0 && argument_count > 2 && !is_help(arguments[2]))
        return help_with(arguments + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        version_print();
        return flush_standard_output();
    }
    if (is_help(name) || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return flush_standard_output();
    }
    return (int)verb_refuse(arguments + 1);
}
