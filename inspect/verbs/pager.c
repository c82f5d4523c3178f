/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long output on a terminal goes through a pager, as git does it.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* While output is kept back. */
static int terminal = -1, kept = -1;
static struct winsize size;

/* NULL: none is wanted. */
static const char *choose_pager(void)
{
    const char *own = getenv("MPILENS_PAGER"), *common = getenv("PAGER");
    const char *pager = own != NULL ? own : common != NULL ? common : "less";
    return pager[0] == '\0' || strcmp(pager, "cat") == 0 ? NULL : pager;
}

void pager_begin(void)
{
    static bool was_begun;
    if (terminal >= 0 || choose_pager() == NULL || !obeys_escapes(stdout) || !isatty(STDIN_FILENO) ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return;
    fflush(stdout);
    kept = memfd_create("mpilens.output", MFD_CLOEXEC);
    terminal = kept >= 0 ? dup(STDOUT_FILENO) : -1;
    if (terminal < 0 || dup2(kept, STDOUT_FILENO) < 0)
        return;
    terminal_width_keep(size.ws_col);
    if (!was_begun)
        atexit(pager_end); /* for who ends the command in between */
    was_begun = true;
}

static bool is_long(void)
{
    char bytes[4096];
    size_t lines = 0;
    ssize_t count;
    lseek(kept, 0, SEEK_SET);
    while ((count = read(kept, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < count; i++)
            lines += bytes[i] == '\n';
    return lines >= size.ws_row;
}

static void copy_to_terminal(void)
{
    char bytes[4096];
    ssize_t count;
    lseek(kept, 0, SEEK_SET);
    while ((count = read(kept, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0, part; done < count; done += part)
            if ((part = write(STDOUT_FILENO, bytes + done, (size_t)(count - done))) < 0)
                return;
}

/* Whether the pager was there; the user may have left it early. */
static bool run_pager(const char *pager)
{
    enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };
    char *const words[] = {"sh", "-c", (char *)pager, NULL};
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = 0;
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    lseek(kept, 0, SEEK_SET);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, kept, STDIN_FILENO);
    const int error = posix_spawn(&pid, "/bin/sh", &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        return false;
    void (*const before)(int) = signal(SIGINT, SIG_IGN); /* ^C is for the pager */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    signal(SIGINT, before);
    return !WIFEXITED(status) || (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_EXECUTABLE);
}

void pager_end(void)
{
    if (terminal < 0)
        return;
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    terminal = -1;
    terminal_width_keep(0);
    if (!is_long() || !run_pager(choose_pager()))
        copy_to_terminal();
    close(kept);
}
