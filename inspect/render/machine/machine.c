/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of formats.
 */
#include "render/machine/machine_internal.h"

#include "file/file.h"
#include "render/html/render_html.h"
#include "render/json/render_json.h"
#include "text/text.h"

#include <errno.h>
#include <string.h>

static int write_text(FILE *stream, const struct machine_verdict *verdict)
{
    if (verdict->findings->count == 0 && verdict->failure != NULL) {
        print_line(stream, "%s", verdict->failure);
        return 0;
    }
    return verdict->analysis == NULL
               ? render_leaks_text(stream, verdict->job, verdict->leaks, verdict->findings, verdict->options)
               : render_why_text(stream, verdict->job, verdict->analysis, verdict->options);
}

static int write_json(FILE *stream, const struct machine_verdict *verdict)
{
    return verdict->analysis == NULL
               ? render_leaks_json(stream, verdict->job, verdict->leaks, verdict->findings, verdict->options)
               : render_why_json(stream, verdict->job, verdict->analysis, verdict->options);
}

static const struct machine_format formats[] = {
    {"text", ".txt", "for people", write_text},
    {"json", ".json", "one document, schema mpilens/1", write_json},
    {"gcc", NULL, "as a compiler's messages, for editors", machine_write_gcc},
    {"github", NULL, "annotations of GitHub Actions", machine_write_github},
    {"gitlab", NULL, "a Code Quality report of GitLab", machine_write_gitlab},
    {"sarif", ".sarif", "SARIF 2.1.0, for code scanning", machine_write_sarif},
    {"junit", ".xml", "a test result of JUnit", machine_write_junit},
    {"markdown", ".md", "for a ticket", machine_write_markdown},
    {"html", ".html", "the page", NULL},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static const struct machine_format *find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

const struct machine_format *machine_format_find(const char *name)
{
    const struct machine_format *format = find(name);
    return format != NULL && format->write != NULL ? format : NULL;
}

const char *machine_format_names(void)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].write != NULL)
            fprintf(stream, "%s%s", i == 0 ? "" : ", ", formats[i].name);
    return arena_close(stream);
}

const char *machine_file_suffixes(void)
{
    FILE *stream = arena_open();
    bool is_first = true;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i].suffix == NULL)
            continue;
        fprintf(stream, "%s%s", is_first ? "" : ", ", formats[i].suffix);
        is_first = false;
    }
    return arena_close(stream);
}

int machine_file_parse(const char *text, struct machine_file *ret_file, struct reason *ret_reason)
{
    const char *colon = strchr(text, ':');
    const struct machine_format *named = colon != NULL ? find(arena_text("%.*s", (int)(colon - text), text)) : NULL;
    const char *path = named != NULL ? colon + 1 : text;
    const size_t length = strlen(path);
    *ret_file = (struct machine_file){.format = named, .path = path};
    for (size_t i = 0; i < FORMAT_COUNT && ret_file->format == NULL; i++) {
        const size_t bytes = formats[i].suffix != NULL ? strlen(formats[i].suffix) : 0;
        if (bytes > 0 && length > bytes && strcmp(path + length - bytes, formats[i].suffix) == 0)
            ret_file->format = &formats[i];
    }
    if (ret_file->format == NULL)
        return reason_set(ret_reason, "'%s' has none of the suffixes %s: name a format, as in junit:%s", text,
                          machine_file_suffixes(), text);
    if (length == 0)
        return reason_set(ret_reason, "'%s' names no file", text);
    return 0;
}

int machine_write(FILE *stream, const struct machine_format *format, const struct machine_verdict *verdict)
{
    return format->write(stream, verdict) == 0 ? finish_output(stream) : -1;
}

int machine_file_write(const struct machine_file *file, const char *path, const struct machine_verdict *verdict,
                       struct reason *ret_reason)
{
    struct render_options options = *verdict->options;
    struct machine_verdict plain = *verdict;
    struct output_file output;
    options.color = false;
    plain.options = &options;
    if (file->format->write == NULL)
        return render_why_html(path, verdict->job, verdict->analysis, &options, ret_reason);
    if (output_file_create(path, OUTPUT_MODE_OF_UMASK, &output, ret_reason) != 0)
        return -1;
    FILE *stream = file_open_stream(output.descriptor, "w");
    int result = stream != NULL ? machine_write(stream, file->format, &plain) : -1;
    int error = errno;
    if (stream != NULL && fclose(stream) != 0) {
        result = -1;
        error = errno;
    }
    if (result == 0)
        return output_file_finish(&output, ret_reason);
    output_file_fail(&output, error, ret_reason);
    output_file_discard(&output);
    return -1;
}
