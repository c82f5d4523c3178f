/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The Code Quality report of GitLab: a list of issues, of which each has a place.
 */
#include "render/machine/machine_internal.h"

#include "text/text.h"

/* GitLab leaves out issues without a place. */
static void write_place(struct json_stream *document, const struct machine_place *place)
{
    json_stream_open_object(document, "location");
    json_stream_any_text(document, "path", place->path != NULL ? machine_clean(place->path) : "mpilens");
    json_stream_open_object(document, "lines");
    json_stream_integer(document, "begin", place->line > 0 ? place->line : 1);
    json_stream_close(document);
    json_stream_close(document);
}

static void write_issue(struct json_stream *document, const struct machine_verdict *verdict, size_t number)
{
    const struct finding *finding = &verdict->findings->items[number];
    const struct machine_place place = machine_place_of_finding(verdict, finding, machine_root());
    json_stream_open_object(document, NULL);
    json_stream_any_text(document, "description",
                         machine_clean(finding->remedy != NULL
                                           ? arena_text("%s; remedy: %s", machine_headline(finding), finding->remedy)
                                           : machine_headline(finding)));
    json_stream_any_text(document, "check_name", arena_text("mpilens/%s", finding_kind_name(finding->kind)));
    json_stream_any_text(document, "fingerprint", machine_fingerprint(verdict, number));
    json_stream_any_text(document, "severity", "critical");
    write_place(document, &place);
    json_stream_close(document);
}

int machine_write_gitlab(FILE *stream, const struct machine_verdict *verdict)
{
    struct json_stream document = {.file = stream};
    json_stream_open_array(&document, NULL);
    for (size_t i = 0; i < verdict->findings->count; i++)
        write_issue(&document, verdict, i);
    json_stream_close(&document);
    return json_stream_finish(&document);
}
