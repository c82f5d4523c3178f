/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens guard: starts a job, and ends it with the verdict when it makes no progress.
 */
#include "base/base.h"
#include "boxes/boxes.h"
#include "file/file.h"
#include "launch/launch.h"
#include "monitor/monitor.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct guard_options {
    const struct mpi_family *mpi; /* NULL: the programs' own */
    double timeout_s;
    double interval_s; /* 0: by the timeout */
    double limit_s;    /* 0: none */
    double before_s;   /* 0: no verdict before the end */
    double kill_after_s;
    const char *snapshot; /* NULL: a name in the current directory */
    mode_t snapshot_mode;
    bool no_snapshot;
    struct host_options hosts;
    struct host_reach reach; /* their meaning */
    struct guard_output output;
    struct machine_file *reports; /* of the output */
    int error_status;             /* if ranks have left something; 0: the status of COMMAND */
    char **command;               /* and its arguments */
};

static const char documentation[] =
    "Start a job. When it makes no progress in MPI, print the verdict on standard error and end the job:\n"
    "  mpilens guard --timeout 300 -- mpiexec -n 4 ./app input\v"
    "COMMAND is the launcher, or a script that calls it. The runtime is preloaded into everything that COMMAND "
    "starts on this host, and elsewhere if the launcher hands on LD_PRELOAD; use 'mpilens run' in COMMAND where "
    "it does not. A process that a daemon of this host starts, as with srun, belongs to the job if it has "
    "MPILENS_GUARD in its environment, as COMMAND does.\n\n"
    "A job makes progress when a rank starts or completes an operation, begins a collective call, calls another "
    "function, makes or frees an object, begins or ends. Tests and probes that find nothing do not count. A rank "
    "outside MPI makes progress while it computes (uses more than 1% of a processor), while a debugger has "
    "stopped it, or while it is stopped or frozen together with all others.\n\n"
    "After a whole timeout without progress, or when the run takes longer than --limit, guard prints the verdict "
    "of 'mpilens why', saves the job as mpilens-PID.mpilens (PID of COMMAND), and ends it, whether or not "
    "anybody reads its output. Where no rank is at fault for certain, it prints what all of them do. Time in "
    "which a rank had to wait for a processor does not count for --timeout, which takes longer on an overloaded "
    "host; --limit is by the clock. Ranks that cannot be read do not count as progress; while no rank can be "
    "read, only --limit ends the job.\n\n"
    "With --before, guard also prints the verdict and saves the job some time before it ends, and lets it run "
    "on. The end is that of the batch job, SLURM_JOB_END_TIME in the environment (seconds since 1970, set by "
    "recent versions of Slurm), or that of --limit; the earlier one counts.\n\n"
    "A job is ended in three steps, --kill-after apart: SIGTERM to COMMAND; SIGTERM and SIGCONT to all processes "
    "that are left of it, on all its hosts; SIGKILL. A control group of version 1 that has frozen them is thawed "
    "if it holds processes of the job only. guard says what it could not end.\n\n"
    "A job on several hosts is guarded on all of them, by an mpilens on each. The job is ended when all hosts "
    "have stood still at once for the timeout. A host that does not answer is named, and asked again; from what "
    "it said last it has a whole timeout, then its ranks count as ranks that cannot be read. How ranks end is "
    "seen on this host only.\n\n"
    "USR1 and USR2, which batch systems send before they end a job, are passed on once verdict and snapshot are "
    "done. So is the first signal that asks the job to end (HUP, INT, QUIT, TERM), which is the first of the "
    "three steps: a program that writes a checkpoint may need a longer --kill-after. Timeout and limit stay in "
    "force. A signal that was ignored when guard was started, as by nohup, is left ignored.\n\n"
    "COMMAND runs in a process group of its own. So ^C in a terminal reaches guard first: verdict and snapshot "
    "come before COMMAND gets it. A second ^C kills the job at once. What is typed goes to COMMAND through a "
    "pipe; a program that opens the terminal itself gets it, and with it ^C and ^Z.\n\n"
    "When the job has failed, the last line of guard is 'mpilens: ', the headline of the verdict, and where the "
    "job is saved, below all that the launcher has written.\n\n"
    "When a rank is killed, crashes or ends early and takes the job with it, guard reports which rank it was, "
    "how it ended, and what all ranks were doing, from their black boxes (see 'mpilens run'); when MPI ends the "
    "job after an error, the call that failed, and why. Unless MPILENS_CORE=none, core files get their hard "
    "limit; guard shows the stack of a crash, or why it has no core file.\n\n"
    "With --error-exitcode, the ranks that 'mpilens run' in COMMAND has started are checked for leaks when they "
    "end.\n\n"
    "Exit status: that of COMMAND, or 128 plus the signal that ended it; 1 a rank has ended the job, but "
    "COMMAND, its launcher, returned 0; 124 the job made no progress or took too long, and was ended; 2 wrong "
    "usage; 3 the job cannot be tracked (runtime not installed), so nothing was started; 126 COMMAND is not "
    "executable; 127 COMMAND was not found.";

