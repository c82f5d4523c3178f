/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contents of datatypes.
 */
#include "contents.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(datatype_contents, .init = begin_mpi);

static char buffer[256];

static const int lengths[] = {1, 2, 3};
static const int displacements[] = {0, -4, 8};
static const int distributions[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK};
static const int distribution_arguments[] = {5, MPI_DISTRIBUTE_DFLT_DARG, 7};
static const MPI_Aint addresses[] = {0, -40, 80};

/* The datatype that `call` makes was made of these values and MPI_INT. */
#define CHECK_MADE(call, combiner, integer_count, address_count, ...)                                                  \
    do {                                                                                                               \
        MPI_Datatype datatype = MPI_DATATYPE_NULL;                                                                     \
        fake.datatype = (MPI_Datatype)DERIVED;                                                                         \
        cr_assert_eq((call), MPI_SUCCESS);                                                                             \
        check(shadow_datatype(datatype), MPILENS_COMBINER_##combiner, integer_count, address_count,                    \
              (const int64_t[]){__VA_ARGS__}, MPI_INT);                                                                \
        MPI_Type_free(&datatype);                                                                                      \
    } while (0)

Test(datatype_contents, are_the_arguments_of_the_constructor)
{
    int given = fake.contents_given;
    CHECK_MADE(MPI_Type_contiguous(7, MPI_INT, &datatype), CONTIGUOUS, 1, 0, 7);
    CHECK_MADE(MPI_Type_dup(MPI_INT, &datatype), DUP, 0, 0, 0);
    CHECK_MADE(MPI_Type_vector(2, 3, -4, MPI_INT, &datatype), VECTOR, 3, 0, 2, 3, -4);
    CHECK_MADE(MPI_Type_create_hvector(2, 3, -4, MPI_INT, &datatype), HVECTOR, 2, 1, 2, 3, -4);
    CHECK_MADE(MPI_Type_indexed(3, lengths, displacements, MPI_INT, &datatype), INDEXED, 7, 0, 3, 1, 2, 3, 0, -4, 8);
    CHECK_MADE(MPI_Type_create_hindexed(3, lengths, addresses, MPI_INT, &datatype), HINDEXED, 4, 3, 3, 1, 2, 3, 0, -40,
               80);
    CHECK_MADE(MPI_Type_create_indexed_block(3, 5, displacements, MPI_INT, &datatype), INDEXED_BLOCK, 5, 0, 3, 5, 0, -4,
               8);
    CHECK_MADE(MPI_Type_create_hindexed_block(3, 5, addresses, MPI_INT, &datatype), HINDEXED_BLOCK, 2, 3, 3, 5, 0, -40,
               80);
    CHECK_MADE(MPI_Type_create_subarray(3, lengths, lengths, displacements, MPI_ORDER_C, MPI_INT, &datatype), SUBARRAY,
               11, 0, 3, 1, 2, 3, 1, 2, 3, 0, -4, 8, MPILENS_ORDER_C);
    CHECK_MADE(MPI_Type_create_darray(4, 1, 3, lengths, distributions, distribution_arguments, lengths,
                                      MPI_ORDER_FORTRAN, MPI_INT, &datatype),
               DARRAY, 16, 0, 4, 1, 3, 1, 2, 3, MPILENS_DISTRIBUTE_CYCLIC, MPILENS_DISTRIBUTE_NONE,
               MPILENS_DISTRIBUTE_BLOCK, 5, MPILENS_DISTRIBUTE_DFLT_DARG, 7, 1, 2, 3, MPILENS_ORDER_FORTRAN);
    CHECK_MADE(MPI_Type_create_resized(MPI_INT, -8, 64, &datatype), RESIZED, 0, 2, -8, 64);
    cr_assert_eq(fake.contents_given, given, "nobody was asked");
    end_mpi();
}

Test(datatype_contents, of_large_counts_are_the_same)
{
    static const MPI_Count large[] = {1, 2, 3}, large_displacements[] = {0, -40, INT64_C(1) << 40};
    CHECK_MADE(MPI_Type_vector_c(INT64_C(1) << 32, 3, -4, MPI_INT, &datatype), VECTOR, 3, 0, INT64_C(1) << 32, 3, -4);
    CHECK_MADE(MPI_Type_create_hvector_c(2, 3, -4, MPI_INT, &datatype), HVECTOR, 2, 1, 2, 3, -4);
    CHECK_MADE(MPI_Type_create_hindexed_c(3, large, large_displacements, MPI_INT, &datatype), HINDEXED, 4, 3, 3, 1, 2,
               3, 0, -40, INT64_C(1) << 40);
    CHECK_MADE(MPI_Type_create_subarray_c(2, large, large, large, MPI_ORDER_C, MPI_INT, &datatype), SUBARRAY, 8, 0, 2,
               1, 2, 1, 2, 1, 2, MPILENS_ORDER_C);
    CHECK_MADE(MPI_Type_create_resized_c(MPI_INT, -8, 64, &datatype), RESIZED, 0, 2, -8, 64);
    end_mpi();
}

