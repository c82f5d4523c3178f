/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Command lines of engines, word by word: no shell of ours ever reads them.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_COMMAND_H
#define MPILENS_INSPECT_ENGINE_ENGINE_COMMAND_H

#include "engine/engine.h"

/* Words of a command line that ends with NULL. Zero-initialised is empty. */
struct engine_words {
    char **items;
    size_t count;
};

/* Adds a word; it is formatted. */
__attribute__((format(printf, 2, 3))) void engine_words_add(struct engine_words *words, const char *format, ...);
/* Adds each word of a command as it is. */
void engine_words_add_command(struct engine_words *words, const char *const *command);
/* Adds all of a command as one word that a shell takes apart into the words again. */
void engine_words_add_for_shell(struct engine_words *words, const char *const *command);
/* Splits a line as a shell does, with blanks, '...', "..." and \, and expands nothing. 0, or -1: a quote has no end, or
 * there are no words; then nothing was added. */
int engine_words_split(struct engine_words *words, const char *line);
void engine_words_clear(struct engine_words *words);

/* Whether it is the same to a shell with and without quotes. */
bool is_plain_word(const char *word);

/* Appends a command; the words become its own. `host`: the only one that it reaches; NULL: several. */
void engine_plan_add(struct engine_plan *plan, struct engine_words *words, const char *host);

#endif
