/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call sites of programs that call a Fortran binding: each function here is a Fortran subprogram.
 */
#include "fake_fortran.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <setjmp.h>

TestSuite(fortran, .init = begin_mpi);

enum { LOOKS = 8 };

static char buffer[64];
static struct inside looks[LOOKS];
static unsigned look_count;
static MPI_Fint error;
static const MPI_Fint one = 1, peer = 2, tag = 7, datatype = MPI_INT, op = MPI_SUM, world = MPI_COMM_WORLD;

static void look(const struct fake_call *call)
{
    look_inside(call);
    if (look_count < LOOKS)
        looks[look_count++] = inside;
    fake.hook = look;
}

static void begin_looking(void)
{
    look_count = 0;
    fake.hook = look;
    fake.status = fake_status(2, 7, 4, false);
}

__attribute__((noinline)) static void sends(void)
{
    mpi_send_(buffer, &one, &datatype, &peer, &tag, &world, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

#define FROM(look, name, place)                                                                                        \
    do {                                                                                                               \
        cr_assert_str_eq((look).function, name);                                                                       \
        uint64_t place_of_call = (look).operation.state ? (look).operation.site : (look).thread.site;                  \
        cr_assert(site_is_in(place_of_call, CODE_OF(place)), "site %#llx", (unsigned long long)place_of_call);         \
    } while (0)

Test(fortran, call_is_recorded_once_with_the_program_as_its_site)
{
    begin_looking();
    for (unsigned i = 1; i <= 3; i++) {
        sends();
        cr_assert_eq(look_count, i);
        FROM(looks[i - 1], "MPI_Send", sends);
        cr_assert_eq(looks[i - 1].operation.peer, 2);
        cr_assert_eq(looks[i - 1].operation.tag, 7);
    }
    fake.hook = NULL;
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 3);
    end_mpi();
}

__attribute__((noinline)) static void sends_and_receives(void)
{
    mpi_sendrecv_(buffer, &one, &datatype, &peer, &tag, buffer + 8, &one, &datatype, &peer, &tag, &world, NULL, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, arguments_on_the_stack_arrive)
{
    begin_looking();
    sends_and_receives();
    FROM(looks[0], "MPI_Sendrecv", sends_and_receives);
    cr_assert_eq(looks[0].operation_2.peer, 2);
    fake.hook = NULL;
    end_mpi();
}

__attribute__((noinline)) static void makes_two_calls(void)
{
    mpi_ssend_(buffer, &one, &datatype, &peer, &tag, &world, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, statement_that_makes_two_calls_is_the_site_of_both)
{
    begin_looking();
    makes_two_calls();
    cr_assert_eq(look_count, 2);
    FROM(looks[0], "MPI_Recv", makes_two_calls);
    FROM(looks[1], "MPI_Ssend", makes_two_calls);
    fake.hook = NULL;
    end_mpi();
}

__attribute__((noinline)) static void waits_at_barrier(void)
{
    mpi_barrier_f08_(&world, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, function_of_the_binding_that_calls_another_is_not_the_site)
{
    begin_looking();
    waits_at_barrier();
    FROM(looks[0], "MPI_Barrier", waits_at_barrier);
    fake.hook = NULL;
    end_mpi();
}

__attribute__((noinline)) static void sends_in_c(void)
{
    volatile int result = MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD); /* not the last thing: no jump */
    cr_assert_eq(result, MPI_SUCCESS);
}

__attribute__((noinline)) static void asks_for_attribute(void)
{
    MPI_Aint value;
    MPI_Fint flag;
    mpi_type_get_attr_(&datatype, &one, &value, &flag, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, statement_that_reaches_no_c_function_is_not_the_site_of_the_next)
{
    asks_for_attribute();
    cr_assert_eq(fake_fortran_without_c, 1);
    begin_looking();
    sends_in_c();
    FROM(looks[0], "MPI_Send", sends_in_c);
    sends();
    FROM(looks[1], "MPI_Send", sends);
    sends_in_c();
    FROM(looks[2], "MPI_Send", sends_in_c);
    fake.hook = NULL;
    end_mpi();
}

__attribute__((noinline)) static void calls_without_entry(void)
{
    fake_fortran_without_entry(&error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, call_that_no_entry_has_come_before_is_in_the_binding)
{
    calls_without_entry();
    begin_looking();
    calls_without_entry();
    FROM(looks[0], "MPI_Send", fake_fortran_without_entry);
    fake.hook = NULL;
    end_mpi();
}

static void communicates_inside(const struct fake_call *call)
{
    begin_looking();
    sends();
    sends_in_c();
    sends();
    look(call);
    fake.hook = NULL;
}

__attribute__((noinline)) static void reduces(void)
{
    mpi_allreduce_(buffer, buffer + 8, &one, &datatype, &op, &world, &error);
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(fortran, callback_in_fortran_has_sites_of_its_own)
{
    fake.hook = communicates_inside;
    reduces();
    cr_assert_eq(look_count, 4);
    FROM(looks[0], "MPI_Send", sends);
    FROM(looks[1], "MPI_Send", sends_in_c);
    FROM(looks[2], "MPI_Send", sends);
    FROM(looks[3], "MPI_Allreduce", reduces);
    sends();
    end_mpi();
}

static jmp_buf target;

static void jump(const struct fake_call *call)
{
    (void)call;
    longjmp(target, 1);
}

static void sends_and_is_left(const struct fake_call *call)
{
    (void)call;
    fake.hook = jump;
    sends();
}

Test(fortran, statement_that_is_left_by_a_jump_is_not_the_site_of_the_next)
{
    for (volatile int i = 0; i < 10; i++) {
        fake.hook = sends_and_is_left;
        if (setjmp(target) == 0)
            reduces();
        begin_looking();
        if (i % 2)
            calls_without_entry();
        else
            sends_in_c();
        FROM(looks[0], "MPI_Send", i % 2 ? CODE_OF(fake_fortran_without_entry) : CODE_OF(sends_in_c));
        sends();
        FROM(looks[1], "MPI_Send", sends);
        fake.hook = NULL;
    }
    end_mpi();
}
