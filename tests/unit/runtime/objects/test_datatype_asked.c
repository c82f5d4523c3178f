/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes whose creation was not seen: the runtime asks MPI for their contents.
 */
#include "contents.h"

TestSuite(datatype_asked, .init = begin_mpi);

static char buffer[256];

/* The library's answer about DERIVED. */
static void answer(int combiner, int integers, int address_count, int large, const int64_t *values,
                   const MPI_Datatype *datatypes, int count)
{
    fake.combiner = combiner;
    fake.contents_integers = integers;
    fake.contents_addresses = address_count;
    fake.contents_large = large;
    fake.contents_values = values;
    fake.contents_datatypes = datatypes;
    fake.contents = count;
}

static const struct mpilens_datatype *discover(void)
{
    for (int i = 0; i < 2; i++)
        MPI_Send(buffer, 1, (MPI_Datatype)DERIVED, 2, 0, MPI_COMM_WORLD);
    return shadow_datatype((MPI_Datatype)DERIVED);
}

Test(datatype_asked, of_what_nobody_was_seen_to_make_are_asked_for)
{
    static const int64_t values[] = {2, 3, -4, 8, 9};
    static const MPI_Datatype datatypes[] = {MPI_INT, (MPI_Datatype)COMPONENT, (MPI_Datatype)OTHER};
    MPI_Datatype own = contiguous_as(COMPONENT, 2, MPI_CHAR);
    answer(MPI_COMBINER_STRUCT, 3, 2, 0, values, datatypes, 3);
    unsigned frees = fake.type_frees;
    const struct mpilens_datatype *record = discover();
    cr_assert_eq(record->combiner, MPILENS_COMBINER_STRUCT);
    cr_assert_eq(record->integer_count, 3);
    cr_assert_eq(record->address_count, 2);
    cr_assert_arr_eq((const void *)(uintptr_t)record->arguments, values, sizeof values);
    cr_assert_eq(component(record, 0), address_of(shadow_datatype(MPI_INT)));
    cr_assert_eq(component(record, 1), address_of(shadow_datatype(own)));
    /* Unknown components get records; as the fake library answers for every datatype, each of them has such a
     * component itself. */
    unsigned levels = 1;
    for (const struct mpilens_datatype *part = record; component(part, 2); levels++) {
        part = (const struct mpilens_datatype *)(uintptr_t)component(part, 2);
        cr_assert_eq(part->state, MPILENS_OBJECT_FREED);
        cr_assert_eq(part->handle, 0);
        cr_assert_eq(part->users, 1);
        cr_assert_eq(part->combiner, MPILENS_COMBINER_STRUCT);
        cr_assert_eq(part->size, fake.datatype_size);
        cr_assert_arr_eq((const void *)(uintptr_t)part->arguments, values, sizeof values);
    }
    cr_assert_eq(levels, 65, "not without an end");
    cr_assert_eq(fake.type_frees - frees, 2 * levels, "those that are not named");
    cr_assert_not_null(shadow_datatype(own));
    cr_assert_eq(shadow_datatype(own)->references, 1);
    MPI_Type_free(&own);
}

#define CHECK_ASKED(mpi_combiner, integers, large, combiner, integer_count, address_count, values, ...)                \
    do {                                                                                                               \
        answer(mpi_combiner, integers, 0, large, values, (const MPI_Datatype[]){MPI_INT}, 1);                          \
        check(discover(), MPILENS_COMBINER_##combiner, integer_count, address_count, (const int64_t[]){__VA_ARGS__},   \
              MPI_INT);                                                                                                \
    } while (0)

static const int64_t array_values[] = {2, MPI_ORDER_FORTRAN, 12, 13, 14, 15, 16, 17};
static const int64_t large_values[] = {2, 11, 12, 13, 14, 15, 16, 17, 18, 19};

Test(datatype_asked, with_large_counts_of_blocks_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_HVECTOR, 0, 3, HVECTOR, 2, 1, large_values, 2, 11, 12);
}

Test(datatype_asked, with_large_counts_of_lists_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_HINDEXED, 0, 5, HINDEXED, 3, 2, large_values, 2, 11, 12, 13, 14);
}

Test(datatype_asked, with_large_counts_of_lists_of_blocks_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_HINDEXED_BLOCK, 0, 4, HINDEXED_BLOCK, 2, 2, large_values, 2, 11, 12, 13);
}

Test(datatype_asked, with_large_counts_between_others_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_SUBARRAY, 2, 6, SUBARRAY, 8, 0, array_values, 2, 12, 13, 14, 15, 16, 17,
                MPILENS_ORDER_FORTRAN);
}

Test(datatype_asked, with_large_bounds_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_RESIZED, 0, 2, RESIZED, 0, 2, large_values, 2, 11);
}

Test(datatype_asked, with_large_counts_of_vectors_are_asked_for)
{
    CHECK_ASKED(MPI_COMBINER_VECTOR, 0, 3, VECTOR, 3, 0, large_values, 2, 11, 12);
}

Test(datatype_asked, of_a_kind_that_nobody_knows_are_not_asked_for)
{
    int given = fake.contents_given;
    answer(9999, 1, 1, 1, NULL, NULL, 7);
    const struct mpilens_datatype *record = discover();
    cr_assert_eq(record->combiner, MPILENS_COMBINER_UNKNOWN);
    cr_assert_eq(record->arguments, 0);
    cr_assert_eq(fake.contents_given, given);
}

/* Some libraries give a copy of what a datatype was made of, with another handle. */
Test(datatype_asked, of_a_copy_are_those_of_the_original)
{
    MPI_Datatype inner = contiguous_as(COMPONENT, 11, MPI_CHAR), outer = contiguous_as(DERIVED, 13, inner);
    MPI_Datatype given = MPI_DATATYPE_NULL;
    MPI_Aint no_address;
    int integer;
    static const int64_t values[] = {13};
    answer(MPI_COMBINER_CONTIGUOUS, 1, 0, 0, values, NULL, 1);
    fake.datatype = (MPI_Datatype)OTHER;
    MPI_Type_get_contents(outer, 1, 0, 1, &integer, &no_address, &given);
    check(shadow_datatype(given), MPILENS_COMBINER_CONTIGUOUS, 1, 0, (const int64_t[]){11}, MPI_CHAR);
    cr_assert_neq(shadow_datatype(given)->arguments, shadow_datatype(inner)->arguments);
    MPI_Type_free(&given);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
    end_mpi();
}
