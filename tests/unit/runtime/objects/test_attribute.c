/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of communicators, datatypes and windows.
 */
#include "attributes.h"
#include "constructors.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>

TestSuite(attribute, .init = begin_mpi);

static int copy_of_datatype(MPI_Datatype datatype, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)datatype;
    return copy_always(MPI_COMM_NULL, keyval, state, in, out, flag);
}

Test(attribute, is_known_from_set_to_delete)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    const struct mpilens_attribute *record = attribute_of(shadow_communicator(MPI_COMM_WORLD), keyval);
    cr_assert_eq(record->value, address_of(&values[0]));
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_COMMUNICATOR);
    cr_assert(site_is_in(record->site, CODE_OF(set_attribute)));
    cr_assert_eq(((const struct mpilens_keyval *)(uintptr_t)record->keyval)->users, 1);
    set_attribute(MPI_COMM_WORLD, keyval, &values[1]);
    cr_assert_eq(record->value, address_of(&values[1]));
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 1, "the new value replaces the old");
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 0);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}

Test(attribute, ones_of_an_object_are_told_apart)
{
    int keyvals[5];
    for (int i = 0; i < 5; i++) {
        keyvals[i] = make_keyval(KEYVAL + i, copy_always);
        set_attribute(MPI_COMM_WORLD, keyvals[i], &values[i]);
        set_attribute(MPI_COMM_SELF, keyvals[i], &values[i + 1]);
    }
    static const int order[] = {2, 0, 4, 1, 3};
    for (int i = 0; i < 5; i++) {
        MPI_Comm_delete_attr(MPI_COMM_WORLD, keyvals[order[i]]);
        for (int k = 0; k < 5; k++) {
            bool gone = false;
            for (int n = 0; n <= i; n++)
                gone = gone || order[n] == k;
            cr_assert_eq(value_of(MPI_COMM_WORLD, keyvals[k]), gone ? 0 : address_of(&values[k]));
            cr_assert_eq(value_of(MPI_COMM_SELF, keyvals[k]), address_of(&values[k + 1]));
        }
    }
    MPI_Finalize();
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 0, "MPI_Finalize deletes those of MPI_COMM_SELF");
}

Test(attribute, keeps_a_keyval_that_is_freed)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    set_attribute(communicator, keyval, &values[0]);
    const struct mpilens_keyval *record = shadow_live_object(MPILENS_TABLE_KEYVALS, 0);
    MPI_Comm_free_keyval(&keyval);
    for (int i = 1; i < 100; i++) {
        int other = make_keyval(KEYVAL + i, copy_always);
        MPI_Comm_free_keyval(&other);
    }
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->copy_function, address_of(CODE_OF(copy_always)));
    cr_assert_eq(value_of(communicator, KEYVAL), address_of(&values[0]));
    MPI_Comm_free(&communicator);
    cr_assert_eq(record->users, 0);
    end_mpi();
}

static void delete_another(const struct fake_call *call)
{
    (void)call;
    MPI_Comm_delete_attr(MPI_COMM_SELF, KEYVAL);
    MPI_Comm communicator = (MPI_Comm)COMMUNICATOR;
    volatile int error = MPI_Comm_free(&communicator);
    (void)error;
}

Test(attribute, ones_go_with_their_object_whose_callbacks_may_free_others)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    MPI_Comm first = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    MPI_Comm second = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR + 1);
    set_attribute(MPI_COMM_SELF, keyval, &values[0]);
    set_attribute(first, keyval, &values[1]);
    set_attribute(second, keyval, &values[2]);
    fake.hook = delete_another;
    MPI_Comm_free(&second);
    cr_assert_null(shadow_communicator(first));
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 0);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}

Test(attribute, callbacks_of_the_process_s_own_communicator_run_in_finalize)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    set_attribute(MPI_COMM_SELF, keyval, &values[0]);
    MPI_Comm_free_keyval(&keyval);
    fake.hook = delete_another;
    MPI_Finalize();
    const char *leftover = shadow_leftover();
    cr_assert_null(leftover, "%s", leftover);
}

