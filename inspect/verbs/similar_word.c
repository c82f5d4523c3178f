/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares words by the mistakes of typing that lie between them.
 */
#include "verbs/verbs_internal.h"

#include <stdbool.h>
#include <string.h>

/* Words of more letters are no mistyped ones. */
enum { MOST_LETTERS = 32 };

static size_t least_of(size_t left, size_t right)
{
    return left < right ? left : right;
}

/* Letters to be put in, left out, replaced or swapped with the next to make one word of the other, both of less than
 * MOST_LETTERS. */
static size_t find_distance(const char *left, const char *right)
{
    size_t rows[3][MOST_LETTERS];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t length = strlen(right);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; left[i - 1] != '\0'; i++) {
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            row[j] = least_of(least_of(last[j], row[j - 1]) + 1, last[j - 1] + (left[i - 1] != right[j - 1]));
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
    }
    return row[length];
}

const char *similar_word(const char *word, const char *const *words, size_t count)
{
    const size_t length = strlen(word);
    const char *similar = NULL;
    size_t least = length < 4 ? 2 : 3;
    for (size_t i = 0; i < count && length > 1 && length < MOST_LETTERS; i++) {
        if (words[i] == NULL || strlen(words[i]) >= MOST_LETTERS)
            continue;
        const bool begins = strncmp(words[i], word, length) == 0;
        const size_t distance = begins ? 0 : find_distance(word, words[i]);
        if (distance < least) {
            least = distance;
            similar = words[i];
        }
    }
    return similar;
}
