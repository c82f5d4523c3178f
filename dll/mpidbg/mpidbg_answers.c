/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frees answers that are not from a pool.
 */
#include "mpidbg/mpidbg_internal.h"

#include "target/target.h"

void comm_answer_free(struct comm_answer *answer)
{
    struct mpidbg_comm_info_t *info = &answer->info;
    void *const arrays[] = {info->comm_local_procs,  info->comm_remote_procs,     info->comm_cart_dims,
                            info->comm_cart_periods, info->comm_graph_index,      info->comm_graph_edges,
                            info->comm_attrs,        info->comm_pending_requests, info->comm_derived_windows,
                            info->comm_derived_files};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        release(arrays[i]);
    answer->tail.mark = 0;
    release(answer);
}

void errhandler_answer_free(struct errhandler_answer *answer)
{
    release(answer->info.eh_handles);
    answer->tail.mark = 0;
    release(answer);
}
