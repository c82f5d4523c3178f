/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs another verb for a page of the full-screen view.
 */
#include "top/top_internal.h"

#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More is not shown. */
enum { MOST_BYTES = 1 << 24 };

static int start(struct top_command *command, const char *const *words, int terminal)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, terminal, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, terminal, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID); /* ^C is not for it */
    const int error = posix_spawn(&command->pid, "/proc/self/exe", &files, &attributes, (char *const *)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error == 0 ? 0 : -1;
}

int top_command_start(struct top_command *command, const char *const *words, size_t rows, size_t columns)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    struct termios modes = {.c_cflag = CS8 | CREAD}; /* without a carriage return at the ends of lines */
    int ours, theirs;
    top_command_end(command);
    if (openpty(&ours, &theirs, NULL, &modes, &size) != 0)
        return -1;
    fcntl(ours, F_SETFD, FD_CLOEXEC);
    fcntl(theirs, F_SETFD, FD_CLOEXEC);
    fcntl(ours, F_SETFL, O_NONBLOCK);
    const int result = start(command, words, theirs);
    close(theirs);
    if (result != 0) {
        close(ours);
        command->pid = 0;
        return -1;
    }
    command->output = ours;
    return 0;
}

static char *escape_lines(char *text)
{
    char *escaped = NULL;
    FILE *stream = open_text(&escaped);
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *shown = escaped_text(line);
        fprintf(stream, "%s%s", shown, text != NULL ? "\n" : "");
        free(shown);
    }
    fclose(stream);
    return escaped;
}

bool top_command_take(struct top_command *command, char **ret_text)
{
    char bytes[4096];
    ssize_t count;
    while ((count = read(command->output, bytes, sizeof bytes)) > 0) {
        if (command->length + (size_t)count >= MOST_BYTES)
            continue;
        size_t length = command->length;
        command->text = array_extend(command->text, &length, (size_t)count, 1);
        memcpy(command->text + command->length, bytes, (size_t)count);
        command->length = length;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    char *text = allocate(command->length + 1);
    if (command->length > 0)
        memcpy(text, command->text, command->length);
    *ret_text = escape_lines(text);
    free(text);
    waitpid(command->pid, NULL, 0);
    command->pid = 0;
    top_command_end(command);
    return true;
}

void top_command_end(struct top_command *command)
{
    if (command->pid > 0) {
        kill(command->pid, SIGTERM);
        waitpid(command->pid, NULL, 0);
    }
    if (command->output > 0)
        close(command->output);
    free(command->text);
    *command = (struct top_command){0};
}
