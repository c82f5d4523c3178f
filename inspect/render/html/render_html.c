/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills the page's template.
 */

#include "base/base.h"
#include "file/file.h"
#include "render/html/render_html_internal.h"
#include "render/text/render_text.h"
#include "text/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The text form's heading of the job. */
static void write_job(FILE *stream, const struct job *job)
{
    const struct render_options plain = {.color = false};
    FILE *header = arena_open();
    render_header(header, job, &plain);
    const char *text = arena_close(header);
    html_write_text(stream, arena_text("%.*s", (int)strcspn(text, "\n"), text));
}

static void write_title(FILE *stream, const struct analysis *analysis)
{
    fputs(analysis->findings.count > 0 ? finding_kind_name(analysis->findings.items[0].kind) : "nothing wrong found",
          stream);
}

struct page {
    const struct job *job;
    const struct analysis *analysis;
    const struct render_options *options;
    const struct communicator_labels *labels;
    const struct picture *picture;
    const struct page_strip *strip;
};

/* Without its script, the page is loaded again by the browser. */
static void write_again(FILE *stream, const struct render_options *options)
{
    if (options->again_s > 0)
        fprintf(stream, "<noscript><meta http-equiv=\"refresh\" content=\"%.0f\"></noscript>",
                options->again_s < 1 ? 1 : options->again_s);
}

static bool is_called(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && strncmp(name, wanted, length) == 0;
}

static void fill_in(FILE *stream, const struct page *page, const char *name, size_t length)
{
    if (is_called(name, length, "title"))
        write_title(stream, page->analysis);
    else if (is_called(name, length, "job"))
        write_job(stream, page->job);
    else if (is_called(name, length, "again"))
        write_again(stream, page->options);
    else if (is_called(name, length, "facts"))
        html_write_facts(stream, page->job, page->options);
    else if (is_called(name, length, "strip"))
        html_write_strip(stream, page->strip);
    else if (is_called(name, length, "verdict"))
        html_write_verdict(stream, page->job, page->analysis, page->options);
    else if (is_called(name, length, "graph"))
        html_write_graph(stream, page->picture);
    else if (is_called(name, length, "stacks"))
        html_write_stacks(stream, page->job, page->options);
    else if (is_called(name, length, "history"))
        html_write_history(stream, page->job, page->analysis, page->labels, page->options);
    else if (is_called(name, length, "data"))
        html_write_data(stream, page->job, page->labels, page->picture, page->strip, page->options);
}

/* With names replaced, if that is wanted. */
static void write_part(FILE *stream, const struct page *page, const char *name, size_t length)
{
    struct redaction *redaction = page->options->redaction;
    if (redaction == NULL) {
        fill_in(stream, page, name, length);
        return;
    }
    FILE *part = arena_open();
    fill_in(part, page, name, length);
    fputs(
        redaction_apply(redaction, is_called(name, length, "data") ? REDACTED_JSON : REDACTED_HTML, arena_close(part)),
        stream);
}

static int write_page(FILE *stream, const struct page *page)
{
    static const char opening[] = "<!--[", closing[] = "]-->";
    const char *at = page_template;
    for (const char *mark = strstr(at, opening); mark != NULL; mark = strstr(at, opening)) {
        fwrite(at, 1, (size_t)(mark - at), stream);
        const char *name = mark + strlen(opening);
        const char *end = strstr(name, closing);
        if (end == NULL)
            break;
        write_part(stream, page, name, (size_t)(end - name));
        at = end + strlen(closing);
    }
    fputs(at, stream);
    return finish_output(stream);
}

int render_why_page(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options)
{
    struct communicator_labels labels = label_communicators(job);
    struct picture picture = picture_make(job, analysis, &labels);
    struct page_strip strip = page_strip_make(job, analysis);
    const struct page page = {
        .job = job, .analysis = analysis, .options = options, .labels = &labels, .picture = &picture, .strip = &strip};
    const int result = write_page(stream, &page);
    return result;
}

int render_why_html(const char *path, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options, struct reason *ret_reason)
{
    const bool is_file = strcmp(path, "-") != 0;
    struct output_file file;
    if (is_file && output_file_create(path, OUTPUT_MODE_OF_UMASK, &file, ret_reason) != 0)
        return -1;
    FILE *stream = is_file ? file_open_stream(file.descriptor, "w") : stdout;
    if (stream == NULL) {
        output_file_discard(&file);
        return reason_set(ret_reason, "%s: cannot be written: %s", path, strerror(errno));
    }
    int result = render_why_page(stream, job, analysis, options);
    int error = errno;
    if (is_file && fclose(stream) != 0 && result == 0) {
        error = errno;
        result = -1;
    }
    if (result != 0)
        reason_set(ret_reason, "%s: cannot be written: %s", path, strerror(error));
    if (is_file && result == 0)
        return output_file_finish(&file, ret_reason);
    if (is_file)
        output_file_discard(&file);
    return result;
}
