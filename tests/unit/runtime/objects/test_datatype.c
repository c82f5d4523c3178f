/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes: predefined, made, named, freed, and never seen before.
 */
#include "inside.h"
#include "memory/memory.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(datatype, .init = begin_mpi);

static char buffer[64];

__attribute__((noinline)) static MPI_Datatype make_as(int handle, MPI_Count size)
{
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    fake.datatype = (MPI_Datatype)handle;
    fake.datatype_size = size;
    MPI_Type_contiguous(3, MPI_INT, &datatype);
    return datatype;
}

Test(datatype, predefined_ones_have_names_and_sizes)
{
    static const struct {
        MPI_Datatype handle;
        const char *name;
        int size;
    } expected[] = {{MPI_INT, "MPI_INT", 4},         {MPI_DOUBLE, "MPI_DOUBLE", 8}, {MPI_CHAR, "MPI_CHAR", 1},
                    {MPI_BYTE, "MPI_BYTE", 1},       {MPI_SHORT, "MPI_SHORT", 2},   {MPI_FLOAT, "MPI_FLOAT", 4},
                    {MPI_INT64_T, "MPI_INT64_T", 8}, {MPI_AINT, "MPI_AINT", 8}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct mpilens_datatype *record = shadow_datatype(expected[i].handle);
        cr_assert_not_null(record, "%s", expected[i].name);
        cr_assert_str_eq(record->name, expected[i].name);
        cr_assert_eq(record->size, expected[i].size);
        cr_assert(record->flags & MPILENS_OBJECT_PREDEFINED);
    }
    cr_assert_null(shadow_datatype(MPI_DATATYPE_NULL));
}

