/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A test result of JUnit. The job is one test, named by its command: readers compare tests by their names from run to
 * run, so the same test must pass when the fault is gone. A test has one failure, the first finding; its text has all.
 */
#include "render/machine/machine_internal.h"

#include "text/text.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static void write_attribute(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, " %s=\"", name);
    html_write_text(stream, text);
    fputc('"', stream);
}

static void write_lines(FILE *stream, const char *text)
{
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        html_write_text(stream, arena_text("%.*s", (int)strcspn(text, "\n"), text));
        fputc('\n', stream);
    }
}

static void write_element(FILE *stream, const char *element, const char *type, const char *message, const char *text)
{
    fprintf(stream, "      <%s", element);
    write_attribute(stream, "type", type);
    write_attribute(stream, "message", message);
    fputs(">\n", stream);
    write_lines(stream, text);
    fprintf(stream, "      </%s>\n", element);
}

static void write_suite(FILE *stream, size_t failures, size_t errors, const char *time_text)
{
    enum { MOST_NAME = 256 };
    char host[MOST_NAME] = "", stamp[sizeof "2000-01-01T00:00:00"] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        strcpy(host, "localhost");
    if (gmtime_r(&now, &utc) != NULL)
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
    fputs("  <testsuite id=\"0\" package=\"mpilens\" name=\"mpilens\"", stream);
    write_attribute(stream, "hostname", host);
    write_attribute(stream, "timestamp", stamp);
    fprintf(stream, " tests=\"1\" failures=\"%zu\" errors=\"%zu\"", failures, errors);
    write_attribute(stream, "time", time_text);
    fputs(">\n    <properties/>\n", stream);
}

int machine_write_junit(FILE *stream, const struct machine_verdict *verdict)
{
    const struct findings *findings = verdict->findings;
    const char *seconds = arena_text("%.3f", verdict->elapsed_s >= 0 ? verdict->elapsed_s : 0.0);
    const char *unread = machine_unread(verdict);
    const bool has_error = findings->count == 0 && verdict->failure != NULL;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", stream);
    write_suite(stream, findings->count > 0, has_error, seconds);
    fputs("    <testcase", stream);
    write_attribute(stream, "classname", arena_text("mpilens.%s", verdict->verb));
    write_attribute(stream, "name", machine_name(verdict));
    write_attribute(stream, "time", seconds);
    fputs(">\n", stream);
    if (findings->count > 0)
        write_element(stream, "failure", finding_kind_name(findings->items[0].kind),
                      machine_headline(&findings->items[0]), machine_plain_text(verdict));
    else if (has_error)
        write_element(stream, "error", "run", verdict->failure, verdict->failure);
    fputs("    </testcase>\n    <system-out>", stream);
    html_write_text(stream, findings->count == 0 ? machine_outcome(verdict) : "");
    fputs("</system-out>\n    <system-err>", stream);
    html_write_text(stream, unread != NULL ? unread : "");
    fputs("</system-err>\n  </testsuite>\n</testsuites>\n", stream);
    return 0;
}
