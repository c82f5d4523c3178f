/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Generalized requests: completed by any thread, with the handle or a copy of it.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>

TestSuite(generalized, .init = begin_mpi);

static char buffer[64];

static int query(void *state, MPI_Status *status)
{
    (void)state;
    (void)status;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static __attribute__((noinline)) MPI_Request begin(void)
{
    MPI_Request request;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    return request;
}

Test(generalized, requests_are_operations)
{
    fake.hook = look_inside;
    MPI_Request request = begin();
    cr_assert_str_eq(inside.function, "MPI_Grequest_start");
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_GENERALIZED);
    cr_assert_eq(operation->request, (uint32_t)request);
    cr_assert_str_eq(shadow_function_name(operation->function), "MPI_Grequest_start");
    cr_assert(site_is_in(operation->site, CODE_OF(begin)));
    fake.hook = look_inside;
    MPI_Grequest_complete(request);
    cr_assert_str_eq(inside.function, "MPI_Grequest_complete");
    cr_assert_eq(operation->state, MPILENS_OPERATION_COMPLETE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    end_mpi();
}

Test(generalized, requests_that_could_not_be_completed_are_pending)
{
    MPI_Request request = begin();
    fake.error = FAKE_ERROR(MPI_ERR_REQUEST);
    MPI_Grequest_complete(request);
    cr_assert_not_null(shadow_operation(MPILENS_OPERATION_PENDING, 0));
    MPI_Grequest_complete((MPI_Request)0x98000042); /* never seen */
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(generalized, requests_freed_when_complete_are_over)
{
    MPI_Request request = begin();
    MPI_Grequest_complete(request);
    MPI_Request_free(&request);
    cr_assert_eq(shadow_live_operations(), 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED), 1);
    end_mpi();
}

Test(generalized, requests_freed_before_are_over_when_a_copy_of_the_handle_completes)
{
    MPI_Request request = begin();
    MPI_Request copy = request;
    MPI_Request_free(&request);
    cr_assert_not_null(shadow_operation(MPILENS_OPERATION_RELEASED, 0));
    MPI_Grequest_complete(copy);
    cr_assert_eq(shadow_live_operations(), 0);
    fake.request = copy; /* the library uses it again */
    MPI_Irecv(buffer, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->tag, 9);
    fake.status = fake_status(2, 9, 4, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

static void call_mpi_from_a_callback(const struct fake_call *call)
{
    MPI_Request request;
    (void)call;
    fake.status = fake_status(2, 9, 4, false);
    MPI_Irecv(buffer, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
}

Test(generalized, requests_have_callbacks_that_may_call_mpi)
{
    MPI_Request requests[2] = {begin(), begin()};
    int flag;
    MPI_Grequest_complete(requests[0]);
    fake.hook = call_mpi_from_a_callback;
    fake.flag = 1;
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Grequest_complete(requests[1]);
    complete_all();
    fake.hook = call_mpi_from_a_callback;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    end_mpi();
}

static void *complete_it(void *request)
{
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

static void complete_in_another_thread(const struct fake_call *call)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, complete_it, call->requests), 0);
    pthread_join(thread, NULL);
    cr_assert_not_null(shadow_operation(MPILENS_OPERATION_COMPLETE, 0));
}

Test(generalized, requests_are_completed_by_any_thread, .init = begin_mpi_multiple)
{
    MPI_Request request = begin();
    fake.hook = complete_in_another_thread;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_live_operations(), 0);
    request = begin();
    MPI_Request copy = request;
    MPI_Request_free(&request);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, complete_it, &copy), 0);
    pthread_join(thread, NULL);
    cr_assert_eq(shadow_live_operations(), 0);
    end_mpi();
}
