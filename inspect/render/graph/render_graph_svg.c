/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Draws the SVG with Graphviz. It is run as a program, not linked: its library would come into every start of the
 * command, with plug-ins and fonts of its own.
 */

#include "base/base.h"
#include "file/file.h"
#include "render/graph/render_graph_internal.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The source in a file without a name, to be read from its beginning; -1: errno. */
static int make_source(const struct picture *picture)
{
    const int descriptor = memfd_create("mpilens.dot", MFD_CLOEXEC);
    FILE *stream = file_open_stream(descriptor, "w");
    int result = stream != NULL ? picture_write_source(stream, picture, true) : -1;
    if (stream != NULL)
        result = fclose(stream) == 0 ? result : -1;
    if (result == 0 && lseek(descriptor, 0, SEEK_SET) == 0)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* 0, or an error number. */
static int start(int source, int drawing, int messages, pid_t *ret_pid)
{
    char program[] = "dot", format[] = "-Tsvg";
    char *const arguments[] = {program, format, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    if ((error = posix_spawn_file_actions_adddup2(&actions, source, STDIN_FILENO)) == 0 &&
        (error = posix_spawn_file_actions_adddup2(&actions, drawing, STDOUT_FILENO)) == 0 &&
        (error = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)) == 0)
        error = posix_spawnp(ret_pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* All that stands in the file; the caller frees it. NULL: it cannot be read. */
static char *read_all(int descriptor)
{
    const off_t bytes = lseek(descriptor, 0, SEEK_END);
    if (bytes < 0)
        return NULL;
    char *text = allocate((size_t)bytes + 1);
    off_t done = 0;
    while (done < bytes) {
        const ssize_t got = pread(descriptor, text + done, (size_t)(bytes - done), done);
        if (got <= 0) {
            free(text);
            return NULL;
        }
        done += got;
    }
    return text;
}

static int finish(pid_t pid, int drawing, int messages, char **ret_drawing, struct reason *ret_reason)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return reason_set(ret_reason, "dot of Graphviz cannot be waited for: %s", strerror(errno));
    char *said = read_all(messages);
    char *svg = read_all(drawing);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && svg != NULL && strstr(svg, "<svg") != NULL) {
        free(said);
        *ret_drawing = svg;
        return 0;
    }
    if (said != NULL)
        said[strcspn(said, "\n")] = '\0';
    reason_set(ret_reason, "dot of Graphviz has failed%s%s", said != NULL && said[0] != '\0' ? ": " : "",
               said != NULL ? said : "");
    free(said);
    free(svg);
    return -1;
}

/* The drawing, in which places stand for texts; the caller frees it. */
static int draw_places(const struct picture *picture, char **ret_drawing, struct reason *ret_reason)
{
    const int source = make_source(picture);
    const int drawing = memfd_create("mpilens.svg", MFD_CLOEXEC);
    const int messages = memfd_create("mpilens.messages", MFD_CLOEXEC);
    int result;
    if (source < 0 || drawing < 0 || messages < 0) {
        result = reason_set(ret_reason, "no memory for the graph: %s", strerror(errno));
    } else {
        pid_t pid;
        const int error = start(source, drawing, messages, &pid);
        if (error == ENOENT)
            result = reason_set(ret_reason, "Graphviz is not installed: its program dot, which draws, is not there "
                                            "(--dot writes the graph without it)");
        else if (error != 0)
            result = reason_set(ret_reason, "dot of Graphviz cannot be started: %s", strerror(error));
        else
            result = finish(pid, drawing, messages, ret_drawing, ret_reason);
    }
    if (source >= 0)
        close(source);
    if (drawing >= 0)
        close(drawing);
    if (messages >= 0)
        close(messages);
    return result;
}

int picture_draw(const struct picture *picture, const char **ret_svg, struct reason *ret_reason)
{
    char *drawing = NULL;
    if (draw_places(picture, &drawing, ret_reason) != 0)
        return -1;
    const char *svg = fill_places(drawing, picture);
    free(drawing);
    if (svg == NULL)
        return reason_set(ret_reason, "dot of Graphviz has drawn something else than what was asked for");
    *ret_svg = svg;
    return 0;
}