static double parse_duration(struct argp_state *state, const char *option, const char *text)
{
    return duration_option(state, option, text, 0.01, 1e9);
}

enum { OPTION_MODE = 0x100, OPTION_FORMAT, OPTION_REPORT, OPTION_ON_FINDING }; /* no letter is left */

static void add_report(struct argp_state *state, struct guard_options *options, const char *text)
{
    struct guard_output *output = &options->output;
    struct machine_file file;
    struct reason reason;
    if (machine_file_parse(text, &file, &reason) != 0)
        argp_error(state, "--report: %s", reason.text);
    options->reports = array_append(options->reports, &output->report_count, sizeof *options->reports);
    options->reports[output->report_count - 1] = file;
    output->reports = options->reports;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct guard_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->mpi;
        state->child_inputs[1] = &options->error_status;
        state->child_inputs[2] = &options->hosts;
        state->child_inputs[3] = &options->output.source;
        return 0;
    case 't':
        options->timeout_s = parse_duration(state, "timeout", argument);
        return 0;
    case 'i':
        options->interval_s = parse_duration(state, "interval", argument);
        return 0;
    case 'l':
        options->limit_s = parse_duration(state, "limit", argument);
        return 0;
    case 'b':
        options->before_s = parse_duration(state, "before", argument);
        return 0;
    case 'k':
        options->kill_after_s = parse_duration(state, "kill-after", argument);
        return 0;
    case 'o':
        options->snapshot = argument;
        return 0;
    case OPTION_MODE:
        options->snapshot_mode = file_mode_option(state, argument);
        return 0;
    case 'n':
        options->no_snapshot = true;
        return 0;
    case OPTION_FORMAT:
        options->output.format = format_option(state, argument);
        return 0;
    case OPTION_REPORT:
        add_report(state, options, argument);
        return 0;
    case OPTION_ON_FINDING:
        options->output.on_finding = argument;
        return 0;
    case ARGP_KEY_ARG:
        options->command = &state->argv[state->next - 1];
        state->next = state->argc; /* the rest is the job's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name the command that starts the job");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static bool has_run(char *const *command)
{
    for (; *command != NULL; command++)
        if (strcmp(file_name(*command), "mpilens") == 0 && command[1] != NULL && strcmp(command[1], "run") == 0)
            return true;
    return false;
}

bool verb_guard_is_launcher(const char *program)
{
    const char *name = file_name(program);
    return strncmp(name, "mpiexec", strlen("mpiexec")) == 0 || strncmp(name, "mpirun", strlen("mpirun")) == 0 ||
           strcmp(name, "srun") == 0 || mpi_family_of_launcher_program(name) != NULL;
}

/* Whether the ranks get their runtime without us: by `mpilens run` or the plug-in of srun, or because it is linked into
 * them. */
static bool brings_runtime(char *const *command)
{
    static const char of_srun[] = "--mpilens";
    const bool is_srun = strcmp(file_name(command[0]), "srun") == 0;
    if (has_run(command))
        return true;
    for (; *command != NULL; command++) {
        const bool is_plug_in = is_srun && strncmp(*command, of_srun, sizeof of_srun - 1) == 0 &&
                                strchr("=", (*command)[sizeof of_srun - 1]) != NULL;
        if (is_plug_in || (access(*command, X_OK) == 0 && has_linked_runtime(*command)))
            return true;
    }
    return false;
}

static int preload(const struct guard_options *options, const struct program *program, struct reason *ret_reason)
{
    if (brings_runtime(options->command))
        return 0;
    char *runtime = preload_choose(options->mpi, program, options->command, ret_reason);
    const int result = runtime != NULL ? preload_check(program, runtime, ret_reason) : -1;
    if (result == 0)
        preload_set(runtime);
    free(runtime);
    return result;
}

static double interval_of(const struct guard_options *options)
{
    static const double part = 0.1, least_s = 0.2, most_s = 10;
    return options->interval_s > 0 ? options->interval_s : fmin(fmax(options->timeout_s * part, least_s), most_s);
}

/* By the batch system or the limit. */
static double end_of(const struct guard_options *options)
{
    const double batch_s = batch_end_s(getenv("SLURM_JOB_END_TIME"), time(NULL));
    return options->limit_s > 0 ? fmin(batch_s, options->limit_s) : batch_s;
}

static void warn_of_before(const struct guard_plan *plan)
{
    if (plan->before_s > 0 && isinf(plan->end_s))
        print_line(stderr,
                   "mpilens guard: --before has no effect: it is not known when the job ends; set SLURM_JOB_END_TIME "
                   "to that time, in seconds since 1970, or give --limit");
    else if (plan->before_s >= plan->end_s)
        print_line(stderr, "mpilens guard: the job ends in %.0f s, so the verdict of --before comes once it runs",
                   plan->end_s);
}

/* The command as one line; in the arena. */
static const char *join(char *const *command)
{
    FILE *stream = arena_open();
    for (char *const *word = command; *word != NULL; word++)
        fprintf(stream, "%s%s", word == command ? "" : " ", *word);
    return arena_close(stream);
}

static struct guard_plan make_plan(const struct guard_options *options)
{
    return (struct guard_plan){.command = file_name(options->command[0]),
                               .timeout_s = options->timeout_s,
                               .interval_s = interval_of(options),
                               .limit_s = options->limit_s,
                               .end_s = end_of(options),
                               .before_s = options->before_s,
                               .kill_after_s = options->kill_after_s,
                               .snapshot = options->snapshot,
                               .snapshot_mode = options->snapshot_mode,
                               .no_snapshot = options->no_snapshot,
                               .reach = options->reach,
                               .output = options->output};
}

/* The job is started in any case. */
static void keep_boxes(void)
{
    struct reason reason;
    box_place_use_default(true, &reason);
    if (reason.text[0] != '\0')
        print_line(stderr, "mpilens guard: %s", reason.text);
}

static int start(const struct guard_options *options)
{
    struct program program;
    struct reason reason;
    struct guard_job job;
    struct dll dll;
    int status = program_inspect(options->command[0], &program, &reason);
    if (status == EXIT_GOOD) {
        status = EXIT_UNREADABLE;
        if (preload(options, &program, &reason) == 0 && dll_open(NULL, &dll, &reason) == 0) {
            const struct guard_plan plan = make_plan(options);
            keep_boxes();
            warn_of_before(&plan);
            if (guard_job_start(program.path, options->command, &job, &reason) == 0) {
                status = guard_run(&dll, &plan, &job);
                reason.text[0] = '\0';
            }
            dll_close(&dll);
        }
    }
    if (reason.text[0] != '\0')
        print_line(stderr, "mpilens guard: %s", reason.text);
    return status;
}

enum exit_status verb_guard(int argument_count, char **arguments)
{
    static const struct argp_option argp_options[] = {
        {"timeout", 't', "DURATION", 0,
         "End the job after this time without progress in which all ranks could run, such as 90, 90s, 1m30s or 2h "
         "(default: 300 s)",
         0},
        {"interval", 'i', "DURATION", 0,
         "Time between two readings of the job (default: a tenth of the timeout, from 0.2 s to 10 s)", 0},
        {"limit", 'l', "DURATION", 0, "End the job after this time by the clock, whatever it does (default: no limit)",
         0},
        {"before", 'b', "DURATION", 0,
         "Print the verdict and save the job so long before it ends, as SLURM_JOB_END_TIME or --limit says", 0},
        {"kill-after", 'k', "DURATION", 0,
         "The time between SIGTERM to COMMAND, SIGTERM to all that is left of the job, and SIGKILL (default: 10 s)", 0},
        {"output", 'o', "FILE", 0, "Save the job to FILE (default: mpilens-PID.mpilens)", 0},
        {"mode", OPTION_MODE, "MODE", 0, FILE_MODE_HELP, 0},
        {"no-snapshot", 'n', NULL, 0, "Save nothing", 0},
        {"format", OPTION_FORMAT, "FORMAT", 0, FORMAT_HELP, 0},
        {"report", OPTION_REPORT, "FILE", 0, REPORT_HELP, 0},
        {"on-finding", OPTION_ON_FINDING, "COMMAND", 0, ON_FINDING_HELP, 0},
        {0},
    };
    static const struct argp_child children[] = {{&mpi_option_parser, 0, NULL, 0},
                                                 {&error_exitcode_parser, 0, NULL, 0},
                                                 {&host_option_parser, 0, NULL, 0},
                                                 {&source_option_parser, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {.children = children,
                                     .options = argp_options,
                                     .parser = parse_option,
                                     .args_doc = "[--] COMMAND [ARGUMENT...]",
                                     .doc = documentation};
    static const double default_timeout_s = 300, default_kill_after_s = 10;
    struct guard_options options = {.timeout_s = default_timeout_s,
                                    .kill_after_s = default_kill_after_s,
                                    .snapshot_mode = OUTPUT_MODE_PRIVATE,
                                    .hosts = default_host_options()};
    struct reason reason;
    char name[] = "mpilens guard";
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, ARGP_IN_ORDER, &options);
    if (options.error_status > 0 && verb_guard_is_launcher(options.command[0]) && !has_run(options.command)) {
        fprintf(stderr,
                "mpilens guard: --error-exitcode needs 'mpilens run' before the program of the ranks, which looks for "
                "their leaks: '%s ... mpilens run ./app'\n",
                file_name(options.command[0]));
        return EXIT_USAGE;
    }
    if (host_options_reach(&options.hosts, &options.reach, &reason) != 0) {
        print_line(stderr, "mpilens guard: %s", reason.text);
        return EXIT_USAGE;
    }
    if (options.error_status > 0)
        error_exitcode_export(options.error_status);
    options.output.name = join(options.command);
    const int status = start(&options);
    free(options.reports);
    return (enum exit_status)status; /* also any status of the job */
}
