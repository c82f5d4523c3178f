/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srun --mpilens: a plug-in of Slurm's SPANK. slurmstepd gives each task the variables that 'mpilens run --print' names
 * for its program; srun becomes the command of mpilens guard. Slurm loads it into srun, salloc, sbatch, slurmd and
 * slurmstepd, so it needs nothing but the C library. Meson defines COMMAND: the command's path relative to this file's
 * directory.
 */
#include <slurm/spank.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* the macro has a semicolon of its own */
SPANK_PLUGIN(mpilens, 1);
#pragma GCC diagnostic pop

/* Bytes of the variables of one task or of srun's command line, and its words; how long a task waits. */
enum { MOST_TEXT = 128 * 1024, MOST_ARGUMENTS = 4096, MOST_SECONDS = 60 };

enum mode { MODE_NONE, MODE_RUN, MODE_KEEP, MODE_GUARD };

static enum mode mode;

static int take_option(int value, const char *argument, int remote)
{
    static const char *const words[] = {[MODE_KEEP] = "keep", [MODE_GUARD] = "guard"};
    (void)value;
    (void)remote;
    if (argument == NULL || argument[0] == '\0') {
        mode = MODE_RUN;
        return 0;
    }
    for (size_t i = MODE_KEEP; i < sizeof words / sizeof *words; i++)
        if (strcmp(argument, words[i]) == 0) {
            mode = (enum mode)i;
            return 0;
        }
    slurm_error("--mpilens takes keep or guard, not '%s'", argument);
    return -1;
}

/* The command, which is installed with this file. */
static bool find_command(char path[PATH_MAX])
{
    Dl_info information;
    char relative[PATH_MAX];
    if (dladdr((const void *)&mode, &information) == 0 || strrchr(information.dli_fname, '/') == NULL)
        return false;
    const int length = (int)(strrchr(information.dli_fname, '/') - information.dli_fname);
    const int needed = snprintf(relative, sizeof relative, "%.*s/" COMMAND, length, information.dli_fname);
    return needed > 0 && (size_t)needed < sizeof relative && realpath(relative, path) != NULL;
}

/* The whole file with a 0 behind it, which the caller frees. NULL: it cannot be read, or is too long. */
static char *read_all(int file, size_t *ret_length)
{
    char *text = malloc(MOST_TEXT);
    ssize_t got = 1;
    size_t length = 0;
    while (text != NULL && length < MOST_TEXT && got != 0) {
        got = read(file, text + length, MOST_TEXT - length);
        if (got < 0 && errno != EINTR)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    if (text == NULL || got != 0 || length == MOST_TEXT) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    *ret_length = length;
    return text;
}

/* Never returns. The child of a task, before it is the program. */
static void become_print(const char *command, char **program, char **environment, int output)
{
    char *arguments[MOST_ARGUMENTS + 5] = {"mpilens", "run", "--print", "--"};
    for (size_t i = 0; i < MOST_ARGUMENTS && program[i] != NULL; i++)
        arguments[4 + i] = program[i];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGALRM, SIG_DFL);
    alarm(MOST_SECONDS); /* a rank is not kept waiting by a file system that does not answer */
    if (dup2(output, STDOUT_FILENO) >= 0)
        execve(command, arguments, environment);
    _exit(127);
}

/* The variables that 'mpilens run' would set for the program of this task, as lines to be freed. NULL: there are none;
 * if the command has come to an answer, it has said why not on the task's standard error. */
static char *ask_run(const char *command, char **program, char **environment)
{
    int ends[2];
    size_t length = 0;
    int status = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    const pid_t child = fork();
    if (child == 0)
        become_print(command, program, environment, ends[1]);
    close(ends[1]);
    char *lines = child > 0 ? read_all(ends[0], &length) : NULL;
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (lines != NULL && status != 0) {
        free(lines);
        return NULL;
    }
    return lines;
}

static void set_variables(spank_t spank, char *lines)
{
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strchr(line, '=');
        if (value != NULL) {
            *value = '\0';
            spank_setenv(spank, line, value + 1, 1);
        }
    }
}

