/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells the CI that this is a job of what was found.
 */
#include "render/machine/machine_internal.h"

#include "file/file.h"
#include "text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The artifact that a job of GitLab names. */
static const char report_name[] = "mpilens-code-quality.json";

static bool is_set_to(const char *variable, const char *wanted)
{
    const char *value = getenv(variable);
    return value != NULL && strcmp(value, wanted) == 0;
}

static int write_whole(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t part = write(file, text, bytes);
        if (part < 0 && errno != EINTR)
            return -1;
        text += part > 0 ? part : 0;
        bytes -= part > 0 ? (size_t)part : 0;
    }
    return 0;
}

static int add_summary(const char *path, const struct machine_verdict *verdict, struct reason *ret_reason)
{
    int file;
    FILE *stream = arena_open();
    fputc('\n', stream); /* whatever stands there ends */
    machine_write_markdown(stream, verdict);
    const char *text = arena_close(stream);
    if (appended_file_open(path, &file, ret_reason) != 0)
        return -1;
    int result = write_whole(file, text, strlen(text));
    const int error = errno;
    if (close(file) != 0 || result != 0)
        result = reason_set(ret_reason, "%s: cannot be written: %s", path, strerror(result != 0 ? error : errno));
    return result;
}

static void tell_github(FILE *stream, const struct machine_verdict *verdict, bool has_annotations)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    struct reason reason;
    if (!has_annotations)
        machine_write_github(stream, verdict);
    if (summary != NULL && summary[0] != '\0' && add_summary(summary, verdict, &reason) != 0)
        print_line(stream, "mpilens: no summary: %s", reason.text);
}

static void tell_gitlab(FILE *stream, const struct machine_verdict *verdict)
{
    struct reason reason;
    const struct machine_file file = {.format = machine_format_find("gitlab"),
                                      .path = arena_text("%s/%s", machine_root(), report_name)};
    if (machine_file_write(&file, file.path, verdict, &reason) == 0)
        print_line(stream, "mpilens: wrote %s, for artifacts:reports:codequality", report_name);
    else
        print_line(stream, "mpilens: no Code Quality report: %s", reason.text);
}

void machine_ci_tell(FILE *stream, const struct machine_verdict *verdict, bool has_annotations)
{
    if ((verdict->findings->count == 0 && verdict->failure == NULL) || is_set_to("MPILENS_CI", "none"))
        return;
    if (is_set_to("GITHUB_ACTIONS", "true"))
        tell_github(stream, verdict, has_annotations);
    else if (is_set_to("GITLAB_CI", "true"))
        tell_gitlab(stream, verdict);
}
