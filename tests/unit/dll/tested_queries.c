/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets mpidbg.h up over a fake target.
 */
#include "tested_queries.h"

#include <criterion/criterion.h>

void open_queries(void)
{
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpidbg_init_once(&opened.debugger.basic), MPIDBG_SUCCESS);
    cr_assert_eq(mpidbg_init_per_image(fake_image(&opened.debugger), &opened.debugger.image, NULL), MPIDBG_SUCCESS);
    cr_assert_eq(mpidbg_init_per_process(opened.process, &opened.debugger.process, NULL), MPIDBG_SUCCESS);
}

void close_queries(void)
{
    mpidbg_finalize_per_process(opened.process, opened.debugger.process_info);
    mpidbg_finalize_per_image(fake_image(&opened.debugger), opened.debugger.image_info);
    fail_after_test_unless(fake_allocations_held() == 0, "memory of the DLL is not freed");
    fake_target_destroy(opened.job.target);
}

void check_object(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle, int flags,
                  const char *function)
{
    cr_assert_eq(object->oi_kind, kind);
    cr_assert_eq(object->oi_c_handle, handle);
    cr_assert_eq(object->oi_bitflags, flags);
    cr_assert_str_eq(object->oi_function, function);
    cr_assert_eq(object->oi_site, flags & MPIDBG_OBJECT_INFO_PREDEFINED ? 0 : 0x410000 + handle % 0x1000);
    cr_assert_eq(object->oi_has_fortran_handle, kind != MPILENS_OBJECT_FILE);
    if (object->oi_has_fortran_handle)
        cr_assert_eq(object->oi_fortran_handle, (int)(uint32_t)handle);
    cr_assert_str_eq(object->oi_freed_by, "");
}

bool has_user(const struct mpidbg_object_info_t *object, int kind, mqs_taddr_t handle)
{
    for (int i = 0; i < object->oi_num_users; i++)
        if (object->oi_users[i].ref_kind == kind && object->oi_users[i].ref_c_handle == handle)
            return true;
    return false;
}

void set_vector(void)
{
    const uint64_t type = opened.job.vector_type;
    put_field(type, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_VECTOR);
    put_field(type, MPILENS_FIELD_datatype_integer_count, 3);
    put_field(type, MPILENS_FIELD_datatype_datatype_count, 1);
    put_field(type, MPILENS_FIELD_datatype_extent, 40);
    put_field(type, MPILENS_FIELD_datatype_true_extent, 40);
    const uint64_t arguments = fake_target_reserve(opened.job.target, 32);
    static const uint64_t values[] = {3, 2, 4};
    for (unsigned i = 0; i < 3; i++)
        fake_target_put_integer(opened.job.target, arguments + 8 * i, 8, values[i]);
    fake_target_put_integer(opened.job.target, arguments + 24, 8, opened.job.int_type);
    put_field(type, MPILENS_FIELD_datatype_arguments, arguments);
    put_field(opened.job.int_type, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_NAMED);
    put_field(opened.job.int_type, MPILENS_FIELD_datatype_extent, 4);
}
