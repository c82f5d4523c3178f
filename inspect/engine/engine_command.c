/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the command lines of engines.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The array always ends with NULL: it has one item more than count. */
static void add_word(struct engine_words *words, const char *word)
{
    size_t items = words->items != NULL ? words->count + 1 : 0;
    if (items == 0)
        words->items = arena_append(words->items, &items, sizeof *words->items);
    words->items[words->count++] = (char *)word; /* execvp() takes them so */
    words->items = arena_append(words->items, &items, sizeof *words->items);
}

void engine_words_add(struct engine_words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *word = NULL;
    if (vasprintf(&word, format, arguments) < 0)
        word = copy_text("");
    va_end(arguments);
    add_word(words, arena_take(word));
}

void engine_words_add_command(struct engine_words *words, const char *const *command)
{
    for (; *command != NULL; command++)
        add_word(words, arena_copy(*command));
}

bool is_plain_word(const char *word)
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || (word[length] != '\0' && strchr("/.,:@=+-_", word[length]) != NULL))
        length++;
    return length > 0 && word[length] == '\0';
}

/* 'it'\''s' */
static void write_quoted(FILE *stream, const char *word)
{
    if (is_plain_word(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

void engine_words_add_for_shell(struct engine_words *words, const char *const *command)
{
    FILE *stream = arena_open();
    for (size_t i = 0; command[i] != NULL; i++) {
        fputs(i > 0 ? " " : "", stream);
        write_quoted(stream, command[i]);
    }
    add_word(words, arena_close(stream));
}

/* One word at *line, without its quotes, into `word`, which has room; *line is behind it then. False: a quote does not
 * end. */
static bool split_word(const char **line, char *word)
{
    char quote = '\0';
    const char *next = *line;
    for (; *next != '\0' && (quote != '\0' || !isspace((unsigned char)*next)); next++) {
        if (*next == quote)
            quote = '\0';
        else if (quote == '\0' && (*next == '\'' || *next == '"'))
            quote = *next;
        else if (*next == '\\' && quote != '\'' && next[1] != '\0')
            *word++ = *++next;
        else
            *word++ = *next;
    }
    *word = '\0';
    *line = next;
    return quote == '\0';
}

int engine_words_split(struct engine_words *words, const char *line)
{
    char *word = allocate(strlen(line) + 1);
    struct engine_words found = {.count = 0};
    bool is_good = true;
    for (line += strspn(line, " \t\n"); is_good && *line != '\0'; line += strspn(line, " \t\n")) {
        is_good = split_word(&line, word);
        if (is_good)
            add_word(&found, arena_copy(word));
    }
    free(word);
    is_good = is_good && found.count > 0;
    for (size_t i = 0; is_good && i < found.count; i++)
        add_word(words, found.items[i]);
    return is_good ? 0 : -1;
}

void engine_plan_add(struct engine_plan *plan, struct engine_words *words, const char *host)
{
    plan->commands = arena_append(plan->commands, &plan->count, sizeof *plan->commands);
    plan->commands[plan->count - 1] =
        (struct engine_command){.arguments = words->items, .host = host != NULL ? arena_copy(host) : NULL};
    *words = (struct engine_words){.count = 0};
}
