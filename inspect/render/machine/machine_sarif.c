/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SARIF 2.1.0 (OASIS), as code scanning of GitHub and editors read it.
 */
#include "render/machine/machine_internal.h"

#include "text/text.h"

#include <ctype.h>

/* The root of the checkout, which only the reader knows. */
static const char root_name[] = "%SRCROOT%";

static void write_message(struct json_stream *document, const char *name, const char *text)
{
    json_stream_open_object(document, name);
    json_stream_any_text(document, "text", text);
    json_stream_close(document);
}

/* "TagMismatch" of "tag-mismatch". */
static const char *camel_case(const char *kind)
{
    FILE *stream = arena_open();
    bool is_begin = true;
    for (; *kind != '\0'; kind++) {
        if (*kind != '-')
            fputc(is_begin ? toupper((unsigned char)*kind) : *kind, stream);
        is_begin = *kind == '-';
    }
    return arena_close(stream);
}

static void write_rule(struct json_stream *document, enum finding_kind kind)
{
    const struct finding_facts *facts = finding_kind_facts(kind);
    const char *help = arena_text("%s\n\nMPI standard (4.1): %s", facts->remedy, facts->standard);
    json_stream_open_object(document, NULL);
    json_stream_any_text(document, "id", facts->name);
    json_stream_any_text(document, "name", camel_case(facts->name));
    write_message(document, "shortDescription", facts->summary);
    write_message(document, "fullDescription", facts->meaning);
    json_stream_open_object(document, "help");
    json_stream_any_text(document, "text", help);
    json_stream_any_text(document, "markdown",
                         arena_text("%s\n\n%s\n\n```\n%s\n```\n", facts->meaning, help, facts->example));
    json_stream_close(document);
    json_stream_open_object(document, "defaultConfiguration");
    json_stream_any_text(document, "level", "error");
    json_stream_close(document);
    json_stream_close(document);
}

/* The kinds of the findings, each once. */
struct rules {
    enum finding_kind kinds[FINDING_KIND_COUNT];
    size_t count;
};

static size_t find_rule(const struct rules *rules, enum finding_kind kind)
{
    size_t number = 0;
    while (number < rules->count && rules->kinds[number] != kind)
        number++;
    return number;
}

static struct rules rules_of(const struct findings *findings)
{
    struct rules rules = {.count = 0};
    for (size_t i = 0; i < findings->count; i++)
        if (find_rule(&rules, findings->items[i].kind) == rules.count)
            rules.kinds[rules.count++] = findings->items[i].kind;
    return rules;
}

static void write_tool(struct json_stream *document, const struct rules *rules)
{
    json_stream_open_object(document, "tool");
    json_stream_open_object(document, "driver");
    json_stream_any_text(document, "name", "mpilens");
    json_stream_any_text(document, "version", MPILENS_VERSION);
    json_stream_open_array(document, "rules");
    for (size_t i = 0; i < rules->count; i++)
        write_rule(document, rules->kinds[i]);
    json_stream_close(document);
    json_stream_close(document);
    json_stream_close(document);
}

static void write_physical_place(struct json_stream *document, const struct machine_place *place)
{
    json_stream_open_object(document, "physicalLocation");
    json_stream_open_object(document, "artifactLocation");
    json_stream_any_text(document, "uri", machine_uri(place->path));
    if (place->path[0] != '/')
        json_stream_any_text(document, "uriBaseId", root_name);
    json_stream_close(document);
    if (place->line > 0) {
        json_stream_open_object(document, "region");
        json_stream_integer(document, "startLine", place->line);
        json_stream_close(document);
    }
    json_stream_close(document);
}

/* `id` 0, `text` NULL: it has none. */
static void write_place(struct json_stream *document, const struct machine_place *place, size_t id, const char *text)
{
    json_stream_open_object(document, NULL);
    if (id > 0)
        json_stream_integer(document, "id", (int64_t)id);
    if (place->path != NULL)
        write_physical_place(document, place);
    if (place->function != NULL) {
        json_stream_open_array(document, "logicalLocations");
        json_stream_open_object(document, NULL);
        json_stream_any_text(document, "name", machine_clean(place->function));
        json_stream_any_text(document, "kind", "function");
        json_stream_close(document);
        json_stream_close(document);
    }
    if (text != NULL)
        write_message(document, "message", machine_clean(text));
    json_stream_close(document);
}

static void write_result(struct json_stream *document, const struct machine_verdict *verdict, size_t number,
                         const struct rules *rules)
{
    const struct finding *finding = &verdict->findings->items[number];
    const struct machine_place place = machine_place_of_finding(verdict, finding, machine_root());
    json_stream_open_object(document, NULL);
    json_stream_any_text(document, "ruleId", finding_kind_name(finding->kind));
    json_stream_integer(document, "ruleIndex", (int64_t)find_rule(rules, finding->kind));
    json_stream_any_text(document, "level", "error");
    write_message(document, "message",
                  finding->remedy != NULL
                      ? arena_text("%s\nRemedy: %s", machine_clean(finding->message), machine_clean(finding->remedy))
                      : machine_clean(finding->message));
    json_stream_open_array(document, "locations");
    if (place.path != NULL)
        write_place(document, &place, 0, NULL);
    json_stream_close(document);
    json_stream_open_array(document, "relatedLocations");
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct machine_place there = machine_place_of_evidence(&finding->evidence.items[i], machine_root());
        write_place(document, &there, i + 1, machine_evidence(&finding->evidence.items[i], there.path == NULL));
    }
    json_stream_close(document);
    json_stream_open_object(document, "partialFingerprints");
    json_stream_any_text(document, "mpilensPlace/v1", machine_fingerprint(verdict, number));
    json_stream_close(document);
    json_stream_close(document);
}

/* How the run ended, and which ranks it does not know. */
static void write_invocation(struct json_stream *document, const struct machine_verdict *verdict)
{
    const char *unread = machine_unread(verdict);
    const char *const texts[] = {verdict->failure, unread};
    json_stream_open_array(document, "invocations");
    json_stream_open_object(document, NULL);
    json_stream_boolean(document, "executionSuccessful", true);
    json_stream_open_array(document, "toolExecutionNotifications");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] == NULL)
            continue;
        json_stream_open_object(document, NULL);
        json_stream_any_text(document, "level", "warning");
        write_message(document, "message", machine_clean(texts[i]));
        json_stream_close(document);
    }
    json_stream_close(document);
    json_stream_close(document);
    json_stream_close(document);
}

int machine_write_sarif(FILE *stream, const struct machine_verdict *verdict)
{
    struct json_stream document = {.file = stream};
    const struct rules rules = rules_of(verdict->findings);
    json_stream_open_object(&document, NULL);
    json_stream_any_text(&document, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_stream_any_text(&document, "version", "2.1.0");
    json_stream_open_array(&document, "runs");
    json_stream_open_object(&document, NULL);
    write_tool(&document, &rules);
    write_invocation(&document, verdict);
    json_stream_open_array(&document, "results");
    for (size_t i = 0; i < verdict->findings->count; i++)
        write_result(&document, verdict, i, &rules);
    json_stream_close(&document);
    json_stream_close(&document);
    json_stream_close(&document);
    json_stream_close(&document);
    return json_stream_finish(&document);
}