Test(attribute, of_a_datatype)
{
    uint64_t value = address_of(&values[5]);
    MPI_Datatype datatype, other;
    int keyval;
    fake.object = KEYVAL;
    MPI_Type_create_keyval(copy_of_datatype, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
    fake.datatype = (MPI_Datatype)0xcc000001;
    MPI_Type_contiguous(2, MPI_INT, &datatype);
    MPI_Type_set_attr(datatype, keyval, &values[0]);
    cr_assert_eq(attribute_of(shadow_datatype(datatype), keyval)->value, address_of(&values[0]));
    fake.attribute = &value;
    fake.datatype = (MPI_Datatype)0xcc000002;
    MPI_Type_dup(datatype, &other);
    cr_assert_eq(attribute_of(shadow_datatype(other), keyval)->value, value);
    MPI_Type_free(&datatype);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 1);
    MPI_Type_delete_attr(other, keyval);
    MPI_Type_free(&other);
    MPI_Type_free_keyval(&keyval);
    end_mpi();
}

Test(attribute, of_a_window_goes_with_it)
{
    MPI_Win window;
    int keyval;
    fake.object = KEYVAL;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, NULL);
    fake.window = (MPI_Win)0xa0000000;
    MPI_Win_create(values, sizeof values, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_attr(window, keyval, &values[0]);
    const struct mpilens_attribute *record = shadow_live_object(MPILENS_TABLE_ATTRIBUTES, 0);
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_WINDOW);
    MPI_Win_free(&window);
    MPI_Win_free_keyval(&keyval);
    end_mpi();
}

Test(attribute, with_a_keyval_that_nobody_made)
{
    set_attribute(MPI_COMM_WORLD, KEYVAL, &values[0]);
    const struct mpilens_keyval *keyval = shadow_live_object(MPILENS_TABLE_KEYVALS, 0);
    cr_assert(keyval->flags & MPILENS_OBJECT_ORIGIN_UNSEEN);
    cr_assert_eq(keyval->users, 1);
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, COMMUNICATOR);
    cr_assert_eq(fake.attribute_calls, 0, "whether it is valid now is not known");
    MPI_Comm_free(&communicator);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, KEYVAL);
    int handle = KEYVAL;
    MPI_Comm_free_keyval(&handle);
    end_mpi();
}

Test(attribute, calls_that_fail_change_nothing)
{
    int keyval = make_keyval(KEYVAL, copy_always);
    fake.error = FAKE_ERROR(MPI_ERR_KEYVAL);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 0);
    set_attribute(MPI_COMM_WORLD, keyval, &values[0]);
    fake.error = FAKE_ERROR(MPI_ERR_OTHER); /* the delete callback's */
    set_attribute(MPI_COMM_WORLD, keyval, &values[1]);
    cr_assert_eq(value_of(MPI_COMM_WORLD, keyval), address_of(&values[0]));
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    cr_assert_eq(value_of(MPI_COMM_WORLD, keyval), address_of(&values[0]));
    set_attribute((MPI_Comm)0x84000077, keyval, &values[0]); /* a communicator that nobody made */
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 1);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
    end_mpi();
}

static int succeed(const struct fake_call *call)
{
    (void)call;
    return MPI_SUCCESS;
}

/* Leaves it set. */
static void *set_and_delete(void *argument)
{
    int keyval = *(const int *)argument;
    for (int i = 0; i < 5000; i++) {
        MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &values[0]);
        MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &values[1]);
        MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    }
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &values[2]);
    return NULL;
}

Test(attribute, ones_may_be_set_by_several_threads, .init = begin_mpi_multiple)
{
    pthread_t threads[2];
    int keyvals[2] = {make_keyval(KEYVAL, copy_always), make_keyval(KEYVAL + 1, copy_always)};
    fake.handler = succeed;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, set_and_delete, &keyvals[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fake.handler = NULL;
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ATTRIBUTES), 2);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(value_of(MPI_COMM_WORLD, keyvals[i]), address_of(&values[2]));
        MPI_Comm_delete_attr(MPI_COMM_WORLD, keyvals[i]);
        MPI_Comm_free_keyval(&keyvals[i]);
    }
    end_mpi();
}
