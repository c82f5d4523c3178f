/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The call by which the application has freed an object.
 */
#include "constructors.h"
#include "inside.h"
#include "objects/objects.h"

#include <criterion/criterion.h>

TestSuite(freed, .init = begin_mpi);

static void check_not_freed(const void *record)
{
    const struct mpilens_object *object = record;
    cr_assert_not_null(object);
    cr_assert_eq(object->state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(object->freed_function, 0);
    cr_assert_eq(object->freed_site, 0);
}

static void check_freed(const void *record, const char *function, const void *place)
{
    const struct mpilens_object *object = record;
    cr_assert_str_eq(shadow_function_name(object->freed_function), function);
    cr_assert(site_is_in(object->freed_site, place), "%s: site %#llx", function,
              (unsigned long long)object->freed_site);
}

#define DEFINE_FREES(type, call)                                                                                       \
    __attribute__((noinline)) static void frees_by_##call(type handle)                                                 \
    {                                                                                                                  \
        cr_assert_eq(call(&handle), MPI_SUCCESS);                                                                      \
    }

DEFINE_FREES(MPI_Comm, MPI_Comm_free)
DEFINE_FREES(MPI_Comm, MPI_Comm_disconnect)
DEFINE_FREES(MPI_Group, MPI_Group_free)
DEFINE_FREES(MPI_Datatype, MPI_Type_free)
DEFINE_FREES(MPI_Op, MPI_Op_free)
DEFINE_FREES(MPI_Errhandler, MPI_Errhandler_free)
DEFINE_FREES(MPI_Info, MPI_Info_free)
DEFINE_FREES(int, MPI_Comm_free_keyval)
DEFINE_FREES(MPI_Win, MPI_Win_free)
DEFINE_FREES(MPI_File, MPI_File_close)
DEFINE_FREES(MPI_Session, MPI_Session_finalize)

#define CHECK_FREED_BY(call, handle, record)                                                                           \
    do {                                                                                                               \
        const void *checked = (record);                                                                                \
        check_not_freed(checked);                                                                                      \
        frees_by_##call(handle);                                                                                       \
        cr_assert_eq(((const struct mpilens_object *)checked)->state, MPILENS_OBJECT_FREED);                           \
        check_freed(checked, #call, CODE_OF(frees_by_##call));                                                         \
    } while (0)

Test(freed, communicators_windows_and_files_say_by_whom)
{
    static char file_memory[8];
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    MPI_Win window = create_window_as(MPI_COMM_WORLD, 0xa0000001);
    MPI_File file;
    fake.file = (MPI_File)(void *)file_memory;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_FREED_BY(MPI_Win_free, window, shadow_window(window));
    CHECK_FREED_BY(MPI_File_close, file, shadow_file(file));
    CHECK_FREED_BY(MPI_Comm_free, communicator, shadow_communicator(communicator));
    communicator = duplicate_as(MPI_COMM_WORLD, 0x84000003);
    CHECK_FREED_BY(MPI_Comm_disconnect, communicator, shadow_communicator(communicator));
}

static void reduce(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)length, (void)datatype;
}

static void handle_error(MPI_Comm *communicator, int *code, ...)
{
    (void)communicator, (void)code;
}

Test(freed, objects_of_other_kinds_too)
{
    MPI_Group group;
    MPI_Op op;
    MPI_Errhandler errhandler;
    MPI_Info info;
    MPI_Datatype datatype;
    int keyval;
    fake.object = (int)0x88000001;
    MPI_Group_incl(MPI_GROUP_EMPTY, 0, NULL, &group);
    CHECK_FREED_BY(MPI_Group_free, group, shadow_group(group));
    fake.object = (int)0x98000001;
    MPI_Op_create(reduce, 1, &op);
    CHECK_FREED_BY(MPI_Op_free, op, shadow_op(op));
    fake.object = (int)0x94000001;
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    CHECK_FREED_BY(MPI_Errhandler_free, errhandler, shadow_errhandler(errhandler));
    fake.object = (int)0x9c000001;
    MPI_Info_create(&info);
    CHECK_FREED_BY(MPI_Info_free, info, shadow_info(info));
    fake.object = 0x64400002;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    CHECK_FREED_BY(MPI_Comm_free_keyval, keyval, shadow_keyval(keyval));
    fake.datatype = (MPI_Datatype)0x8c000011;
    MPI_Type_contiguous(2, MPI_INT, &datatype);
    CHECK_FREED_BY(MPI_Type_free, datatype, shadow_datatype(datatype));
}

static void give_session(const struct fake_call *call)
{
    *(MPI_Session *)(uintptr_t)call->arguments[2] = (MPI_Session)0x38000001;
}

Test(freed, session_says_by_whom)
{
    MPI_Session session;
    fake.hook = give_session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CHECK_FREED_BY(MPI_Session_finalize, session, shadow_record(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE, 0));
}

Test(freed, what_was_freed_in_vain_is_not)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, 0xa0000001);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    fake.error_is_early = true;
    MPI_Win handle = window;
    cr_assert_neq(MPI_Win_free(&handle), MPI_SUCCESS);
    check_not_freed(shadow_window(window));
}

