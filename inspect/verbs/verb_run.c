/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens run: becomes the program, with the runtime for its MPI preloaded. Says nothing unless it cannot work.
 */
#include "base/base.h"
#include "boxes/boxes.h"
#include "discover/discover.h"
#include "launch/launch.h"
#include "monitor/monitor.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_options {
    const struct mpi_family *mpi; /* NULL: the program's own */
    char **program;               /* and its arguments */
    bool synchronous;             /* standard sends wait for their receives */
    bool exact;                   /* the runtime takes unexpected messages out */
    const char *history;          /* of --history, into the arguments; NULL: none */
    const char *exact_after;      /* seconds, NULL: as it likes */
    bool leaks;                   /* say in the end what was not freed */
    struct rank_set leak_ranks;   /* of these ranks */
    const char *keep;             /* directory of black boxes, NULL: as the environment says, else the usual one */
    bool no_keep;                 /* no black boxes */
    bool print;                   /* the environment of the program, which is not started */
    int error_status;             /* if there is any; 0: the program's own status */
};

static const char documentation[] =
    "Start PROGRAM with the mpilens runtime loaded, so that the other verbs can read it. Put it after the launcher, "
    "once per rank:\n"
    "  mpiexec -n 4 mpilens run ./app input\v"
    "The runtime for the MPI library of PROGRAM is put in front of LD_PRELOAD. The program, its arguments, output and "
    "exit status stay the same. For Python, the MPI is the one that its mpi4py is linked with; for a script, that of "
    "the MPI programs that it starts, else that of the launcher, else the only one installed. If this is wrong, name "
    "the MPI with --mpi.\n\n"
    "With --leaks, or MPILENS_LEAKS=1 in the environment, mpilens stays as the parent of PROGRAM and reads it through "
    "ptrace(2) when it exits after MPI_Finalize. Meanwhile no debugger can attach to it, and --stop cannot freeze it. "
    "When the last rank on a host ends, one table covers all ranks that the launcher has on that host. With "
    "--error-exitcode, or MPILENS_ERROR_EXITCODE in the environment, that last rank exits with this status if there "
    "is any leak and its own status is 0.\n\n"
    "With --synchronous, or MPILENS_SYNCHRONOUS=1 in the environment, MPI_Send, MPI_Isend, MPI_Send_init, MPI_Sendrecv "
    "and MPI_Sendrecv_replace wait until the receive has begun, as a synchronous send does. A program that relies on "
    "MPI buffering its messages hangs then, however small they are, and mpilens why explains it. The calls keep their "
    "names; those of other modes, partitioned ones and MPI_Isendrecv stay as they are. Error messages of MPI, and "
    "other tools that wrap MPI, name the synchronous call.\n\n"
    "With --unexpected=exact, or MPILENS_UNEXPECTED=exact in the environment, the runtime asks MPI for the messages "
    "that "
    "have arrived and that nobody has asked for: MPI is initialized with MPI_THREAD_MULTIPLE, while the program is "
    "told "
    "the level that it has asked for, and when a rank has made no progress for --unexpected-after seconds (1), a "
    "thread "
    "takes them out with MPI_Improbe. Receives and probes find them there, in their order. Start all ranks like this. "
    "MPI_Cancel "
    "of a send that has been taken out does not succeed. Where MPI does not provide the level, messages are inferred, "
    "as "
    "without the option.\n\n"
    "What the runtime knows of a rank is in a file, its black box, from the first MPI call on. Whatever ends the rank, "
    "'mpilens why' explains it afterwards, as do show, handle, leaks and snapshot; 'mpilens list --ended' lists the "
    "jobs. The files are in memory, in $XDG_RUNTIME_DIR/mpilens or /dev/shm/mpilens-UID. A rank that calls "
    "MPI_Finalize and exits with 0 removes its file. Of the others, those of the last 20 jobs are kept for a week, in "
    "at most a quarter of the memory that this file system may take. With --keep, or MPILENS_KEEP in the environment, "
    "the files are in DIRECTORY, and all are kept; name it then: 'mpilens why DIRECTORY'. It is made, for this user "
    "only, where there is none. With --no-keep, or MPILENS_KEEP=none, there are no black boxes. Where the file system "
    "is more than half full, ranks run without them.\n\n"
    "The soft limit of core files is raised to the hard one, so that a crash leaves one, unless MPILENS_CORE=none.\n\n"
    "Exit status: that of PROGRAM; 2 wrong usage; 3 PROGRAM cannot be tracked (no MPI, static, other user, other "
    "machine, runtime not installed); 126 PROGRAM is not executable; 127 PROGRAM was not found.";

enum { LEAST_HISTORY = 256, MOST_HISTORY = 16384 };
enum { KEY_UNEXPECTED = 0x100, KEY_UNEXPECTED_AFTER, KEY_KEEP, KEY_NO_KEEP, KEY_HISTORY, KEY_PRINT };

