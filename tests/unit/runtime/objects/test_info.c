/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Info objects.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

enum { FIRST = (int)0x9c000000 };

__attribute__((noinline)) static MPI_Info make(int handle)
{
    MPI_Info info = MPI_INFO_NULL;
    fake.object = handle;
    volatile int error = MPI_Info_create(&info);
    (void)error;
    return info;
}

Test(info, is_known_from_its_creation_to_its_free, .init = begin_mpi)
{
    MPI_Info info = make(FIRST);
    const struct mpilens_info *record = shadow_info(info);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Info_create");
    cr_assert(site_is_in(record->site, CODE_OF(make)));
    fake.hook = look_inside;
    MPI_Info_set(info, "key", "value");
    cr_assert_str_eq(inside.function, "MPI_Info_set");
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 1);
    MPI_Info_free(&info);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(info, may_be_made_before_initialization_and_freed_after_finalization)
{
    MPI_Info info = make(FIRST);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_INITIALIZING);
    cr_assert_not_null(shadow_info(info));
    begin_mpi();
    cr_assert_not_null(shadow_info(info));
    MPI_Finalize();
    MPI_Info other = make(FIRST + 1);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 2);
    MPI_Info_free(&info);
    MPI_Info_free(&other);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 0);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
}

Test(info, environment_is_predefined, .init = begin_mpi)
{
    cr_assert_str_eq(shadow_info(MPI_INFO_ENV)->name, "MPI_INFO_ENV");
    MPI_Info info = MPI_INFO_ENV;
    MPI_Info_free(&info);
    cr_assert_not_null(shadow_info(MPI_INFO_ENV));
    cr_assert_null(shadow_info(MPI_INFO_NULL));
    end_mpi();
}

Test(info, that_is_asked_for_is_a_new_one_each_time, .init = begin_mpi)
{
    MPI_Info infos[4];
    fake.object = FIRST;
    MPI_Comm_get_info(MPI_COMM_WORLD, &infos[0]);
    fake.object = FIRST + 1;
    MPI_Info_dup(infos[0], &infos[1]);
    fake.object = FIRST + 2;
    MPI_Info_create_env(0, NULL, &infos[2]);
    fake.object = FIRST + 3;
    MPI_Win_get_info((MPI_Win)0x20000000, &infos[3]);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 4);
    cr_assert_str_eq(shadow_function_name(shadow_info(infos[2])->function), "MPI_Info_create_env");
    for (int i = 0; i < 4; i++)
        MPI_Info_free(&infos[i]);
    end_mpi();
}

Test(info, calls_that_fail_change_nothing, .init = begin_mpi)
{
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    make(FIRST);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 0);
    make(MPI_INFO_NULL);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 0);
    MPI_Info info = make(FIRST);
    fake.error = FAKE_ERROR(MPI_ERR_INFO);
    fake.error_is_early = true;
    MPI_Info_free(&info);
    cr_assert_not_null(shadow_info(info));
    make(FIRST); /* the first was freed by a call that was not seen */
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_INFOS), 1);
    MPI_Info_free(&info);
    end_mpi();
}
