/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes messages of ssh, clush, pdsh and srun apart.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_of_name(char character)
{
    return isalnum((unsigned char)character) || (character != '\0' && strchr(".-_", character) != NULL);
}

size_t engine_reason_host(const struct host_index *hosts, const char *line)
{
    char word[MOST_HOST_NAME_BYTES + 1];
    for (const char *next = line; *next != '\0';) {
        size_t length = 0;
        while (is_of_name(next[length]))
            length++;
        size_t name = length;
        while (name > 0 && next[name - 1] == '.') /* the end of a sentence */
            name--;
        if (name > 0 && name < sizeof word) {
            memcpy(word, next, name);
            word[name] = '\0';
            const size_t host = host_index_find(hosts, word);
            if (host < hosts->list->count)
                return host;
        }
        next += length > 0 ? length : 1;
    }
    return hosts->list->count;
}

/* Behind "word: " if the line begins so; the word ends with `host`, as in "pdsh@n1: " and "user@n3: ". */
static const char *skip_label(const char *line, const char *host)
{
    const char *colon = strstr(line, ": ");
    const size_t bytes = host != NULL ? strlen(host) : 0;
    if (colon == NULL || memchr(line, ' ', (size_t)(colon - line)) != NULL)
        return line;
    const bool is_host = bytes > 0 && (size_t)(colon - line) >= bytes && strncmp(colon - bytes, host, bytes) == 0;
    static const char *const engines[] = {"clush", "pdsh@", "srun", "slurmstepd", "error", "fatal"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (strncmp(line, engines[i], strlen(engines[i])) == 0)
            return colon + 2;
    return is_host ? colon + 2 : line;
}

static const char *skip_labels(const char *line, const char *host)
{
    for (const char *next = skip_label(line, host); next != line; next = skip_label(line, host))
        line = next;
    if (strncmp(line, "task ", 5) == 0 && strstr(line, ": ") != NULL)
        line = strstr(line, ": ") + 2; /* "task 2: " and "tasks 0-1: " of srun */
    return line;
}

static bool is_status_only(const char *line)
{
    static const char *const signs[] = {"exited with exit code", "Exited with exit code", "Terminated",
                                        "Job step aborted", "Killed by signal"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(line, signs[i]) != NULL)
            return true;
    return false;
}

/* Knows the messages of shells, srun and execve(2). */
static bool is_missing_program(const char *line, const char *command)
{
    return strstr(line, command) != NULL &&
           (strstr(line, "No such file or directory") != NULL || strstr(line, "not found") != NULL);
}

enum engine_reason_worth engine_reason_of(const char *line, const char *host, const char *command, char **ret_reason)
{
    const char *text = skip_labels(line, host);
    if (text[strspn(text, " \t")] == '\0')
        return REASON_NONE;
    if (is_missing_program(text, command)) {
        *ret_reason = format_text("mpilens is not there: %s", command);
        return REASON_MISSING;
    }
    if (is_status_only(text)) {
        *ret_reason = copy_text(text);
        return REASON_STATUS;
    }
    static const char *const long_winded[] = {"ssh: connect to host ", "ssh: Could not resolve hostname "};
    for (size_t i = 0; i < sizeof long_winded / sizeof *long_winded; i++) {
        const char *colon = strstr(text + (strncmp(text, "ssh: ", 5) == 0 ? 5 : 0), ": ");
        if (strncmp(text, long_winded[i], strlen(long_winded[i])) != 0 || colon == NULL)
            continue;
        *ret_reason = format_text("ssh: %s", colon + 2);
        return REASON_WORDS;
    }
    *ret_reason = copy_text(text);
    return REASON_WORDS;
}
