/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which request an integer of Fortran names, as a reader finds it from the root.
 */
#include "fortran/fortran.h"
#include "inside.h"

#include <criterion/criterion.h>

static struct mpilens_fortran_request find(uint64_t index)
{
    const struct mpilens_fortran_request *array =
        (const struct mpilens_fortran_request *)(uintptr_t)mpilens_process.fortran_requests;
    cr_assert_lt(index, mpilens_process.fortran_request_count);
    return array[index];
}

static void check(uint64_t index, uint64_t request, uint64_t posted)
{
    const struct mpilens_fortran_request found = find(index);
    cr_assert_eq(found.request, request);
    cr_assert_eq(found.posted, posted);
}

Test(fortran_request, is_found_by_its_integer)
{
    cr_assert_eq(mpilens_process.fortran_request_count, 0, "nothing is kept before it is needed");
    fortran_request_note(2, 0x7f0000001000, 11);
    fortran_request_note(0, 0x7f0000002000, 12);
    check(2, 0x7f0000001000, 11);
    check(0, 0x7f0000002000, 12);
    check(1, 0, 0);
    fortran_request_note(2, 0x7f0000003000, 13);
    check(2, 0x7f0000003000, 13);
}

Test(fortran_request, stays_when_there_are_more_and_for_who_is_reading)
{
    fortran_request_note(0, 0x1000, 1);
    const struct mpilens_fortran_request *old =
        (const struct mpilens_fortran_request *)(uintptr_t)mpilens_process.fortran_requests;
    const uint64_t old_count = mpilens_process.fortran_request_count;
    for (int32_t i = 1; i <= 5000; i++)
        fortran_request_note(i, 0x1000 + (uint64_t)i, (uint64_t)i + 1);
    for (uint64_t i = 0; i <= 5000; i++)
        check(i, 0x1000 + i, i + 1);
    cr_assert_leq(mpilens_process.fortran_request_count, 16384, "it grows by doubling");
    cr_assert_lt(old_count, mpilens_process.fortran_request_count);
    for (uint64_t i = 0; i < old_count; i++)
        cr_assert_eq(old[i].request, 0x1000 + i, "the old array can be read still");
}

Test(fortran_request, no_request_has_a_negative_integer)
{
    fortran_request_note(-1, 0x1000, 1);
    cr_assert_eq(mpilens_process.fortran_request_count, 0);
}

Test(fortran_request, goes_with_its_operation)
{
    enum { INTEGER = 291 };
    static char buffer[8];
    MPI_Request request, unknown = 17;
    begin_mpi();
    MPI_Irecv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    fake.request = INTEGER;
    MPI_Irecv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    cr_assert_eq(mpilens_process.fortran_request_count, 0, "a program in C pays nothing");
    fortran_request_begun(thread_if_known(), (uint64_t)request);
    check(INTEGER, INTEGER, shadow_operation(MPILENS_OPERATION_COMPLETE, 0)->posted);
    fortran_request_begun(thread_if_known(), (uint64_t)unknown);
    check(17, 17, 0);
}
