/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes arguments as words, in memory that an object gets with its first such call.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_IN_LIST = 1 << 16, /* A longer list is not looked at: its length may be wrong. */
    TEXT_BYTES = sizeof((struct mpilens_collective_arguments *)0)->text,
    NAME_BYTES = sizeof((struct agreed_argument *)0)->name,
    MOST_DIGITS = 20,
};

/* Text that is being written; passed by value, so that it stays in registers. */
struct words {
    char *end;
    const char *limit; /* NULL: something has not fitted, and nothing fits any more */
};

/* Whether there is room for `bytes` and what ends the text. */
static bool has_room(struct words words, size_t bytes)
{
    return likely(words.end + bytes < words.limit);
}

static struct words cut(struct words words)
{
    return (struct words){words.end, NULL};
}

static COLD struct words add_long_number(struct words words, int64_t value)
{
    char digits[MOST_DIGITS];
    size_t first = MOST_DIGITS;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    for (; rest != 0; rest /= 10)
        digits[--first] = (char)('0' + rest % 10);
    if (value < 0)
        digits[--first] = '-';
    if (!has_room(words, 1 + MOST_DIGITS - first))
        return cut(words);
    *words.end++ = ' ';
    memcpy(words.end, digits + first, MOST_DIGITS - first);
    words.end += MOST_DIGITS - first;
    return words;
}

INLINE struct words add_number(struct words words, int64_t value)
{
    if (unlikely((uint64_t)value >= 10 || !has_room(words, 2)))
        return add_long_number(words, value);
    const char text[2] = {' ', (char)('0' + value)};
    memcpy(words.end, text, sizeof text);
    words.end += sizeof text;
    return words;
}

static struct words add_text(struct words words, const char *text)
{
    const size_t length = strnlen(text, TEXT_BYTES);
    if (!has_room(words, length + 1))
        return cut(words);
    *words.end = ' ';
    memcpy(words.end + 1, text, length);
    words.end += length + 1;
    return words;
}

static int64_t meaning_of(const struct agreed_argument *agreed, int64_t value)
{
    return agreed->is_condition ? value != 0 : value;
}

/* Length of the list that is looked at. */
static int64_t length_of(const struct agreed_argument *agreed)
{
    return agreed->length <= MOST_IN_LIST ? agreed->length : 0;
}

/* The name is copied with what fills its array up: it needs no loop so. */
INLINE struct words add_argument(struct words words, const struct agreed_argument *agreed, bool is_first)
{
    if (!has_room(words, 2 + NAME_BYTES))
        return cut(words);
    if (!is_first) {
        memcpy(words.end, agreed->may_differ ? "; " : ", ", 2);
        words.end += 2;
    }
    memcpy(words.end, agreed->name, NAME_BYTES);
    words.end += agreed->name_length;
    if (agreed->text != NULL)
        return add_text(words, agreed->text);
    if (agreed->list == NULL)
        return add_number(words, meaning_of(agreed, agreed->value));
    const int64_t length = length_of(agreed);
    for (int64_t i = 0; i < length; i++)
        words = add_number(words, meaning_of(agreed, agreed->list[i]));
    return words;
}

static uint64_t hash_argument(uint64_t hash, const struct agreed_argument *agreed)
{
    for (size_t i = 0; agreed->text != NULL && agreed->text[i] != '\0'; i++)
        hash = hash_mix(hash, (unsigned char)agreed->text[i]);
    if (agreed->text == NULL && agreed->list == NULL)
        return hash_mix(hash, (uint64_t)meaning_of(agreed, agreed->value));
    for (int64_t i = 0; agreed->list != NULL && i < length_of(agreed); i++)
        hash = hash_mix(hash, (uint64_t)meaning_of(agreed, agreed->list[i]));
    return hash_mix(hash, 0);
}

static void COLD end_cut(char *text, struct words words, const struct agreed_argument *agreed, size_t count)
{
    char end[24];
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = hash_argument(hash, &agreed[i]);
    const size_t length = (size_t)snprintf(end, sizeof end, " ... #%08x", (unsigned)(hash ^ hash >> 32));
    const size_t written = (size_t)(words.end - text);
    memcpy(text + (written + length < TEXT_BYTES ? written : TEXT_BYTES - 1 - length), end, length + 1);
}

static struct mpilens_collective_arguments *make_places(uint64_t *arguments)
{
    struct mpilens_collective_arguments *places = block_take(RECENT_COLLECTIVES * sizeof *places);
    if (places == NULL)
        return NULL;
    memset(places, 0, RECENT_COLLECTIVES * sizeof *places);
    PUBLISH_BARRIER();
    *arguments = (uint64_t)(uintptr_t)places;
    return places;
}

static bool takes_part(const struct agreed_argument *agreed)
{
    return agreed->value != MPI_UNDEFINED || agreed->list != NULL || agreed->text != NULL;
}

void collective_agree(uint64_t *arguments, const struct mpilens_collective *call, const struct agreed_argument *agreed,
                      size_t count)
{
    const uint64_t serial = call->serial;
    if (arguments == NULL || serial == 0)
        return;
    struct mpilens_collective_arguments *places = (void *)(uintptr_t)*arguments;
    if (unlikely(places == NULL) && (places = make_places(arguments)) == NULL)
        return;
    struct mpilens_collective_arguments *place = &places[(serial - 1) % RECENT_COLLECTIVES];
    struct words words = {place->text, place->text + TEXT_BYTES};
    __atomic_store_n(&place->serial, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    for (size_t i = 0; i < count; i++) {
        if (!takes_part(&agreed[i]))
            return;
        words = add_argument(words, &agreed[i], i == 0);
    }
    *words.end = '\0';
    if (unlikely(words.limit == NULL))
        end_cut(place->text, words, agreed, count);
    PUBLISH_BARRIER();
    __atomic_store_n(&place->serial, serial, __ATOMIC_RELAXED);
}

int64_t collective_edge_count(const int *index, int nodes)
{
    return index != NULL && nodes > 0 && nodes <= MOST_IN_LIST ? index[nodes - 1] : 0;
}

int64_t collective_dimensions(const struct mpilens_communicator *communicator)
{
    return communicator != NULL && communicator->topology->kind == MPILENS_TOPOLOGY_CARTESIAN
               ? communicator->topology->first_count
               : 0;
}

#ifdef MPI_UNWEIGHTED
int64_t collective_has_weights(const int *weights)
{
    return weights != MPI_UNWEIGHTED;
}
#else
/* A variable of the MPI library. */
int64_t collective_has_weights(const int *weights)
{
    const int *const *unweighted = mpilens__address_of_MPI_UNWEIGHTED;
    return unweighted != NULL ? weights != *unweighted : MPI_UNDEFINED;
}
#endif

void collective_arguments_give_back(uint64_t *arguments)
{
    block_give_back((void *)(uintptr_t)*arguments, RECENT_COLLECTIVES * sizeof(struct mpilens_collective_arguments));
    *arguments = 0;
}