/* In the working directory of the step, which all its hosts have, unless the user names one. */
static void name_directory(spank_t spank)
{
    char value[PATH_MAX];
    char directory[64];
    uint32_t job = 0;
    uint32_t step = 0;
    if (spank_getenv(spank, "MPILENS_KEEP", value, sizeof value) == ESPANK_SUCCESS && value[0] != '\0')
        return;
    spank_get_item(spank, S_JOB_ID, &job);
    spank_get_item(spank, S_JOB_STEPID, &step);
    snprintf(directory, sizeof directory, "mpilens-%u.%u", job, step);
    spank_setenv(spank, "MPILENS_KEEP", directory, 1);
}

/* With --multi-prog, the step has the name of the file and its text instead of a program and its arguments. */
static bool is_of_several(int count, char *const *program)
{
    return count > 1 && access(program[0], X_OK) != 0 && strchr(program[1], '\n') != NULL;
}

/* In each task of the user, before it becomes the program. */
int slurm_spank_task_init(spank_t spank, int count, char **words)
{
    char command[PATH_MAX];
    char **program = NULL;
    char **environment = NULL;
    int argument_count = 0;
    (void)count;
    (void)words;
    if (mode == MODE_NONE)
        return 0;
    if (!find_command(command)) {
        slurm_error("--mpilens: the command is not installed beside the plug-in on this host");
        return -1;
    }
    if (mode == MODE_KEEP)
        name_directory(spank);
    if (spank_get_item(spank, S_JOB_ARGV, &argument_count, &program) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_ENV, &environment) != ESPANK_SUCCESS || program == NULL || program[0] == NULL)
        return -1;
    if (is_of_several(argument_count, program)) {
        slurm_error("--mpilens knows no program of --multi-prog: put 'mpilens run' in front of each in its file");
        return -1;
    }
    char *lines = ask_run(command, program, environment);
    if (lines == NULL) {
        slurm_error("--mpilens: 'mpilens run --print' has failed for %s", program[0]);
        return -1;
    }
    set_variables(spank, lines);
    free(lines);
    return 0;
}

/* Returns only if it cannot. */
static void become_guarded(void)
{
    char command[PATH_MAX];
    char *arguments[MOST_ARGUMENTS + 1] = {"mpilens", "guard", "--"};
    size_t count = 3;
    size_t length = 0;
    sigset_t none;
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    char *line = file >= 0 ? read_all(file, &length) : NULL;
    if (file >= 0)
        close(file);
    for (size_t at = 0; line != NULL && at < length && count < MOST_ARGUMENTS; at += strlen(line + at) + 1)
        arguments[count++] = line + at;
    sigemptyset(&none);
    if (count > 3 && count < MOST_ARGUMENTS && find_command(command) && sigprocmask(SIG_SETMASK, &none, NULL) == 0)
        execv(command, arguments);
    slurm_error("--mpilens=guard: mpilens guard cannot be started; put it in front of srun");
    free(line);
}

/* In srun before it asks for anything: the command line starts again, below guard, which marks all that it starts. */
int slurm_spank_init_post_opt(spank_t spank, int count, char **words)
{
    (void)spank;
    (void)count;
    (void)words;
    if (spank_context() != S_CTX_LOCAL || mode != MODE_GUARD || getenv("MPILENS_GUARD") != NULL)
        return 0;
    become_guarded();
    return -1;
}

int slurm_spank_init(spank_t spank, int count, char **words)
{
    static char name[] = "mpilens";
    static char argument[] = "[keep|guard]";
    static char usage[] =
        "Make the ranks readable by mpilens; keep: and keep their black boxes; guard: and run srun below "
        "mpilens guard";
    static struct spank_option option = {
        .name = name, .arginfo = argument, .usage = usage, .has_arg = 2, .val = 0, .cb = take_option};
    (void)count;
    (void)words;
    if (spank_context() != S_CTX_LOCAL && spank_context() != S_CTX_REMOTE)
        return 0;
    return spank_option_register(spank, &option) == ESPANK_SUCCESS ? 0 : -1;
}
