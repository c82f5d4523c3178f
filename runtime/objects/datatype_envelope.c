/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks MPI for the contents of datatypes whose constructor was not seen.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <string.h>

enum { COMPONENTS_ASKED = 64 }; /* records for what one datatype was made of that nobody was seen to make */

static enum mpilens_combiner combiner_of(int combiner)
{
    static const struct {
        int mpi;
        enum mpilens_combiner combiner;
    } combiners[] = {
        {MPI_COMBINER_NAMED, MPILENS_COMBINER_NAMED},
        {MPI_COMBINER_DUP, MPILENS_COMBINER_DUP},
        {MPI_COMBINER_CONTIGUOUS, MPILENS_COMBINER_CONTIGUOUS},
        {MPI_COMBINER_VECTOR, MPILENS_COMBINER_VECTOR},
        {MPI_COMBINER_HVECTOR, MPILENS_COMBINER_HVECTOR},
        {MPI_COMBINER_INDEXED, MPILENS_COMBINER_INDEXED},
        {MPI_COMBINER_HINDEXED, MPILENS_COMBINER_HINDEXED},
        {MPI_COMBINER_INDEXED_BLOCK, MPILENS_COMBINER_INDEXED_BLOCK},
        {MPI_COMBINER_HINDEXED_BLOCK, MPILENS_COMBINER_HINDEXED_BLOCK},
        {MPI_COMBINER_STRUCT, MPILENS_COMBINER_STRUCT},
        {MPI_COMBINER_SUBARRAY, MPILENS_COMBINER_SUBARRAY},
        {MPI_COMBINER_DARRAY, MPILENS_COMBINER_DARRAY},
        {MPI_COMBINER_F90_REAL, MPILENS_COMBINER_F90_REAL},
        {MPI_COMBINER_F90_COMPLEX, MPILENS_COMBINER_F90_COMPLEX},
        {MPI_COMBINER_F90_INTEGER, MPILENS_COMBINER_F90_INTEGER},
        {MPI_COMBINER_RESIZED, MPILENS_COMBINER_RESIZED},
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
        {MPI_COMBINER_VALUE_INDEX, MPILENS_COMBINER_VALUE_INDEX},
#endif
    };
    for (size_t i = 0; i < sizeof combiners / sizeof combiners[0]; i++)
        if (combiners[i].mpi == combiner)
            return combiners[i].combiner;
    return MPILENS_COMBINER_UNKNOWN;
}

bool datatype_envelope_ask(MPI_Datatype handle, struct datatype_envelope *ret_envelope)
{
    int combiner = MPI_COMBINER_NAMED;
#ifdef HAS_MPI_Type_get_envelope_c
    MPI_Count integers, addresses, large_counts, datatypes;
    int error =
        mpilens__asked.MPI_Type_get_envelope_c(handle, &integers, &addresses, &large_counts, &datatypes, &combiner);
#else
    int integers, addresses, large_counts = 0, datatypes;
    int error = mpilens__asked.MPI_Type_get_envelope(handle, &integers, &addresses, &datatypes, &combiner);
#endif
    if (error != MPI_SUCCESS)
        return false;
    bool fixed = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
                 combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
    *ret_envelope = (struct datatype_envelope){
        .combiner = combiner_of(combiner),
        .fixed = fixed,
        .integer_count = (size_t)integers,
        .address_count = (size_t)addresses,
        .large_count = (size_t)large_counts,
        .datatype_count = fixed ? 0 : (size_t)datatypes,
    };
    return true;
}

/* The answer of MPI_Type_get_contents, in one block of memory. */
struct answer {
    struct datatype_envelope envelope;
    MPI_Count *large_counts;
    MPI_Aint *addresses;
    MPI_Datatype *datatypes;
    int *integers;
    size_t bytes;
};

static bool take_answer(struct answer *answer)
{
    const struct datatype_envelope *envelope = &answer->envelope;
    size_t large_bytes = envelope->large_count * sizeof(MPI_Count);
    size_t address_bytes = envelope->address_count * sizeof(MPI_Aint);
    size_t datatype_bytes = envelope->datatype_count * sizeof(MPI_Datatype);
    answer->bytes = large_bytes + address_bytes + datatype_bytes + (envelope->integer_count + 1) * sizeof(int);
    char *block = block_take(answer->bytes);
    if (block == NULL)
        return false;
    memset(block, 0, answer->bytes);
    answer->large_counts = (MPI_Count *)(void *)block;
    answer->addresses = (MPI_Aint *)(void *)(block + large_bytes);
    answer->datatypes = (MPI_Datatype *)(void *)(block + large_bytes + address_bytes);
    answer->integers = (int *)(void *)(block + large_bytes + address_bytes + datatype_bytes);
    return true;
}

static bool ask_answer(MPI_Datatype handle, const struct answer *answer)
{
    const struct datatype_envelope *envelope = &answer->envelope;
#ifdef HAS_MPI_Type_get_contents_c
    return mpilens__asked.MPI_Type_get_contents_c(
               handle, (MPI_Count)envelope->integer_count, (MPI_Count)envelope->address_count,
               (MPI_Count)envelope->large_count, (MPI_Count)envelope->datatype_count, answer->integers,
               answer->addresses, answer->large_counts, answer->datatypes) == MPI_SUCCESS;
#else
    return mpilens__asked.MPI_Type_get_contents(handle, (int)envelope->integer_count, (int)envelope->address_count,
                                                (int)envelope->datatype_count, answer->integers, answer->addresses,
                                                answer->datatypes) == MPI_SUCCESS;
#endif
}

