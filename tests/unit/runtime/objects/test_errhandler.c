/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error handlers and what has them.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>

enum { FIRST = (int)0x94000000, COMMUNICATOR = (int)0x84000002 };

TestSuite(errhandler, .init = begin_mpi);

static void handle_error(MPI_Comm *communicator, int *error, ...)
{
    (void)communicator, (void)error;
}

static const struct mpilens_errhandler *errhandler_of(MPI_Comm communicator)
{
    return (const struct mpilens_errhandler *)(uintptr_t)shadow_communicator(communicator)->errhandler;
}

__attribute__((noinline)) static MPI_Errhandler make(int handle)
{
    MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
    fake.object = handle;
    volatile int error = MPI_Comm_create_errhandler(handle_error, &errhandler);
    (void)error;
    return errhandler;
}

__attribute__((noinline)) static MPI_Errhandler get(MPI_Comm communicator, int handle)
{
    MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;
    fake.object = handle;
    volatile int error = MPI_Comm_get_errhandler(communicator, &errhandler);
    (void)error;
    return errhandler;
}

static MPI_Comm duplicate(MPI_Comm parent)
{
    MPI_Comm communicator;
    fake.communicator = (MPI_Comm)COMMUNICATOR;
    MPI_Comm_dup(parent, &communicator);
    return communicator;
}

Test(errhandler, predefined_ones_have_names_and_may_be_freed)
{
    cr_assert_str_eq(shadow_errhandler(MPI_ERRORS_RETURN)->name, "MPI_ERRORS_RETURN");
    cr_assert_str_eq(shadow_errhandler(MPI_ERRORS_ARE_FATAL)->name, "MPI_ERRORS_ARE_FATAL");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++) {
        MPI_Errhandler errhandler = get(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        cr_assert_eq(MPI_Errhandler_free(&errhandler), MPI_SUCCESS);
    }
    cr_assert_not_null(shadow_errhandler(MPI_ERRORS_RETURN));
    cr_assert_eq(shadow_errhandler(MPI_ERRORS_RETURN)->references, 0);
    end_mpi();
}

Test(errhandler, of_the_world_is_known_from_the_beginning)
{
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD), shadow_errhandler(MPI_ERRORS_ARE_FATAL));
    cr_assert_eq(errhandler_of(MPI_COMM_SELF), shadow_errhandler(MPI_ERRORS_ARE_FATAL));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD), shadow_errhandler(MPI_ERRORS_RETURN));
    end_mpi();
}

Test(errhandler, is_known_from_its_creation_to_its_free)
{
    MPI_Errhandler errhandler = make(FIRST);
    const struct mpilens_errhandler *record = shadow_errhandler(errhandler);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Comm_create_errhandler");
    cr_assert(site_is_in(record->site, CODE_OF(make)));
    cr_assert_eq(record->user_function, (uint64_t)(uintptr_t)CODE_OF(handle_error));
    cr_assert_eq(record->object_kind, MPILENS_ATTACHABLE_COMMUNICATOR);
    MPI_Errhandler_free(&errhandler);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(errhandler, is_of_each_kind_of_object_and_old_name)
{
    static const enum mpilens_attachable kinds[] = {MPILENS_ATTACHABLE_WINDOW, MPILENS_ATTACHABLE_FILE,
                                                    MPILENS_ATTACHABLE_SESSION, MPILENS_ATTACHABLE_COMMUNICATOR};
    MPI_Errhandler errhandlers[4];
    fake.object = FIRST;
    MPI_Win_create_errhandler(NULL, &errhandlers[0]);
    fake.object++;
    MPI_File_create_errhandler(NULL, &errhandlers[1]);
    fake.object++;
    MPI_Session_create_errhandler(NULL, &errhandlers[2]);
    fake.object++;
    MPI_Errhandler_create(handle_error, &errhandlers[3]);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(shadow_errhandler(errhandlers[i])->object_kind, kinds[i]);
        MPI_Errhandler_free(&errhandlers[i]);
    }
    end_mpi();
}

Test(errhandler, lives_while_something_has_it)
{
    MPI_Errhandler errhandler = make(FIRST);
    const struct mpilens_errhandler *record = shadow_errhandler(errhandler);
    MPI_Comm communicator = duplicate(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(communicator, errhandler);
    cr_assert_eq(record->users, 1);
    MPI_Errhandler_free(&errhandler);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->handle, (uint32_t)FIRST);
    cr_assert_eq(record->references, 0);
    cr_assert_eq(errhandler_of(communicator), record);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ERRHANDLERS), 0, "the application has freed it");
    MPI_Comm_free(&communicator);
    cr_assert_eq(record->users, 0);
    end_mpi();
}