/* Whether it is a number of seconds that the runtime takes. */
static bool is_patience(const char *text)
{
    char *end = NULL;
    const double seconds = strtod(text, &end);
    return end != text && *end == '\0' && seconds >= 0 && seconds <= 1e6;
}

/* Whether the runtime's recorders take it. */
static bool is_history(const char *text)
{
    char *end = NULL;
    const unsigned long count = strtoul(text, &end, 10);
    return end != text && *end == '\0' && count >= LEAST_HISTORY && count <= MOST_HISTORY && (count & (count - 1)) == 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->mpi;
        state->child_inputs[1] = &options->error_status;
        return 0;
    case 's':
        options->synchronous = true;
        return 0;
    case KEY_UNEXPECTED:
        if (strcmp(argument, "exact") != 0 && strcmp(argument, "inferred") != 0)
            argp_error(state, "--unexpected takes exact or inferred, not '%s'", argument);
        options->exact = strcmp(argument, "exact") == 0;
        return 0;
    case KEY_UNEXPECTED_AFTER:
        if (!is_patience(argument))
            argp_error(state, "--unexpected-after takes a number of seconds, not '%s'", argument);
        options->exact_after = argument;
        return 0;
    case KEY_HISTORY:
        if (!is_history(argument))
            argp_error(state, "--history takes a power of two from %d to %d, not '%s'", LEAST_HISTORY, MOST_HISTORY,
                       argument);
        options->history = argument;
        return 0;
    case KEY_KEEP:
        options->keep = argument;
        options->no_keep = false;
        return 0;
    case KEY_NO_KEEP:
        options->no_keep = true;
        options->keep = NULL;
        return 0;
    case KEY_PRINT:
        options->print = true;
        return 0;
    case 'l':
        options->leaks = true;
        if (argument != NULL && rank_set_parse(&options->leak_ranks, argument) != 0)
            argp_error(state, "--leaks takes ranks such as 0,4-7, not '%s'", argument);
        return 0;
    case ARGP_KEY_ARG:
        options->program = &state->argv[state->next - 1];
        state->next = state->argc; /* the rest is the program's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name the program to start");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static int check_program(const struct program *program, struct reason *ret_reason)
{
    if (program->is_elf && program->is_static)
        return reason_set(ret_reason,
                          "%s is statically linked, so nothing can be preloaded into it: link it dynamically (without "
                          "-static)",
                          program->binary);
    if (program->is_privileged)
        return reason_set(ret_reason,
                          "%s changes its user, group or capabilities when it starts, so the system ignores preloaded "
                          "libraries: start a copy without set-user-ID, set-group-ID and file capabilities",
                          program->binary);
    if (program->never_uses_mpi)
        return reason_set(
            ret_reason, "%s uses no MPI: it is not linked with one and can neither load one nor start another program",
            program->binary);
    return 0;
}

/* Facts about all ranks are said once. */
static bool is_first_rank(void)
{
    const char *rank = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    return rank != NULL && strcmp(rank, "0") == 0;
}

static void warn_of_launcher(const struct program *program)
{
    char *problem = is_first_rank() ? check_own_launcher(program) : NULL;
    if (problem != NULL)
        print_line(stderr, "mpilens run: %s", problem);
    free(problem);
}

/* False: the reason was printed. */
static bool prepare(const struct run_options *options, const struct program *program)
{
    struct reason reason;
    char *runtime = NULL;
    if (program->is_elf && has_linked_runtime(program->binary))
        return true;
    if (check_program(program, &reason) == 0)
        runtime = preload_choose(options->mpi, program, options->program + 1, &reason);
    const bool good = runtime != NULL && preload_check(program, runtime, &reason) == 0;
    if (good) {
        preload_set(runtime);
        warn_of_launcher(program);
    } else if (options->mpi == NULL && verb_guard_is_launcher(program->path)) {
        char *start = verb_refuse_write_start(options->program);
        print_line(stderr, "mpilens run: %s starts the ranks, and goes first: %s", program->path, start);
        free(start);
    } else {
        print_line(stderr, "mpilens run: %s", reason.text);
    }
    free(runtime);
    return good;
}

/* One rank on each host keeps order for all. */
static bool is_first_of_host(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"};
    const char *rank = NULL;
    for (size_t i = 0; rank == NULL && i < sizeof variables / sizeof *variables; i++)
        rank = getenv(variables[i]);
    return rank == NULL || strcmp(rank, "0") == 0;
}

static void keep_boxes_in(const char *directory)
{
    struct reason reason;
    char *path = box_place_prepare(directory, &reason);
    if (path != NULL)
        setenv("MPILENS_KEEP", path, 1);
    if (reason.text[0] != '\0' && is_first_rank())
        print_line(stderr, "mpilens run: black boxes in %s: %s", directory, reason.text);
    free(path);
}

static void keep_boxes_as_usual(void)
{
    struct reason reason;
    box_place_use_default(is_first_of_host(), &reason);
    if (reason.text[0] != '\0' && is_first_rank())
        print_line(stderr, "mpilens run: %s", reason.text);
}

/* The program is started in any case. */
static void keep_boxes(const struct run_options *options)
{
    const char *of_environment = getenv("MPILENS_KEEP");
    const char *named = options->keep != NULL ? options->keep : of_environment;
    if (options->no_keep || (named != NULL && strcmp(named, "none") == 0))
        setenv("MPILENS_KEEP", "none", 1);
    else if (named != NULL && named[0] != '\0')
        keep_boxes_in(named);
    else
        keep_boxes_as_usual();
}

/* Prints the variables that the runtime and its loading depend on. */
static enum exit_status print_environment(void)
{
    for (char **variable = environ; *variable != NULL; variable++)
        if (strncmp(*variable, "LD_PRELOAD=", 11) == 0 || strncmp(*variable, "MPILENS_", 8) == 0)
            puts(*variable);
    return EXIT_GOOD;
}

static enum exit_status start(const struct run_options *options, const struct program *program)
{
    const char *history = getenv("MPILENS_HISTORY");
    if (!prepare(options, program))
        return EXIT_UNREADABLE;
    if (options->synchronous)
        setenv("MPILENS_SYNCHRONOUS", "1", 1);
    if (options->exact)
        setenv("MPILENS_UNEXPECTED", "exact", 1);
    if (options->exact_after != NULL)
        setenv("MPILENS_UNEXPECTED_AFTER", options->exact_after, 1);
    if (options->history != NULL)
        setenv("MPILENS_HISTORY", options->history, 1);
    else if (history != NULL && history[0] != '\0' && !is_history(history) && is_first_rank())
        print_line(stderr, "mpilens run: MPILENS_HISTORY takes a power of two from %d to %d, not '%s'", LEAST_HISTORY,
                   MOST_HISTORY, history);
    keep_boxes(options);
    if (options->print)
        return print_environment();
    core_limit_raise();
    if (options->leaks || options->error_status > 0)
        return (enum exit_status)run_with_leaks(program->path, options->program, &options->leak_ranks,
                                                options->error_status);
    execvp(program->path, options->program); /* also gives a file without a format to the shell */
    print_line(stderr, "mpilens run: %s: %s", program->path, strerror(errno));
    return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

enum exit_status verb_run(int argument_count, char **arguments)
{
    static const struct argp_option argp_options[] = {
        {"synchronous", 's', NULL, 0,
         "Make standard sends wait for their receives, so that a program that relies on MPI buffering messages hangs",
         0},
        {"unexpected", KEY_UNEXPECTED, "HOW", 0,
         "How messages that nobody has asked for are known: inferred, from what their senders did (default), or exact, "
         "from MPI itself when a rank makes no progress",
         0},
        {"unexpected-after", KEY_UNEXPECTED_AFTER, "SECONDS", 0,
         "With --unexpected=exact: so long a rank must have made no progress (default: 1; 0: at any time)", 0},
        {"keep", KEY_KEEP, "DIRECTORY", 0,
         "Keep the black boxes of ranks that die in this directory (default: in memory, for a week)", 0},
        {"no-keep", KEY_NO_KEEP, NULL, 0, "Keep no black boxes: of a rank that dies, nothing is known", 0},
        {"history", KEY_HISTORY, "COUNT", 0,
         "How many messages each thread remembers: a power of two from 256 (default) to 16384", 0},
        {"leaks", 'l', "RANKS", OPTION_ARG_OPTIONAL,
         "When the ranks end, list on standard error the objects they have made and not freed; RANKS: only for these "
         "(default: all)",
         0},
        {"print", KEY_PRINT, NULL, 0,
         "Start nothing: print the variables that PROGRAM would get, as NAME=VALUE, for launchers that set them by "
         "themselves",
         0},
        {0},
    };
    static const struct argp_child children[] = {
        {&mpi_option_parser, 0, NULL, 0}, {&error_exitcode_parser, 0, NULL, 0}, {0}};
    static const struct argp argp = {.children = children,
                                     .options = argp_options,
                                     .parser = parse_option,
                                     .args_doc = "[--] PROGRAM [ARGUMENT...]",
                                     .doc = documentation};
    const char *leaks = getenv("MPILENS_LEAKS");
    struct run_options options = {.leaks = leaks != NULL && leaks[0] != '\0' && strcmp(leaks, "0") != 0};
    options.error_status = options.leaks ? error_exitcode_of_environment() : 0;
    char name[] = "mpilens run";
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, ARGP_IN_ORDER, &options);
    struct program program;
    struct reason reason;
    enum exit_status status = program_inspect(options.program[0], &program, &reason);
    if (status != EXIT_GOOD) {
        print_line(stderr, "mpilens run: %s", reason.text);
        return status;
    }
    status = start(&options, &program);
    rank_set_clear(&options.leak_ranks);
    return status;
}
