/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpidbg_window_query and mpidbg_file_query.
 */
#include "answers/answers.h"
#include "mpidbg/mpidbg_internal.h"
#include "mpilens/layout.h"
#include "replies/replies.h"
#include "target/target.h"

#include <limits.h>

static int set_locks(const struct inquiry *inquiry, size_t wanted, struct mpidbg_window_info_t *info)
{
    size_t count = 0;
    if (wanted == 0 || wanted > INT_MAX)
        return mqs_ok;
    struct mpilens_window_lock_information *locks = inquiry_allocate(wanted, sizeof *locks);
    if (locks == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    locks[0].struct_size = sizeof *locks;
    int code = reply_get_window_locks(inquiry->info, locks, wanted, &count);
    count = count < wanted ? count : wanted;
    info->win_locks = code == mqs_ok ? pool_take(info, count, sizeof *info->win_locks) : NULL;
    for (size_t i = 0; info->win_locks != NULL && i < count; i++)
        info->win_locks[i] = (struct mpidbg_window_lock_t){locks[i].target_local, locks[i].target_world,
                                                           (int)locks[i].type, (mqs_taddr_t)locks[i].site};
    info->win_num_locks = info->win_locks != NULL ? (int)count : 0;
    release(locks);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}

static void set_group(const struct inquiry *inquiry, void *answer, int exposure, int size, int *ret_count,
                      struct mpidbg_process_t **ret_processes)
{
    if (size <= 0 || size > MOST_MEMBERS)
        return;
    struct mpidbg_process_t *processes = pool_take(answer, (size_t)size, sizeof *processes);
    if (processes == NULL || reply_get_window_group(inquiry->info, exposure, &processes->mpi_comm_world_rank) != mqs_ok)
        return;
    *ret_processes = processes;
    *ret_count = size;
}

static int fill_window(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_window_info_t *info = answer;
    struct mpilens_window_information window = {.struct_size = sizeof window};
    const bool is_null = (object->flags & MPILENS_OBJECT_NULL) != 0;
    int code = is_null ? mqs_ok : reply_get_window(inquiry->info, &window);
    if (code != mqs_ok)
        return code;
    info->win_base = (mqs_taddr_t)window.base;
    info->win_size = window.bytes;
    info->win_displacement_unit = window.displacement_unit;
    info->win_flavor = (int)window.flavor;
    info->win_access_epoch = (int)window.access_epoch;
    info->win_exposure_epoch = (int)window.exposure_epoch;
    info->win_synchronization = pool_text(answer, window.synchronization);
    info->win_synchronization_site = (mqs_taddr_t)window.synchronization_site;
    info->win_operations = window.operations;
    info->win_operations_since = window.operations_since;
    if (!is_null) {
        set_group(inquiry, answer, 0, window.access_group_size, &info->win_num_access_procs, &info->win_access_procs);
        set_group(inquiry, answer, 1, window.exposure_group_size, &info->win_num_exposure_procs,
                  &info->win_exposure_procs);
        code = set_locks(inquiry, window.lock_count, info);
        if (code == mqs_ok)
            code = answer_pairs(inquiry, answer, &info->win_num_hints, &info->win_hints);
    }
    answer_refer(inquiry, answer, MPILENS_OBJECT_ERRHANDLER, window.errhandler, &info->win_errhandler);
    answer_refer_to_communicator(inquiry, answer, window.communicator_id, &info->win_comm);
    return code;
}

static int fill_file(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer)
{
    struct mpidbg_file_info_t *info = answer;
    struct mpilens_file_information file = {.struct_size = sizeof file, .view_displacement = -1};
    const bool is_null = (object->flags & MPILENS_OBJECT_NULL) != 0;
    int code = is_null ? mqs_ok : reply_get_file(inquiry->info, &file);
    if (code != mqs_ok)
        return code;
    info->file_mode = (int)file.amode;
    info->file_atomicity = file.atomicity != 0;
    info->file_view_displacement = file.view_displacement;
    info->file_view_etype = pool_text(answer, file.view_etype);
    info->file_view_filetype = pool_text(answer, file.view_filetype);
    info->file_view_representation = pool_text(answer, file.view_representation);
    info->file_split_collective = pool_text(answer, file.split_collective);
    info->file_split_collective_site = (mqs_taddr_t)file.split_collective_site;
    info->file_operations = file.operations;
    if (!is_null)
        code = answer_pairs(inquiry, answer, &info->file_num_hints, &info->file_hints);
    answer_refer(inquiry, answer, MPILENS_OBJECT_ERRHANDLER, file.errhandler, &info->file_errhandler);
    answer_refer_to_communicator(inquiry, answer, file.communicator_id, &info->file_comm);
    return code;
}

MPIDBG_QUERY(window, MPILENS_OBJECT_WINDOW)
MPIDBG_QUERY(file, MPILENS_OBJECT_FILE)