/* A call says that it has failed, and that it has freed all the same: its handle is the null handle then. */
#define CHECK_FREED_DESPITE_ERROR(call, handle, null, record)                                                          \
    do {                                                                                                               \
        const void *checked = (record);                                                                                \
        check_not_freed(checked);                                                                                      \
        fake.error = FAKE_ERROR(MPI_ERR_OTHER);                                                                        \
        cr_assert_eq(call(&(handle)), FAKE_ERROR(MPI_ERR_OTHER));                                                      \
        cr_assert_eq((handle), (null));                                                                                \
        cr_assert_eq(((const struct mpilens_object *)checked)->state, MPILENS_OBJECT_FREED, #call);                    \
    } while (0)

/* The library does not look at the handle, or leaves it. */
#define CHECK_NOT_FREED_BY_ERROR(call, handle, null, record)                                                           \
    do {                                                                                                               \
        CHECK_REFUSED(call(&(handle)), MPI_ERR_OTHER);                                                                 \
        check_not_freed(record);                                                                                       \
        __typeof__(handle) none = (null);                                                                              \
        CHECK_REFUSED(call(&none), MPI_ERR_OTHER);                                                                     \
        check_not_freed(record);                                                                                       \
        CHECK_FREED_DESPITE_ERROR(call, handle, null, record);                                                         \
    } while (0)

Test(freed, is_what_the_handle_says_after_an_error)
{
    MPI_Op op;
    MPI_Errhandler errhandler;
    MPI_Info info;
    int keyval;
    fake.object = (int)0x98000001;
    MPI_Op_create(reduce, 1, &op);
    CHECK_NOT_FREED_BY_ERROR(MPI_Op_free, op, MPI_OP_NULL, shadow_op(op));
    fake.object = (int)0x94000001;
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    CHECK_NOT_FREED_BY_ERROR(MPI_Errhandler_free, errhandler, MPI_ERRHANDLER_NULL, shadow_errhandler(errhandler));
    fake.object = (int)0x9c000001;
    MPI_Info_create(&info);
    CHECK_NOT_FREED_BY_ERROR(MPI_Info_free, info, MPI_INFO_NULL, shadow_info(info));
    fake.object = 0x64400002;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    CHECK_NOT_FREED_BY_ERROR(MPI_Comm_free_keyval, keyval, MPI_KEYVAL_INVALID, shadow_keyval(keyval));
    end_mpi();
}

Test(freed, group_is_what_its_handle_says_after_an_error)
{
    MPI_Group group;
    fake.object = (int)0x88000001;
    MPI_Group_incl(MPI_GROUP_EMPTY, 0, NULL, &group);
    const void *record = shadow_group(group);
    fake.group_error = FAKE_ERROR(MPI_ERR_GROUP);
    cr_assert_eq(MPI_Group_free(&group), FAKE_ERROR(MPI_ERR_GROUP));
    check_not_freed(record);
    fake.group_error = FAKE_ERROR(MPI_ERR_GROUP);
    fake.frees_despite_error = true;
    cr_assert_eq(MPI_Group_free(&group), FAKE_ERROR(MPI_ERR_GROUP));
    cr_assert_eq(((const struct mpilens_object *)record)->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

static void end_session(const struct fake_call *call)
{
    *(MPI_Session *)(uintptr_t)call->arguments[0] = MPI_SESSION_NULL;
}

Test(freed, session_is_what_its_handle_says_after_an_error)
{
    MPI_Session session, none = MPI_SESSION_NULL;
    fake.hook = give_session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    const void *record = shadow_record(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE, 0);
    MPI_Finalize();
    CHECK_REFUSED(MPI_Session_finalize(&none), MPI_ERR_OTHER);
    CHECK_REFUSED(MPI_Session_finalize(&session), MPI_ERR_OTHER);
    check_not_freed(record);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    fake.hook = end_session;
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    cr_assert_neq(MPI_Session_finalize(&session), MPI_SUCCESS);
    cr_assert_eq(((const struct mpilens_object *)record)->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
}

Test(freed, group_of_a_communicator_is_freed_until_it_is_given_again)
{
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    const struct mpilens_group *side = (const struct mpilens_group *)(uintptr_t)world->group;
    MPI_Group group, second;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &second);
    frees_by_MPI_Group_free(group);
    check_not_freed(side);
    frees_by_MPI_Group_free(second);
    cr_assert_eq(side->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(side->users, 1, "the communicator has it");
    check_freed(side, "MPI_Group_free", CODE_OF(frees_by_MPI_Group_free));
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    check_not_freed(side);
}

Test(freed, handle_that_is_given_anew_was_freed_by_nobody_who_was_seen)
{
    const struct mpilens_window *stale = shadow_window(create_window_as(MPI_COMM_WORLD, 0xa0000001));
    create_window_as(MPI_COMM_WORLD, 0xa0000001);
    cr_assert_eq(stale->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(stale->freed_function, 0);
    cr_assert_eq(stale->freed_site, 0);
}
