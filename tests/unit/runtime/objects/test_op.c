/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction operations.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>

enum { FIRST = (int)0x98000000 };

TestSuite(op, .init = begin_mpi);

static void add(void *in, void *in_out, int *count, MPI_Datatype *datatype)
{
    (void)in, (void)in_out, (void)count, (void)datatype;
}

__attribute__((noinline)) static MPI_Op make(int handle, int commutative)
{
    MPI_Op op = MPI_OP_NULL;
    fake.object = handle;
    volatile int error = MPI_Op_create(add, commutative, &op);
    (void)error;
    return op;
}

Test(op, predefined_ones_have_names)
{
    cr_assert_str_eq(shadow_op(MPI_SUM)->name, "MPI_SUM");
    cr_assert_str_eq(shadow_op(MPI_NO_OP)->name, "MPI_NO_OP");
    cr_assert_eq(shadow_op(MPI_SUM)->commutative, 1);
    cr_assert_eq(shadow_op(MPI_REPLACE)->commutative, 0);
    cr_assert_eq(shadow_op(MPI_SUM)->references, 0);
    cr_assert(shadow_op(MPI_SUM)->flags & MPILENS_OBJECT_PREDEFINED);
    cr_assert_null(shadow_op(MPI_OP_NULL));
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_OPS), 0);
}

Test(op, is_known_from_its_creation_to_its_free)
{
    MPI_Op op = make(FIRST, 0);
    const struct mpilens_op *record = shadow_op(op);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Op_create");
    cr_assert(site_is_in(record->site, CODE_OF(make)));
    cr_assert_eq(record->user_function, (uint64_t)(uintptr_t)CODE_OF(add));
    cr_assert_eq(record->commutative, 0);
    cr_assert_str_empty(record->name);
    cr_assert_eq(MPI_Op_free(&op), MPI_SUCCESS);
    cr_assert_eq(op, MPI_OP_NULL);
    cr_assert_null(shadow_op((MPI_Op)FIRST));
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->handle, (uint32_t)FIRST);
    end_mpi();
}

Test(op, may_be_freed_before_the_end_of_what_uses_it)
{
    int in = 0, out = 0;
    MPI_Request request;
    MPI_Op op = make(FIRST, 1);
    MPI_Iallreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Op other = make(FIRST, 0); /* the handle is used again */
    cr_assert_eq(shadow_op(other)->commutative, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&other);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_OPS), 0);
}

Test(op, calls_that_fail_change_nothing)
{
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    make(FIRST, 1);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_OPS), 0);
    MPI_Op op = make(FIRST, 1);
    fake.error = FAKE_ERROR(MPI_ERR_OP);
    fake.error_is_early = true;
    MPI_Op_free(&op);
    cr_assert_not_null(shadow_op(op));
    MPI_Op null = MPI_OP_NULL, predefined = MPI_SUM;
    MPI_Op_free(&null);
    MPI_Op_free(&predefined); /* had the library let it pass */
    cr_assert_not_null(shadow_op(MPI_SUM));
    cr_assert_not_null(shadow_op(op));
    MPI_Op_free(&op);
    end_mpi();
}

Test(op, freed_by_a_call_that_was_not_seen_is_over_when_its_handle_comes_again)
{
    make(FIRST, 1);
    MPI_Op op = make(FIRST, 0);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_OPS), 1);
    cr_assert_eq(shadow_op(op)->commutative, 0);
    MPI_Op_free(&op);
    end_mpi();
}

Test(op, large_count_variant_is_one_too)
{
    MPI_Op op = MPI_OP_NULL;
    fake.object = FIRST;
    MPI_Op_create_c(NULL, 1, &op);
    cr_assert_str_eq(shadow_function_name(shadow_op(op)->function), "MPI_Op_create_c");
    MPI_Op_free(&op);
    end_mpi();
}

static int give(const struct fake_call *call)
{
    static int handles;
    if (call->object != NULL)
        *call->object =
            call->kind[2] == '_' ? MPI_OP_NULL : FIRST + 1 + __atomic_fetch_add(&handles, 1, __ATOMIC_RELAXED) % 4096;
    return MPI_SUCCESS;
}

/* Leaves one. */
static void *make_and_free(void *op)
{
    for (int i = 0; i < 2000; i++) {
        MPI_Op_create(add, 1, op);
        MPI_Op_free(op);
    }
    MPI_Op_create(add, 1, op);
    return NULL;
}

Test(op, may_be_made_by_several_threads, .init = begin_mpi_multiple)
{
    pthread_t threads[2];
    MPI_Op ops[2];
    fake.handler = give;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, make_and_free, &ops[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_OPS), 2);
    for (int i = 0; i < 2; i++) {
        cr_assert_not_null(shadow_op(ops[i]));
        MPI_Op_free(&ops[i]);
    }
    fake.handler = NULL;
    end_mpi();
}
