/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes paths relative, and names findings by their places.
 */
#include "render/machine/machine_internal.h"

#include "source/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *machine_here(void)
{
    char here[PATH_MAX];
    return getcwd(here, sizeof here) != NULL ? arena_copy(here) : "";
}

const char *machine_root(void)
{
    static const char *const variables[] = {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] == '/')
            return value;
    }
    return machine_here();
}

/* Appends a part of a path to `text`, or takes the last one away. */
static char *add_part(char *text, char *end, const char *part, size_t length, bool is_absolute)
{
    char *last = memrchr(text, '/', (size_t)(end - text));
    char *name = last != NULL ? last + 1 : text;
    const bool can_go_up = end > name && strcmp(name, "..") != 0;
    if (length == 0 || (length == 1 && part[0] == '.'))
        return end;
    if (length == 2 && strncmp(part, "..", length) == 0 && (can_go_up || is_absolute)) {
        end = last != NULL ? last : text;
        *end = '\0';
        return end;
    }
    if (end > text || is_absolute)
        *end++ = '/';
    end = mempcpy(end, part, length);
    *end = '\0';
    return end;
}

/* By its words only: links are not asked. */
static char *clean_path(const char *path)
{
    char *clean = allocate(strlen(path) + 2), *end = clean;
    *clean = '\0';
    for (const char *part = path; *part != '\0';) {
        const size_t length = strcspn(part, "/");
        end = add_part(clean, end, part, length, path[0] == '/');
        part += length + (part[length] == '/');
    }
    return clean;
}

const char *machine_path(const char *path, const char *root)
{
    char *clean = clean_path(path), *clean_root = clean_path(root);
    const size_t length = strlen(clean_root);
    const bool is_below =
        path[0] == '/' && length > 1 && strncmp(clean, clean_root, length) == 0 && clean[length] == '/';
    const char *result = arena_copy(is_below ? clean + length + 1 : clean);
    free(clean_root);
    free(clean);
    return result;
}

const char *machine_uri(const char *path)
{
    static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    FILE *stream = arena_open();
    fputs(path[0] == '/' ? "file://" : "", stream);
    for (; *path != '\0'; path++)
        if (strchr(kept, *path) != NULL)
            fputc(*path, stream);
        else
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*path);
    return arena_close(stream);
}

struct machine_place machine_place_of_evidence(const struct evidence *evidence, const char *root)
{
    const struct site *site = &evidence->place.site;
    if (!source_has_line(evidence))
        return (struct machine_place){.line = 0};
    return (struct machine_place){
        .path = machine_path(site->path, root), .line = site->line, .function = site->function};
}

static const char *find_executable(const struct job *job, const struct finding *finding)
{
    const struct ranks *ranks = finding->culprits.count > 0 ? &finding->culprits : &finding->ranks;
    const struct process *process = ranks->count > 0 ? find_process(job, ranks->items[0]) : NULL;
    return process != NULL ? process->executable : NULL;
}

struct machine_place machine_place_of_finding(const struct machine_verdict *verdict, const struct finding *finding,
                                              const char *root)
{
    const struct evidence *evidence = source_main_evidence(finding);
    if (evidence != NULL)
        return machine_place_of_evidence(evidence, root);
    const char *executable = find_executable(verdict->job, finding);
    return (struct machine_place){.path = executable != NULL ? machine_path(executable, root) : NULL};
}

/* FNV-1a. */
static uint64_t hash(uint64_t value, const char *text)
{
    static const uint64_t prime = 0x100000001b3;
    do
        value = (value ^ (unsigned char)*text) * prime;
    while (*text++ != '\0');
    return value;
}

static uint64_t hash_of(const struct machine_verdict *verdict, const struct finding *finding)
{
    static const uint64_t beginning = 0xcbf29ce484222325;
    const struct machine_place place = machine_place_of_finding(verdict, finding, machine_root());
    struct redaction *redaction = verdict->options->redaction;
    uint64_t value = hash(beginning, finding_kind_name(finding->kind));
    /* A hash of a redacted name could be found by trying. */
    const char *path = place.path == NULL  ? ""
                       : redaction == NULL ? place.path
                                           : redaction_apply(redaction, REDACTED_TEXT, machine_uri(place.path));
    value = hash(value, path);
    value = hash(value, place.function != NULL ? place.function : "");
    return hash(value, arena_text("%d", place.line));
}

const char *machine_fingerprint(const struct machine_verdict *verdict, size_t number)
{
    const uint64_t own = hash_of(verdict, &verdict->findings->items[number]);
    size_t equal = 0;
    for (size_t i = 0; i < number; i++)
        equal += hash_of(verdict, &verdict->findings->items[i]) == own;
    return arena_text("%016llx", (unsigned long long)(equal > 0 ? hash(own, arena_text("%zu", equal)) : own));
}
