/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constructors of datatypes.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(datatypes, .init = create_job_with_objects, .fini = close_job);

/* vector(3, 2, 5, MPI_INT) */
static uint64_t set_vector(void)
{
    const uint64_t values[] = {3, 2, (uint64_t)-5, opened.job.int_type, objects.file};
    const uint64_t record = opened.job.vector_type;
    const uint64_t address = fake_target_reserve(opened.job.target, sizeof values);
    for (size_t i = 0; i < 5; i++)
        fake_target_put_integer(opened.job.target, address + i * 8, 8, values[i]);
    put_field(record, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_VECTOR);
    put_field(record, MPILENS_FIELD_datatype_integer_count, 2);
    put_field(record, MPILENS_FIELD_datatype_address_count, 1);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, 2);
    put_field(record, MPILENS_FIELD_datatype_arguments, address);
    put_field(record, MPILENS_FIELD_datatype_lower_bound, (uint64_t)-32);
    put_field(record, MPILENS_FIELD_datatype_extent, 40);
    return record;
}

Test(datatypes, of_datatypes)
{
    set_vector();
    open_job();
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    cr_assert_eq(mpilens_get_datatype_contents(opened.process, &contents), mqs_ok);
    cr_assert_eq(contents.combiner, MPILENS_COMBINER_VECTOR);
    cr_assert_eq(contents.integer_count, 2);
    cr_assert_eq(contents.address_count, 1);
    cr_assert_eq(contents.datatype_count, 2);
    cr_assert_eq(contents.cut, 0);
    cr_assert_eq(contents.lower_bound, -32);
    cr_assert_eq(contents.extent, 40);
    int64_t arguments[4] = {77, 77, 77, 77};
    size_t count = 99;
    cr_assert_eq(mpilens_get_datatype_arguments(opened.process, arguments, 4, &count), mqs_ok);
    cr_assert_eq(count, 3);
    cr_assert(arguments[0] == 3 && arguments[1] == 2 && arguments[2] == -5 && arguments[3] == 77);
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_get_datatype_argument(opened.process, 0, &object), mqs_ok);
    cr_assert_str_eq(object.name, "MPI_INT");
    cr_assert_eq(object.kind, MPILENS_OBJECT_DATATYPE);
    cr_assert_eq(mpilens_get_datatype_argument(opened.process, 1, &object), mqs_no_information, "not a datatype");
    cr_assert_eq(mpilens_get_datatype_argument(opened.process, 2, &object), mqs_end_of_list);
    cr_assert_eq(mpilens_get_datatype_contents(opened.process, &contents), mqs_ok, "still the current object");
    cr_assert_eq(contents.combiner, MPILENS_COMBINER_VECTOR);
    cr_assert_str_eq(mpilens_combiner_name(contents.combiner), "vector");
    cr_assert_str_eq(mpilens_combiner_name(UINT32_MAX), "unknown");
}

Test(datatypes, of_datatypes_that_cannot_be)
{
    const uint64_t record = set_vector();
    struct mpilens_object_information object = {.struct_size = sizeof object};
    struct mpilens_datatype_contents contents = {.struct_size = sizeof contents};
    int64_t argument = 77;
    size_t count = 99;
    put_field(record, MPILENS_FIELD_datatype_integer_count, UINT32_MAX);
    put_field(record, MPILENS_FIELD_datatype_address_count, UINT32_MAX);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, UINT32_MAX);
    put_field(record, MPILENS_FIELD_datatype_combiner, 12345);
    open_job();
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(mpilens_get_datatype_contents(opened.process, &contents), mqs_ok);
    cr_assert_eq(contents.combiner, MPILENS_COMBINER_UNKNOWN);
    cr_assert_eq(mpilens_get_datatype_arguments(opened.process, &argument, 1, &count), MPILENS_ERROR_CORRUPT);
    cr_assert_eq(mpilens_get_datatype_argument(opened.process, 0, &object), MPILENS_ERROR_CORRUPT);
    put_field(record, MPILENS_FIELD_datatype_arguments, 0);
    copy_again();
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(mpilens_get_datatype_contents(opened.process, &contents), mqs_ok);
    cr_assert_eq(contents.cut, 1);
    cr_assert_eq(mpilens_get_datatype_arguments(opened.process, &argument, 1, &count), mqs_no_information);
    put_field(record, MPILENS_FIELD_datatype_address_count, 0);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, 0);
    put_field(record, MPILENS_FIELD_datatype_integer_count, 3);
    put_field(record, MPILENS_FIELD_datatype_arguments, 24);
    copy_again();
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(mpilens_get_datatype_arguments(opened.process, &argument, 1, &count), MPILENS_ERROR_UNREADABLE);
    cr_assert_eq(argument, 77);
    cr_assert_eq(count, 99);
}
