/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps account of what hosts have answered.
 */
#include "gather/gather.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { STATUS_OF_MISSING_PROGRAM = 127 };

struct host_answers host_answers_begin(const struct host_list *hosts, const char *command)
{
    return (struct host_answers){.hosts = hosts,
                                 .index = host_index_make(hosts),
                                 .command = command,
                                 .items = allocate(hosts->count * sizeof(struct host_answer))};
}

void host_answers_clear(struct host_answers *answers)
{
    for (size_t i = 0; i < answers->hosts->count; i++) {
        free(answers->items[i].said_name);
        free(answers->items[i].reason);
    }
    free(answers->items);
    free(answers->reason);
    *answers = (struct host_answers){.hosts = NULL};
}

void host_answers_restart(struct host_answers *answers)
{
    for (size_t i = 0; i < answers->hosts->count; i++)
        answers->items[i].is_over = false;
}

static size_t find_host(const struct host_answers *answers, const char *name)
{
    return name != NULL ? host_index_find(&answers->index, name) : answers->hosts->count;
}

static void look_at_rounds(struct host_answer *answer, const struct part_reader *reader)
{
    struct reason reason;
    for (int round = 1; round <= MOST_ROUNDS; round++)
        if (!answer->has_answered[round - 1])
            answer->has_answered[round - 1] =
                part_reader_state(reader, answer->said_name, round, &reason) == PART_WHOLE;
}

/* Lines with the content of a part, which are many, tell nothing here. */
void host_answers_note_output(struct host_answers *answers, const char *host, const char *line,
                              const struct part_reader *reader)
{
    struct part_line found;
    size_t rest = 0;
    if (!part_line_find(line, strlen(line), &found, &rest) || found.word == PART_WORD_CONTENT)
        return;
    const size_t number = find_host(answers, host != NULL ? host : found.host);
    if (number == answers->hosts->count)
        return;
    struct host_answer *answer = &answers->items[number];
    if (answer->said_name == NULL)
        answer->said_name = copy_text(found.host);
    answer->is_ready = answer->is_ready || part_reader_is_ready(reader, answer->said_name, 1);
    answer->is_merged = answer->is_merged || found.word == PART_WORD_MERGED;
    look_at_rounds(answer, reader);
    if (found.word == PART_WORD_STATUS)
        answer->is_over = true;
}

void host_answers_note_part(struct host_answers *answers, const char *said_name, int round,
                            const struct part_reader *reader)
{
    const size_t number = find_host(answers, said_name);
    if (number < answers->hosts->count && answers->items[number].said_name != NULL) {
        answers->items[number].has_answered[round - 1] = true;
        return;
    }
    for (size_t i = 0; i < answers->hosts->count; i++)
        if (answers->items[i].said_name != NULL &&
            (answers->items[i].is_merged || strcmp(answers->items[i].said_name, said_name) == 0))
            look_at_rounds(&answers->items[i], reader);
}

/* The last of the lines that tell most. */
static void keep(char **reason, enum engine_reason_worth *worth, const char *line, const char *host,
                 const char *command)
{
    char *words = NULL;
    const enum engine_reason_worth found = engine_reason_of(line, host, command, &words);
    if (found == REASON_NONE || found < *worth) {
        free(words);
        return;
    }
    free(*reason);
    *reason = words;
    *worth = found;
}

void host_answers_note_error(struct host_answers *answers, const char *host, const char *line)
{
    const size_t number = host != NULL ? find_host(answers, host) : engine_reason_host(&answers->index, line);
    if (number == answers->hosts->count) {
        keep(&answers->reason, &answers->worth, line, NULL, answers->command);
        return;
    }
    struct host_answer *answer = &answers->items[number];
    keep(&answer->reason, &answer->worth, line, answers->hosts->names[number], answers->command);
}

void host_answers_note_end(struct host_answers *answers, const char *host, int status)
{
    const size_t number = find_host(answers, host);
    if (number == answers->hosts->count) {
        for (size_t i = 0; host == NULL && i < answers->hosts->count; i++)
            answers->items[i].is_over = true;
        return;
    }
    struct host_answer *answer = &answers->items[number];
    answer->is_over = true;
    if (answer->worth >= REASON_WORDS || !WIFEXITED(status) || WEXITSTATUS(status) != STATUS_OF_MISSING_PROGRAM)
        return;
    free(answer->reason);
    answer->reason = format_text("mpilens is not there: %s", answers->command);
    answer->worth = REASON_MISSING;
}

struct host_counts host_answers_count(const struct host_answers *answers, int round, bool until_ready)
{
    struct host_counts counts = {.done = 0};
    for (size_t i = 0; i < answers->hosts->count; i++) {
        const struct host_answer *answer = &answers->items[i];
        if (until_ready ? answer->is_ready : answer->has_answered[round - 1])
            counts.done++;
        else if (!answer->is_over)
            counts.pending++;
    }
    return counts;
}

bool host_answers_are_complete(const struct host_answers *answers)
{
    for (size_t i = 0; i < answers->hosts->count; i++) {
        const struct host_answer *answer = &answers->items[i];
        if (answer->has_answered[0] && !answer->has_answered[1] && !answer->is_over)
            return false;
    }
    return true;
}

char *host_answers_explain(const struct host_answers *answers, size_t host, const struct part_reader *reader, int round,
                           double waited_s)
{
    const struct host_answer *answer = &answers->items[host];
    struct reason reason = {.text = ""};
    const enum part_state state =
        answer->said_name != NULL ? part_reader_state(reader, answer->said_name, round, &reason) : PART_NOTHING;
    if (state == PART_FAILED || state == PART_TORN)
        return copy_text(reason.text);
    if (answer->worth >= REASON_WORDS)
        return copy_text(answer->reason);
    if (!answer->is_over)
        return format_text("nothing has come from it in %.3g s", waited_s);
    if (answers->worth >= REASON_WORDS)
        return copy_text(answers->reason);
    if (answer->reason != NULL)
        return copy_text(answer->reason);
    return copy_text(answers->reason != NULL ? answers->reason : "nothing has come from it");
}
