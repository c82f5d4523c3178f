/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes arguments as words, in memory that an object gets with its first such call.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <stdio.h>
#include <string.h>

/* A longer list is not looked at: its length may be wrong. */
enum { MOST_IN_LIST = 1 << 16, TEXT_BYTES = sizeof((struct mpilens_collective_arguments *)0)->text };

/* Of all words, also of those that do not fit. */
struct words {
    char text[TEXT_BYTES];
    size_t length;
    uint64_t hash;
    bool is_cut;
};

static void add(struct words *words, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        words->hash = (words->hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    words->is_cut = words->is_cut || words->length + length >= sizeof words->text;
    if (words->is_cut)
        return;
    memcpy(words->text + words->length, text, length + 1);
    words->length += length;
}

static void add_number(struct words *words, const struct agreed_argument *agreed, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, " %lld", (long long)(agreed->is_condition ? value != 0 : value));
    add(words, text);
}

static void add_argument(struct words *words, const struct agreed_argument *agreed, bool is_first)
{
    add(words, is_first ? "" : agreed->may_differ ? "; " : ", ");
    add(words, agreed->name);
    if (agreed->text != NULL) {
        add(words, " ");
        add(words, agreed->text);
    } else if (agreed->list == NULL) {
        add_number(words, agreed, agreed->value);
    }
    for (int64_t i = 0; agreed->list != NULL && agreed->length <= MOST_IN_LIST && i < agreed->length; i++)
        add_number(words, agreed, agreed->list[i]);
}

static void end_cut(struct words *words)
{
    char end[24];
    const int length = snprintf(end, sizeof end, " ... #%08x", (unsigned)(words->hash ^ words->hash >> 32));
    const size_t most = sizeof words->text - 1 - (size_t)length;
    memcpy(words->text + (words->length < most ? words->length : most), end, (size_t)length + 1);
}

static struct mpilens_collective_arguments *find_place(uint64_t *arguments, const struct mpilens_collective *call)
{
    struct mpilens_collective_arguments *places = (void *)(uintptr_t)*arguments;
    const size_t bytes = RECENT_COLLECTIVES * sizeof *places;
    if (places == NULL) {
        places = block_take(bytes);
        if (places == NULL)
            return NULL;
        memset(places, 0, bytes);
        PUBLISH_BARRIER();
        *arguments = (uint64_t)(uintptr_t)places;
    }
    return &places[(call->serial - 1) % RECENT_COLLECTIVES];
}

void collective_agree(uint64_t *arguments, const struct mpilens_collective *call, const struct agreed_argument *agreed,
                      size_t count)
{
    struct words words = {.hash = UINT64_C(0xcbf29ce484222325)};
    if (arguments == NULL || call->serial == 0 || count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (agreed[i].list == NULL && agreed[i].text == NULL && agreed[i].value == MPI_UNDEFINED)
            return;
        add_argument(&words, &agreed[i], i == 0);
    }
    if (words.is_cut)
        end_cut(&words);
    struct mpilens_collective_arguments *place = find_place(arguments, call);
    if (place == NULL)
        return;
    __atomic_store_n(&place->serial, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    memcpy(place->text, words.text, sizeof place->text);
    PUBLISH_BARRIER();
    __atomic_store_n(&place->serial, call->serial, __ATOMIC_RELAXED);
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