Test(errhandler, is_given_again_as_often_as_one_asks)
{
    MPI_Errhandler errhandler = make(FIRST);
    const struct mpilens_errhandler *record = shadow_errhandler(errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    MPI_Errhandler second = get(MPI_COMM_WORLD, FIRST);
    cr_assert_eq(record->references, 2);
    MPI_Errhandler_free(&errhandler);
    MPI_Errhandler_free(&second);
    cr_assert_eq(record->references, 0);
    second = get(MPI_COMM_WORLD, FIRST); /* freed, and given again */
    cr_assert_eq(shadow_errhandler((MPI_Errhandler)FIRST), record);
    cr_assert_eq(record->references, 1);
    cr_assert(site_is_in(record->site, CODE_OF(get)), "this is the handle that is not freed");
    cr_assert_eq(record->user_function, (uint64_t)(uintptr_t)CODE_OF(handle_error));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    cr_assert_eq(record->users, 0);
    MPI_Errhandler_free(&second);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(errhandler, is_inherited_by_new_communicators)
{
    MPI_Errhandler errhandler = make(FIRST);
    const struct mpilens_errhandler *record = shadow_errhandler(errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    MPI_Comm communicator = duplicate(MPI_COMM_WORLD);
    cr_assert_eq(errhandler_of(communicator), record);
    cr_assert_eq(record->users, 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(communicator, errhandler); /* the same once more */
    cr_assert_eq(record->users, 1);
    MPI_Comm_free(&communicator);
    cr_assert_eq(record->users, 0);
    MPI_Errhandler_free(&errhandler);
    end_mpi();
}

Test(errhandler, that_nobody_made_is_learned)
{
    MPI_Errhandler errhandler = get(MPI_COMM_WORLD, FIRST);
    cr_assert(shadow_errhandler(errhandler)->flags & MPILENS_OBJECT_ORIGIN_UNSEEN);
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD), shadow_errhandler(errhandler));
    MPI_Errhandler second = get(MPI_COMM_WORLD, FIRST);
    cr_assert_eq(shadow_errhandler(errhandler)->references, 2);
    MPI_Errhandler_free(&errhandler);
    MPI_Errhandler_free(&second);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, (MPI_Errhandler)(FIRST + 1));
    cr_assert_not_null(errhandler_of(MPI_COMM_SELF));
    cr_assert_eq(errhandler_of(MPI_COMM_SELF), shadow_errhandler((MPI_Errhandler)(FIRST + 1)));
    second = (MPI_Errhandler)(FIRST + 1);
    MPI_Errhandler_free(&second);
    end_mpi();
}

Test(errhandler, calls_that_fail_change_nothing)
{
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    make(FIRST);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ERRHANDLERS), 0);
    MPI_Errhandler errhandler = make(FIRST), null = MPI_ERRHANDLER_NULL;
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD), shadow_errhandler(MPI_ERRORS_ARE_FATAL));
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    get(MPI_COMM_WORLD, FIRST);
    cr_assert_eq(shadow_errhandler(errhandler)->references, 1);
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    fake.error_is_early = true;
    MPI_Errhandler_free(&errhandler);
    cr_assert_not_null(shadow_errhandler(errhandler));
    MPI_Errhandler_free(&null);
    MPI_Comm_set_errhandler((MPI_Comm)0x84000077, errhandler); /* a communicator that nobody made */
    make(FIRST);                                               /* the first was freed by a call that was not seen */
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_ERRHANDLERS), 1);
    MPI_Errhandler_free(&errhandler);
    end_mpi();
}

Test(errhandler, of_new_files_is_that_of_no_file)
{
    MPI_File file;
    MPI_Errhandler errhandler = make(FIRST);
    fake.file = (MPI_File)(uintptr_t)0x1000;
    MPI_File_open(MPI_COMM_WORLD, "name", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    const struct mpilens_file *record = shadow_record(MPILENS_TABLE_FILES, MPILENS_OBJECT_LIVE, 0);
    cr_assert_eq(record->errhandler, (uint64_t)(uintptr_t)shadow_errhandler(MPI_ERRORS_RETURN));
    MPI_File_close(&file);
    MPI_File_set_errhandler(MPI_FILE_NULL, errhandler);
    MPI_File_open(MPI_COMM_WORLD, "name", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    record = shadow_record(MPILENS_TABLE_FILES, MPILENS_OBJECT_LIVE, 0);
    cr_assert_eq(record->errhandler, (uint64_t)(uintptr_t)shadow_errhandler(errhandler));
    cr_assert_eq(shadow_errhandler(errhandler)->users, 2);
    MPI_File_close(&file);
    cr_assert_eq(shadow_errhandler(errhandler)->users, 1);
    MPI_Errhandler_free(&errhandler);
    end_mpi();
}

static int give(const struct fake_call *call)
{
    if (call->object != NULL)
        *call->object = call->argument_count == 1 ? MPI_ERRHANDLER_NULL : FIRST;
    return MPI_SUCCESS;
}

static void *ask_and_free(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2000; i++) {
        MPI_Errhandler errhandler;
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &errhandler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
        MPI_Errhandler_free(&errhandler);
    }
    return NULL;
}

Test(errhandler, may_be_given_to_several_threads, .init = begin_mpi_multiple)
{
    pthread_t threads[2];
    MPI_Errhandler errhandler = make(FIRST);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    MPI_Errhandler_free(&errhandler);
    fake.handler = give;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, ask_and_free, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fake.handler = NULL;
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD)->references, 0);
    cr_assert_eq(errhandler_of(MPI_COMM_WORLD)->users, 2);
    cr_assert_eq(shadow_count(MPILENS_TABLE_ERRHANDLERS, MPILENS_OBJECT_FREED), 1, "no record came and went");
    end_mpi();
}

TestSuite(errhandler_without_mpi);

Test(errhandler_without_mpi, may_be_made_before_initialization_and_freed_after_finalization)
{
    MPI_Errhandler errhandler;
    fake.object = FIRST;
    MPI_Session_create_errhandler(NULL, &errhandler);
    const struct mpilens_errhandler *record = shadow_errhandler(errhandler);
    cr_assert_not_null(record);
    fake.object = MPI_ERRORS_ARE_FATAL; /* of the world */
    begin_mpi();
    MPI_Finalize();
    cr_assert_eq(shadow_errhandler(errhandler), record);
    MPI_Errhandler_free(&errhandler);
    cr_assert_null(shadow_leftover());
}