Test(datatype, size_is_asked_for_once)
{
    MPI_Datatype datatype = make_as((int)0xcc000001, 24);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    cr_assert_eq(record->size, 24);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Type_contiguous");
    cr_assert(site_is_in(record->site, CODE_OF(make_as)));
    unsigned calls = fake.type_size_calls;
    for (int i = 0; i < 100; i++) {
        MPI_Send(buffer, 1, datatype, i % 4, i, MPI_COMM_WORLD);
        MPI_Send(buffer, 1, MPI_INT, i % 4, i, MPI_COMM_WORLD);
    }
    cr_assert_eq(fake.type_size_calls, calls);
    MPI_Type_set_name(datatype, "three");
    cr_assert_str_eq(record->name, "three");
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype, stays_known_to_its_operations_after_it_is_freed)
{
    MPI_Request request;
    MPI_Datatype datatype = make_as((int)0xcc000001, 24);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    MPI_Irecv(buffer, 1, datatype, 3, 7, MPI_COMM_WORLD, &request);
    MPI_Type_free(&datatype);
    for (int i = 0; i < 2000; i++) {
        datatype = make_as((int)0xcc000001, 8 + i);
        MPI_Send(buffer, 1, datatype, 2, i, MPI_COMM_WORLD);
        MPI_Bcast(buffer, 1, datatype, 0, MPI_COMM_WORLD);
        MPI_Type_free(&datatype);
    }
    cr_assert_eq(record->size, 24);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->datatype, (uint64_t)(uintptr_t)record);
    cr_assert_lt(shadow_count(MPILENS_TABLE_DATATYPES, MPILENS_OBJECT_FREED), 300);
    const struct mpilens_operation *over;
    for (size_t i = 0; (over = shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED, i)); i++) {
        const struct mpilens_datatype *its = (const struct mpilens_datatype *)(uintptr_t)over->datatype;
        cr_assert(!its || its->size == 8 + over->tag, "it names another datatype");
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

static MPI_Datatype other = MPI_DATATYPE_NULL;

static void take_the_handle(const struct fake_call *call)
{
    (void)call;
    other = make_as((int)0xcc000001, 77);
}

Test(datatype, whose_handle_is_used_again_before_its_free_returns_is_another)
{
    for (int i = 0; i < 300; i++) {
        MPI_Datatype datatype = make_as((int)0xcc000001, 24);
        fake.hook = take_the_handle;
        MPI_Type_free(&datatype);
        cr_assert_not_null(shadow_datatype((MPI_Datatype)0xcc000001), "the new one lives");
        cr_assert_eq(shadow_datatype((MPI_Datatype)0xcc000001)->size, 77);
        MPI_Type_free(&other);
        cr_assert_null(shadow_datatype((MPI_Datatype)0xcc000001));
    }
    end_mpi();
}

Test(datatype, that_a_function_gives_again_and_again_is_one)
{
    MPI_Datatype datatype;
    fake.datatype = (MPI_Datatype)0xcc000005;
    MPI_Type_create_f90_real(15, 307, &datatype);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    MPI_Type_create_f90_real(15, 307, &datatype);
    cr_assert_eq(shadow_datatype(datatype), record);
    cr_assert_eq(shadow_count(MPILENS_TABLE_DATATYPES, MPILENS_OBJECT_FREED), 0);
    fake.datatype = MPI_DOUBLE;
    MPI_Type_create_f90_real(15, 307, &datatype);
    cr_assert(shadow_datatype(MPI_DOUBLE)->flags & MPILENS_OBJECT_PREDEFINED);
}

Test(datatype, that_nobody_made_is_learned_from_its_second_use)
{
    const MPI_Datatype unseen = (MPI_Datatype)0xcc000009;
    fake.datatype_size = 56;
    fake.error = FAKE_ERROR(MPI_ERR_TYPE);
    MPI_Send(buffer, 1, unseen, 2, 0, MPI_COMM_WORLD);
    unsigned calls = fake.type_size_calls;
    MPI_Send(buffer, 1, unseen, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(fake.type_size_calls, calls, "it might not be valid");
    MPI_Send(buffer, 1, unseen, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(shadow_datatype(unseen)->size, 56);
    cr_assert(shadow_datatype(unseen)->flags & MPILENS_OBJECT_ORIGIN_UNSEEN);
    cr_assert_eq(fake.type_size_calls, calls + 1);
}

/* Neither by a receive that fails, whatever MPI says of it, nor by one that MPI does not look at. */
Test(datatype, that_MPI_has_not_accepted_is_never_asked_about)
{
    const int errors[] = {MPI_ERR_TYPE, MPI_ERR_OTHER};
    const MPI_Datatype wrong[] = {(MPI_Datatype)0, (MPI_Datatype)0xcc00000a};
    const unsigned calls = fake.type_size_calls;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++)
            for (int use = 0; use < 3; use++) {
                fake.error = FAKE_ERROR(errors[i]);
                MPI_Recv(buffer, 1, wrong[j], 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                fake.error = FAKE_ERROR(errors[i]);
                MPI_Send(buffer, 1, wrong[j], 2, 0, MPI_COMM_WORLD);
                MPI_Send(NULL, 0, wrong[j], MPI_PROC_NULL, 0, MPI_COMM_WORLD);
            }
    cr_expect_eq(fake.type_size_calls, calls);
    end_mpi();
}

Test(datatype, that_is_null_is_never_asked_about)
{
    unsigned calls = fake.type_size_calls;
    for (int i = 0; i < 4; i++)
        MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(fake.type_size_calls, calls, "that would be an error");
    cr_assert_null(shadow_datatype(MPI_DATATYPE_NULL));
    end_mpi();
}

Test(datatype, may_be_made_of_nothing_of_what_nobody_knows)
{
    static const int lengths[] = {1, 0, 0};
    static const MPI_Aint displacements[3];
    const MPI_Datatype parts[] = {MPI_INT, (MPI_Datatype)0x5ca1ab1e,
                                  MPI_DATATYPE_NULL}; /* old programs leave garbage */
    MPI_Datatype datatype;
    fake.datatype = (MPI_Datatype)0xcc000001;
    unsigned calls = fake.calls, size_calls = fake.type_size_calls;
    int given = fake.contents_given;
    MPI_Type_create_struct(3, lengths, displacements, parts, &datatype);
    cr_assert_eq(fake.calls, calls + 1, "the library is not asked about them");
    cr_assert_eq(fake.type_size_calls, size_calls + 1, "but for its own size");
    cr_assert_eq(fake.contents_given, given);
    const struct mpilens_datatype *record = shadow_datatype(datatype);
    cr_assert_eq(record->datatype_count, 3);
    const uint64_t *components =
        (const uint64_t *)(uintptr_t)record->arguments + record->integer_count + record->address_count;
    cr_assert_eq(components[0], address_of(shadow_datatype(MPI_INT)));
    cr_assert_eq(components[1], 0);
    cr_assert_eq(components[2], 0);
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype, that_is_committed_says_so)
{
    MPI_Datatype datatype = make_as((int)0xcc000001, 24);
    cr_assert_eq(shadow_datatype(datatype)->flags & MPILENS_DATATYPE_COMMITTED, 0);
    fake.datatype = datatype;
    MPI_Type_commit(&datatype);
    cr_assert(shadow_datatype(datatype)->flags & MPILENS_DATATYPE_COMMITTED);
    cr_assert(shadow_datatype(MPI_INT)->flags & MPILENS_DATATYPE_COMMITTED);
    MPI_Type_free(&datatype);
    end_mpi();
}

/* MPI_Type_get_contents of a datatype made of these. */
static void ask_contents(MPI_Datatype datatype, MPI_Datatype *contents, int count)
{
    int integers[1];
    MPI_Aint addresses[1];
    fake.contents = count;
    fake.datatype = contents[0];
    MPI_Type_get_contents(datatype, 1, 1, count, integers, addresses, contents);
}

Test(datatype, that_is_given_again_must_be_freed_once_more)
{
    MPI_Datatype element = make_as((int)0xcc000001, 8), datatype = make_as((int)0xcc000002, 16);
    MPI_Datatype contents[] = {element, MPI_INT, element, (MPI_Datatype)0xcc000003};
    ask_contents(datatype, contents, 4);
    cr_assert_eq(shadow_datatype(element)->references, 3);
    cr_assert_eq(shadow_datatype(MPI_INT)->references, 0);
    const struct mpilens_datatype *copy = shadow_datatype((MPI_Datatype)0xcc000003);
    cr_assert_str_eq(shadow_function_name(copy->function), "MPI_Type_get_contents");
    for (int i = 0; i < 3; i++) {
        MPI_Datatype handle = (MPI_Datatype)0xcc000001;
        cr_assert_not_null(shadow_datatype(handle));
        MPI_Type_free(&handle);
    }
    cr_assert_null(shadow_datatype((MPI_Datatype)0xcc000001));
    MPI_Type_free(&contents[3]);
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype, that_is_named_or_parametrized_is_not_to_be_freed)
{
    MPI_Datatype datatype = make_as((int)0xcc000002, 16);
    MPI_Datatype contents[] = {(MPI_Datatype)0x4c00ff77}; /* of no name that we know */
    ask_contents(datatype, contents, 1);
    cr_assert(shadow_datatype(contents[0])->flags & MPILENS_OBJECT_PREDEFINED);
    MPI_Datatype parametrized[] = {(MPI_Datatype)0xcc000005};
    fake.combiner = MPI_COMBINER_CONTIGUOUS;
    fake.datatype = parametrized[0];
    MPI_Type_create_f90_real(15, 307, &parametrized[0]);
    ask_contents(datatype, parametrized, 1);
    cr_assert_eq(shadow_datatype(parametrized[0])->references, 0);
    cr_assert(shadow_datatype(parametrized[0])->flags & MPILENS_OBJECT_PREDEFINED, "no leak");
    MPI_Type_free(&datatype);
    end_mpi();
}

Test(datatype, that_is_a_duplicate_of_a_predefined_one_is_freed)
{
    MPI_Datatype datatype;
    fake.datatype = (MPI_Datatype)0xcc000001;
    MPI_Type_dup(MPI_INT, &datatype);
    cr_assert_eq(shadow_datatype(datatype)->flags & MPILENS_OBJECT_PREDEFINED, 0);
    cr_assert(shadow_datatype(datatype)->flags & MPILENS_DATATYPE_COMMITTED, "as the original");
    MPI_Type_free(&datatype);
    cr_assert_null(shadow_datatype((MPI_Datatype)0xcc000001));
    end_mpi();
}

static const struct mpilens_datatype *being_freed;

/* Other datatypes with the same handle, until one has the same record or none will. */
static void use_many_records(const struct fake_call *call)
{
    (void)call;
    other = make_as((int)0xcc000001, 77);
    for (int i = 0; i < 1000 && shadow_datatype(other) != being_freed; i++) {
        MPI_Type_free(&other);
        other = make_as((int)0xcc000001, 77);
    }
}

Test(datatype, whose_free_lasts_keeps_its_record)
{
    MPI_Datatype datatype = make_as((int)0xcc000001, 24);
    being_freed = shadow_datatype(datatype);
    fake.hook = use_many_records;
    MPI_Type_free(&datatype);
    cr_assert_not_null(shadow_datatype((MPI_Datatype)0xcc000001), "the last one lives");
    MPI_Type_free(&other);
    end_mpi();
}

Test(datatype, stays_known_to_the_view_of_a_file)
{
    struct mpilens_file *file = table_take_one(MPILENS_TABLE_FILES);
    MPI_Datatype etype = make_as((int)0xcc000001, 8), filetype = make_as((int)0xcc000002, 16);
    const struct mpilens_datatype *records[] = {shadow_datatype(etype), shadow_datatype(filetype)};
    file->view_etype = (uint64_t)(uintptr_t)records[0];
    file->view_filetype = (uint64_t)(uintptr_t)records[1];
    file->state = MPILENS_OBJECT_LIVE;
    MPI_Type_free(&etype);
    MPI_Type_free(&filetype);
    for (int i = 0; i < 1000; i++) {
        MPI_Datatype datatype = make_as((int)0xcc000001, 99);
        MPI_Type_free(&datatype);
    }
    cr_assert_eq(records[0]->size, 8);
    cr_assert_eq(records[1]->size, 16);
    cr_assert_eq(file->view_filetype, (uint64_t)(uintptr_t)records[1]);
    file->state = 0;
    end_mpi();
}
