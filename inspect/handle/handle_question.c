/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses questions of the command line and of files.
 */
#include "handle/handle.h"

#include "base/base.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINE_BYTES = 1023 };

static const char blanks[] = " ";

void handle_question_add_reason(struct handle_question *question, const struct reason *reason)
{
    for (size_t i = 0; i < question->reason_count; i++)
        if (strcmp(question->reasons[i].text, reason->text) == 0)
            return;
    question->reasons = array_append(question->reasons, &question->reason_count, sizeof *question->reasons);
    question->reasons[question->reason_count - 1] = *reason;
}

static struct handle_question *append(struct handle_questions *questions)
{
    questions->items = array_append(questions->items, &questions->count, sizeof *questions->items);
    struct handle_question *question = &questions->items[questions->count - 1];
    question->query.language = questions->language;
    question->status = EXIT_UNREADABLE;
    return question;
}

int handle_questions_add(struct handle_questions *questions, char *const words[], size_t count,
                         struct reason *ret_reason)
{
    struct handle_query query = {.language = questions->language};
    if (handle_parse_query(words, count, questions->target, &query, ret_reason) != 0)
        return -1;
    append(questions)->query = query;
    return 0;
}

static int take_ranks(struct handle_question *question, const char *text, struct reason *ret_reason)
{
    if (text == NULL || rank_set_parse(&question->ranks, text) != 0)
        return reason_set(ret_reason, "--rank takes ranks such as 0,4-7, not '%s'", text != NULL ? text : "");
    question->rank_text = text;
    return 0;
}

/* `rest` is what strtok_r() has left of the words. */
static int take_option(struct handle_question *question, const char *word, char **rest, struct reason *ret_reason)
{
    if (strcmp(word, "--rank") == 0 || strcmp(word, "-r") == 0)
        return take_ranks(question, strtok_r(NULL, blanks, rest), ret_reason);
    if (strncmp(word, "--rank=", strlen("--rank=")) == 0)
        return take_ranks(question, word + strlen("--rank="), ret_reason);
    if (strcmp(word, "--fortran") != 0)
        return reason_set(ret_reason, "a question has no option '%s'; there are --fortran and --rank RANKS", word);
    question->query.language = MPILENS_HANDLE_FORTRAN;
    return 0;
}

static int parse_words(struct handle_question *question, const char *target, struct reason *ret_reason)
{
    char *rest = NULL;
    char *operands[2];
    size_t count = 0;
    for (char *word = strtok_r(question->words, blanks, &rest); word != NULL; word = strtok_r(NULL, blanks, &rest)) {
        uint64_t value;
        if (word[0] == '-' && !handle_parse_value(word, &value)) {
            if (take_option(question, word, &rest, ret_reason) != 0)
                return -1;
        } else if (count++ < 2) {
            operands[count - 1] = word;
        }
    }
    if (count < 1 || count > 2)
        return reason_set(ret_reason, "give a kind and a value, or a name: 'comm 0x84000002'");
    return handle_parse_query(operands, count, target, &question->query, ret_reason);
}

/* Takes the text. */
static void add_line(struct handle_questions *questions, char *text, size_t line, bool is_cut)
{
    struct reason reason;
    struct handle_question *question = append(questions);
    question->text = text;
    question->line = line;
    question->words = copy_text(text);
    const int result = is_cut ? reason_set(&reason, "the line has more than %d bytes", MOST_LINE_BYTES)
                              : parse_words(question, questions->target, &reason);
    if (result == 0)
        return;
    question->status = EXIT_USAGE;
    handle_question_add_reason(question, &reason);
}

/* Without its end, and with spaces for bytes of 0. False: there is none. */
static bool read_line(FILE *stream, char ret_line[MOST_LINE_BYTES + 1], bool *ret_is_cut)
{
    size_t length = 0;
    int byte = getc(stream);
    if (byte == EOF)
        return false;
    for (; byte != EOF && byte != '\n'; byte = getc(stream), length++)
        if (length < MOST_LINE_BYTES)
            ret_line[length] = byte != '\0' ? (char)byte : ' ';
    *ret_is_cut = length > MOST_LINE_BYTES;
    ret_line[*ret_is_cut ? MOST_LINE_BYTES : length] = '\0';
    return true;
}

/* Without the blanks around it. The caller frees it. */
static char *clean(const char *line)
{
    char *valid = valid_text(line);
    const char *begin = valid + strspn(valid, blanks);
    size_t length = strlen(begin);
    while (length > 0 && strchr(blanks, begin[length - 1]) != NULL)
        length--;
    char *text = format_text("%.*s", (int)length, begin);
    free(valid);
    return text;
}

int handle_questions_read(struct handle_questions *questions, FILE *stream)
{
    char line[MOST_LINE_BYTES + 1];
    bool is_cut;
    for (size_t number = 1; read_line(stream, line, &is_cut); number++) {
        char *text = clean(line);
        const bool is_ignored = text[0] == '#' || (text[0] == '\0' && !is_cut);
        if (is_ignored)
            free(text);
        else
            add_line(questions, text, number, is_cut);
    }
    return ferror(stream) ? -1 : 0;
}

enum exit_status handle_questions_status(const struct handle_questions *questions)
{
    enum exit_status worst = EXIT_GOOD;
    for (size_t i = 0; i < questions->count; i++)
        if (questions->items[i].status > worst)
            worst = questions->items[i].status;
    return worst;
}

static void clear(struct handle_question *question)
{
    for (size_t i = 0; i < question->count; i++)
        handle_clear(&question->handles[i]);
    free(question->handles);
    free(question->reasons);
    rank_set_clear(&question->ranks);
    free(question->words);
    free(question->text);
}

void handle_questions_clear(struct handle_questions *questions)
{
    for (size_t i = 0; i < questions->count; i++)
        clear(&questions->items[i]);
    free(questions->items);
    *questions = (struct handle_questions){0};
}