Test(datatype_contents, of_structs_are_several_datatypes)
{
    MPI_Datatype datatype, own = contiguous_as(COMPONENT, 2, MPI_CHAR);
    MPI_Datatype elements[] = {MPI_INT, own, (MPI_Datatype)OTHER};
    fake.datatype = (MPI_Datatype)DERIVED;
    MPI_Type_create_struct(3, lengths, addresses, elements, &datatype);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    cr_assert_eq(record->combiner, MPILENS_COMBINER_STRUCT);
    cr_assert_eq(record->datatype_count, 3);
    cr_assert_eq(argument(record, 5), -40);
    cr_assert_eq(component(record, 0), address_of(shadow_datatype(MPI_INT)));
    cr_assert_eq(component(record, 1), address_of(shadow_datatype(own)));
    cr_assert_eq(component(record, 2), 0, "nobody was seen to make it");
    MPI_Type_free(&own);
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype_contents, of_predefined_ones_are_none)
{
    const struct mpilens_datatype *record = shadow_datatype(MPI_INT);
    cr_assert_eq(record->combiner, MPILENS_COMBINER_NAMED);
    cr_assert_eq(record->extent, sizeof(int));
    cr_assert_eq(record->true_extent, sizeof(int));
    cr_assert_eq(record->arguments, 0);
    cr_assert_eq(record->datatype_count, 0);
    fake.datatype = (MPI_Datatype)DERIVED;
    MPI_Datatype datatype;
    MPI_Type_create_f90_real(6, 30, &datatype);
    record = shadow_datatype(datatype);
    cr_assert_eq(record->combiner, MPILENS_COMBINER_F90_REAL);
    cr_assert_eq(record->integer_count, 2);
    cr_assert_eq(argument(record, 1), 30);
}

Test(datatype_contents, come_with_bounds)
{
    MPI_Datatype datatype = contiguous_as(DERIVED, 2, MPI_INT);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    cr_assert_eq(record->lower_bound, -8);
    cr_assert_eq(record->extent, fake.datatype_size + 16);
    cr_assert_eq(record->true_lower_bound, 4);
    cr_assert_eq(record->true_extent, fake.datatype_size);
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype_contents, that_are_too_many_are_counted)
{
    enum { COUNT = 1 << 16 };
    static int many[COUNT];
    MPI_Datatype datatype;
    fake.datatype = (MPI_Datatype)DERIVED;
    MPI_Type_indexed(COUNT, many, many, MPI_INT, &datatype);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    cr_assert_eq(record->integer_count, 2 * COUNT + 1);
    cr_assert_eq(record->datatype_count, 1);
    cr_assert_eq(record->arguments, 0);
    MPI_Type_free(&datatype);
    end_mpi();
}

static void make_and_free_many(void)
{
    for (int i = 0; i < 3000; i++) {
        MPI_Datatype datatype = contiguous_as(OTHER, i, MPI_INT);
        MPI_Send(buffer, 1, datatype, 2, 0, MPI_COMM_WORLD);
        MPI_Type_free(&datatype);
    }
}

/* An operation under way refers to the outermost type; its components stay, though they are freed. */
Test(datatype_contents, stay_as_long_as_what_was_made_of_them)
{
    MPI_Datatype inner = contiguous_as(COMPONENT, 11, MPI_CHAR);
    MPI_Datatype middle = contiguous_as(COMPONENT + 16, 12, inner);
    MPI_Datatype outer = contiguous_as(DERIVED, 13, middle);
    const struct mpilens_datatype *records[] = {shadow_datatype(outer), shadow_datatype(middle),
                                                shadow_datatype(inner)};
    MPI_Request request;
    MPI_Irecv(buffer, 1, outer, 3, 7, MPI_COMM_WORLD, &request);
    MPI_Type_free(&inner);
    MPI_Type_free(&middle);
    MPI_Type_free(&outer);
    make_and_free_many();
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(records[i]->state, MPILENS_OBJECT_FREED);
        cr_assert_eq(argument(records[i], 0), 13 - i);
        cr_assert_eq(component(records[i], 0),
                     i < 2 ? address_of(records[i + 1]) : address_of(shadow_datatype(MPI_CHAR)));
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    make_and_free_many();
    for (int i = 0; i < 3; i++)
        cr_assert(records[i]->state == 0 || argument(records[i], 0) != 13 - i, "it is given back");
    cr_assert_lt(shadow_count(MPILENS_TABLE_DATATYPES, MPILENS_OBJECT_FREED), 300);
    end_mpi();
}

Test(datatype_contents, give_their_memory_back)
{
    static int many[1000];
    uint64_t bytes = mpilens_process.memory_bytes;
    for (int i = 0; i < 3000; i++) {
        MPI_Datatype datatype;
        fake.datatype = (MPI_Datatype)DERIVED;
        MPI_Type_indexed(1000, many, many, MPI_INT, &datatype);
        MPI_Type_free(&datatype);
    }
    cr_assert_lt(mpilens_process.memory_bytes - bytes, 16 << 20, "some wait for others to be given back");
    end_mpi();
}