/* MPI has given one more reference to each, or a copy of its own. */
static void free_datatypes(const struct answer *answer)
{
    for (size_t i = 0; i < answer->envelope.datatype_count; i++) {
        struct datatype_envelope envelope;
        MPI_Datatype *datatype = &answer->datatypes[i];
        const struct mpilens_datatype *known = datatype_of_handle(HANDLE_VALUE(*datatype));
        if (*datatype != MPI_DATATYPE_NULL && !(known != NULL && (known->flags & MPILENS_OBJECT_PREDEFINED)) &&
            datatype_envelope_ask(*datatype, &envelope) && !envelope.fixed)
            mpilens__asked.MPI_Type_free(datatype);
    }
}

/* How many of the large counts, the last ones, are addresses in the constructor's small sister (MPI 4.1, 5.1.13). */
static size_t addresses_among(const struct datatype_envelope *envelope)
{
    switch (envelope->large_count > 0 ? envelope->combiner : MPILENS_COMBINER_UNKNOWN) {
    case MPILENS_COMBINER_HVECTOR:
        return 1;
    case MPILENS_COMBINER_RESIZED:
        return 2;
    case MPILENS_COMBINER_HINDEXED:
    case MPILENS_COMBINER_STRUCT:
        return (envelope->large_count - 1) / 2;
    case MPILENS_COMBINER_HINDEXED_BLOCK:
        return envelope->large_count - 2;
    default:
        return 0;
    }
}

/* How many integers stand before the large counts in its small sister. */
static size_t integers_before(const struct datatype_envelope *envelope)
{
    size_t before = envelope->combiner == MPILENS_COMBINER_SUBARRAY ? 1
                    : envelope->combiner == MPILENS_COMBINER_DARRAY ? 3
                                                                    : envelope->integer_count;
    return before < envelope->integer_count ? before : envelope->integer_count;
}

static struct datatype_contents contents_of(const struct answer *answer)
{
    const struct datatype_envelope *envelope = &answer->envelope;
    size_t addresses = addresses_among(envelope);
    size_t large = envelope->large_count - addresses;
    size_t before = integers_before(envelope);
    return (struct datatype_contents){
        .combiner = envelope->combiner,
        .integers = {{answer->integers, before, sizeof(int)},
                     {answer->large_counts, large, sizeof(MPI_Count)},
                     {answer->integers + before, envelope->integer_count - before, sizeof(int)}},
        .addresses = {{answer->addresses, envelope->address_count, sizeof(MPI_Aint)},
                      {answer->large_counts + large, addresses, sizeof(MPI_Count)}},
        .datatypes = answer->datatypes,
        .datatype_count = envelope->datatype_count,
    };
}

static void ask_contents(struct mpilens_datatype *record, MPI_Datatype handle, unsigned *left);

/* A record of what `maker` was made of, as its n-th datatype; `handle` is MPI's copy of that, which nobody else has. */
static void add_component(struct mpilens_datatype *maker, size_t n, MPI_Datatype handle, unsigned *left)
{
    struct mpilens_datatype *record = datatype_record_take(handle, MPILENS_OBJECT_ORIGIN_UNSEEN, 0, 0);
    if (record == NULL)
        return;
    record->handle = 0;
    record->flags &= ~MPILENS_OBJECT_HAS_FORTRAN_HANDLE;
    record->references = 0;
    ask_contents(record, handle, left);
    __atomic_store_n(&record->state, MPILENS_OBJECT_FREED, __ATOMIC_RELEASE);
    datatype_contents_set_component(maker, n, record);
    reclaim_later(MPILENS_TABLE_DATATYPES, record, datatype_contents_give_back);
}

/* Records of what no record names. */
static void add_components(struct mpilens_datatype *record, const struct answer *answer, unsigned *left)
{
    for (size_t i = 0; i<answer->envelope.datatype_count && * left> 0; i++)
        if (answer->datatypes[i] != MPI_DATATYPE_NULL && datatype_contents_component(record, i) == NULL) {
            --*left;
            add_component(record, i, answer->datatypes[i], left);
        }
}

/* Fills in the contents of a new record, and counts *left down by the records that it makes. */
static void ask_contents(struct mpilens_datatype *record, MPI_Datatype handle, unsigned *left)
{
    struct answer answer = {.bytes = 0};
    const struct datatype_envelope *envelope = &answer.envelope;
    if (!datatype_envelope_ask(handle, &answer.envelope) || envelope->combiner == MPILENS_COMBINER_UNKNOWN)
        return;
    record->combiner = envelope->combiner;
    if (envelope->combiner == MPILENS_COMBINER_NAMED)
        return;
    record->address_count = (uint32_t)(envelope->address_count + addresses_among(envelope));
    record->integer_count =
        (uint32_t)(envelope->integer_count + envelope->address_count + envelope->large_count - record->address_count);
    record->datatype_count = (uint32_t)envelope->datatype_count;
    size_t values = (size_t)record->integer_count + record->address_count + record->datatype_count;
    if (values == 0 || values > DATATYPE_VALUES_KEPT || !take_answer(&answer))
        return;
    if (ask_answer(handle, &answer)) {
        struct datatype_contents contents = contents_of(&answer);
        datatype_contents_set(record, &contents);
        if (record->arguments)
            add_components(record, &answer, left);
        free_datatypes(&answer);
    }
    block_give_back(answer.large_counts, answer.bytes);
}

void datatype_envelope_describe(struct mpilens_datatype *record, MPI_Datatype handle)
{
    unsigned left = COMPONENTS_ASKED;
    ask_contents(record, handle, &left);
}
