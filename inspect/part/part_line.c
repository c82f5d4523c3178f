/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes and parses single lines.
 */
#include "part/part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static const char mark[] = "@mpilens ";

enum { MARK_BYTES = sizeof mark - 1, CHECK_LENGTH = 4, MOST_DIGITS = 9 };

static const char *const words[] = {
    [PART_WORD_BEGIN] = "begin", [PART_WORD_CONTENT] = "",      [PART_WORD_END] = "end",
    [PART_WORD_READY] = "ready", [PART_WORD_MERGED] = "merged", [PART_WORD_STATUS] = "status",
    [PART_WORD_ERROR] = "error", [PART_WORD_MARK] = "mark",
};

/* Writes the check of what stands between the mark and the check. */
static void write_check(const char *text, size_t length, char *ret_check)
{
    const uLong sum = crc32(0, (const Bytef *)text, (uInt)length);
    const unsigned char bytes[] = {(unsigned char)(sum >> 16), (unsigned char)(sum >> 8), (unsigned char)sum};
    base64_encode(bytes, sizeof bytes, ret_check);
}

static bool is_numbered(enum part_word word)
{
    return word == PART_WORD_CONTENT || word == PART_WORD_ERROR;
}

size_t part_line_write(const struct part_line *line, char *ret_line)
{
    char number[16] = "";
    if (is_numbered(line->word))
        snprintf(number, sizeof number, "%u", (unsigned)line->number);
    const int length = snprintf(ret_line, MOST_LINE_BYTES, "%s%s %d.%s%s %.*s ", mark, line->host, line->round,
                                words[line->word], number, (int)line->length, line->text);
    char *end = ret_line + length;
    write_check(ret_line + MARK_BYTES, (size_t)length - MARK_BYTES - 1, end);
    end[CHECK_LENGTH] = '\n';
    end[CHECK_LENGTH + 1] = '\0';
    return (size_t)length + CHECK_LENGTH + 1;
}

static bool is_of_host(char character)
{
    return isalnum((unsigned char)character) || strchr("._-", character) != NULL;
}

void part_host_name(const char *name, char ret_host[MOST_HOST_BYTES + 1])
{
    size_t length = strnlen(name, MOST_HOST_BYTES);
    for (size_t i = 0; i < length; i++)
        ret_host[i] = is_of_host(name[i]) ? name[i] : '_';
    if (length == 0)
        ret_host[length++] = '_';
    ret_host[length] = '\0';
}

/* The rest of a line. */
struct rest {
    const char *text;
    size_t length;
};

/* The next word, up to a blank that is taken too. */
static bool take_word(struct rest *rest, struct rest *ret_word)
{
    const char *blank = memchr(rest->text, ' ', rest->length);
    if (blank == NULL || blank == rest->text)
        return false;
    *ret_word = (struct rest){rest->text, (size_t)(blank - rest->text)};
    rest->length -= ret_word->length + 1;
    rest->text = blank + 1;
    return true;
}

static bool take_host(struct rest *rest, struct part_line *line)
{
    struct rest host;
    if (!take_word(rest, &host) || host.length > MOST_HOST_BYTES)
        return false;
    for (size_t i = 0; i < host.length; i++)
        if (!is_of_host(host.text[i]))
            return false;
    memcpy(line->host, host.text, host.length);
    line->host[host.length] = '\0';
    return true;
}

static bool take_number(struct rest word, uint32_t *ret_number)
{
    uint32_t number = 0;
    if (word.length == 0 || word.length > MOST_DIGITS)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9')
            return false;
        number = number * 10 + (uint32_t)(word.text[i] - '0');
    }
    *ret_number = number;
    return true;
}

/* Not of one of its readings. */
static bool is_of_host_itself(enum part_word word)
{
    return word == PART_WORD_STATUS || word == PART_WORD_ERROR || word == PART_WORD_MARK;
}

static bool take_key(struct rest *rest, struct part_line *line)
{
    struct rest key;
    if (!take_word(rest, &key) || key.length < 3 || key.text[1] != '.' || key.text[0] < '0' ||
        key.text[0] > '0' + MOST_ROUNDS)
        return false;
    line->round = key.text[0] - '0';
    key.text += 2;
    key.length -= 2;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (key.length < length || strncmp(key.text, words[i], length) != 0)
            continue;
        const struct rest number = {key.text + length, key.length - length};
        if (is_numbered((enum part_word)i) ? !take_number(number, &line->number) : number.length > 0)
            continue;
        line->word = (enum part_word)i;
        return line->round > 0 || is_of_host_itself(line->word);
    }
    return false;
}

/* The text goes to the last blank that the check of what stands before it follows. */
static bool take_text(const char *begin, struct rest *rest, struct part_line *line)
{
    size_t length = rest->length < PART_LINE_TEXT ? rest->length : PART_LINE_TEXT;
    if (rest->length < CHECK_LENGTH + 1)
        return false;
    if (length > rest->length - CHECK_LENGTH - 1)
        length = rest->length - CHECK_LENGTH - 1;
    for (size_t i = length + 1; i > 0; i--) {
        const char *blank = rest->text + i - 1;
        char check[CHECK_LENGTH];
        if (*blank != ' ')
            continue;
        write_check(begin, (size_t)(blank - begin), check);
        if (memcmp(check, blank + 1, CHECK_LENGTH) != 0)
            continue;
        line->text = rest->text;
        line->length = i - 1;
        rest->text = blank + 1 + CHECK_LENGTH;
        return true;
    }
    return false;
}

static bool parse(const char *text, size_t length, struct part_line *ret_line, const char **ret_end)
{
    struct rest rest = {text, length};
    if (!take_host(&rest, ret_line) || !take_key(&rest, ret_line) || !take_text(text, &rest, ret_line))
        return false;
    *ret_end = rest.text;
    return true;
}

bool part_line_find(const char *text, size_t length, struct part_line *ret_line, size_t *ret_rest)
{
    struct part_line line = {.number = 0};
    const char *end = text + length, *next = text;
    const char *found;
    while ((found = memmem(next, (size_t)(end - next), mark, MARK_BYTES)) != NULL) {
        next = found + MARK_BYTES;
        if (!parse(next, (size_t)(end - next), &line, &next))
            continue;
        *ret_line = line;
        *ret_rest = (size_t)(next - text);
        return true;
    }
    return false;
}
