/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of the generation of 2009, which give parts of the answers of mpidbg_X_query.
 */
#include "answers/answers.h"
#include "facts/facts.h"
#include "mpidbg/mpidbg_internal.h"
#include "target/target.h"

static bool is_answer(const struct answer_tail *tail, enum answer_kind kind)
{
    return tail->mark == ANSWER_MARK && tail->kind == kind;
}

static struct comm_answer *comm_of(struct mpidbg_comm_handle_t *handle)
{
    struct comm_answer *answer = (struct comm_answer *)(void *)handle;
    return answer != NULL && is_answer(&answer->tail, ANSWER_COMM) ? answer : NULL;
}

static struct errhandler_answer *errhandler_of(struct mpidbg_errhandler_handle_t *handle)
{
    struct errhandler_answer *answer = (struct errhandler_answer *)(void *)handle;
    return answer != NULL && is_answer(&answer->tail, ANSWER_ERRHANDLER) ? answer : NULL;
}

int mpidbg_comm_handle_free(struct mpidbg_comm_handle_t *handle)
{
    const mqs_basic_callbacks *former;
    struct comm_answer *answer = comm_of(handle);
    if (answer == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    comm_answer_free(answer);
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}

int mpidbg_errhandler_handle_free(struct mpidbg_errhandler_handle_t *handle)
{
    const mqs_basic_callbacks *former;
    struct errhandler_answer *answer = errhandler_of(handle);
    if (answer == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    errhandler_answer_free(answer);
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}

int mpidbg_request_handle_free(struct mpidbg_request_handle_t *handle)
{
    struct request_answer *answer = (struct request_answer *)(void *)handle;
    return answer != NULL && is_answer(&answer->tail, ANSWER_REQUEST) ? inquiry_release(answer) : MPIDBG_ERR_NOT_FOUND;
}

int mpidbg_status_handle_free(struct mpidbg_status_handle_t *handle)
{
    struct status_answer *answer = (struct status_answer *)(void *)handle;
    return answer != NULL && is_answer(&answer->tail, ANSWER_STATUS) ? inquiry_release(answer) : MPIDBG_ERR_NOT_FOUND;
}

int mpidbg_comm_query_basic(struct mpidbg_comm_handle_t *handle, char *ret_name,
                            enum mpidbg_comm_info_bitmap_t *ret_flags, int *ret_rank, int *ret_size,
                            int *ret_fortran_handle, mqs_taddr_t *ret_cxx_handle)
{
    const struct comm_answer *answer = comm_of(handle);
    if (answer == NULL || ret_name == NULL || ret_flags == NULL || ret_rank == NULL || ret_size == NULL ||
        ret_fortran_handle == NULL || ret_cxx_handle == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    text_set(ret_name, MPIDBG_MAX_OBJECT_NAME, answer->info.comm_name);
    *ret_flags = (enum mpidbg_comm_info_bitmap_t)answer->tail.second_flags;
    *ret_rank = answer->info.comm_rank;
    *ret_size = answer->info.comm_size;
    *ret_fortran_handle = answer->info.comm_fortran_handle;
    *ret_cxx_handle = MPIDBG_ERR_UNAVAILABLE;
    return MPIDBG_SUCCESS;
}

/* A copy for the debugger of each of two arrays, or of none. */
static int give_two(const void *first, int first_count, void **ret_first, const void *second, int second_count,
                    void **ret_second, size_t item_bytes)
{
    const mqs_basic_callbacks *former;
    void *copies[2] = {NULL, NULL};
    if (inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    int code = answer_copy(first, (size_t)first_count, item_bytes, &copies[0]);
    if (code == mqs_ok)
        code = answer_copy(second, (size_t)second_count, item_bytes, &copies[1]);
    if (code != mqs_ok)
        release(copies[0]);
    inquiry_leave(former);
    if (code != mqs_ok)
        return MPIDBG_ERR_NO_MEM;
    *ret_first = copies[0];
    if (ret_second != NULL)
        *ret_second = copies[1];
    return MPIDBG_SUCCESS;
}

int mpidbg_comm_query_procs(struct mpidbg_comm_handle_t *handle, int *ret_local_count,
                            struct mpidbg_process_t **ret_local, int *ret_remote_count,
                            struct mpidbg_process_t **ret_remote)
{
    const struct comm_answer *answer = comm_of(handle);
    if (answer == NULL || ret_local_count == NULL || ret_local == NULL || ret_remote_count == NULL ||
        ret_remote == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    const struct mpidbg_comm_info_t *info = &answer->info;
    void *local = NULL;
    void *remote = NULL;
    int result = give_two(info->comm_local_procs, info->comm_num_local_procs, &local, info->comm_remote_procs,
                          info->comm_num_remote_procs, &remote, sizeof *info->comm_local_procs);
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_local_count = info->comm_num_local_procs;
    *ret_local = local;
    *ret_remote_count = info->comm_num_remote_procs;
    *ret_remote = remote;
    return MPIDBG_SUCCESS;
}

/* Periods are int in this generation. */
static int give_cartesian(const struct mpidbg_comm_info_t *info, int **ret_dims, int **ret_periods)
{
    void *dims = NULL;
    void *periods = NULL;
    const int count = info->comm_cart_num_dims;
    int result = give_two(info->comm_cart_dims, count, &dims, info->comm_cart_dims, count, &periods, sizeof(int));
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_dims = dims;
    *ret_periods = periods;
    for (int i = 0; i < count; i++)
        (*ret_periods)[i] = info->comm_cart_periods[i] != 0;
    return MPIDBG_SUCCESS;
}

int mpidbg_comm_query_topo(struct mpidbg_comm_handle_t *handle, int *ret_length, int **ret_dims_or_indexes,
                           int **ret_periods_or_edges)
{
    const struct comm_answer *answer = comm_of(handle);
    if (answer == NULL || ret_length == NULL || ret_dims_or_indexes == NULL || ret_periods_or_edges == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    const struct mpidbg_comm_info_t *info = &answer->info;
    void *indexes = NULL;
    void *edges = NULL;
    int result = MPIDBG_SUCCESS;
    if (info->comm_cart_num_dims > 0) {
        result = give_cartesian(info, ret_dims_or_indexes, ret_periods_or_edges);
        if (result == MPIDBG_SUCCESS)
            *ret_length = info->comm_cart_num_dims;
        return result;
    }
    const int nodes = info->comm_graph_num_nodes;
    /* The two lengths differ, both are of int. */
    result = give_two(info->comm_graph_index, nodes, &indexes, info->comm_graph_edges,
                      nodes > 0 ? info->comm_graph_index[nodes - 1] : 0, &edges, sizeof(int));
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_length = nodes;
    *ret_dims_or_indexes = indexes;
    *ret_periods_or_edges = edges;
    return MPIDBG_SUCCESS;
}

int mpidbg_comm_query_attrs(struct mpidbg_comm_handle_t *handle, int *ret_count,
                            struct mpidbg_attribute_pair_t *ret_pairs)
{
    const mqs_basic_callbacks *former;
    const struct comm_answer *answer = comm_of(handle);
    if (answer == NULL || ret_count == NULL || ret_pairs == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    struct second_attribute_pair *pairs = NULL;
    int code = attribute_pairs_second(answer->info.comm_attrs, answer->info.comm_num_attrs, &pairs);
    inquiry_leave(former);
    if (code != mqs_ok)
        return MPIDBG_ERR_NO_MEM;
    *ret_count = answer->info.comm_num_attrs;
    *(struct second_attribute_pair **)(void *)ret_pairs = pairs;
    return MPIDBG_SUCCESS;
}

int mpidbg_comm_query_requests(struct mpidbg_comm_handle_t *handle, int *ret_count, mqs_taddr_t **ret_requests)
{
    const struct comm_answer *answer = comm_of(handle);
    void *requests = NULL;
    if (answer == NULL || ret_count == NULL || ret_requests == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    int result = give_two(answer->info.comm_pending_requests, answer->info.comm_num_pending_requests, &requests, NULL,
                          0, NULL, sizeof(mqs_taddr_t));
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_count = answer->info.comm_num_pending_requests;
    *ret_requests = requests;
    return MPIDBG_SUCCESS;
}

int mpidbg_comm_query_derived(struct mpidbg_comm_handle_t *handle, int *ret_file_count, mqs_taddr_t **ret_files,
                              int *ret_window_count, mqs_taddr_t **ret_windows)
{
    const struct comm_answer *answer = comm_of(handle);
    void *files = NULL;
    void *windows = NULL;
    if (answer == NULL || ret_file_count == NULL || ret_files == NULL || ret_window_count == NULL ||
        ret_windows == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    const struct mpidbg_comm_info_t *info = &answer->info;
    int result = give_two(info->comm_derived_files, info->comm_num_derived_files, &files, info->comm_derived_windows,
                          info->comm_num_derived_windows, &windows, sizeof(mqs_taddr_t));
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_file_count = info->comm_num_derived_files;
    *ret_files = files;
    *ret_window_count = info->comm_num_derived_windows;
    *ret_windows = windows;
    return MPIDBG_SUCCESS;
}

int mpidbg_errhandler_query_basic(struct mpidbg_errhandler_handle_t *handle, char *ret_name,
                                  enum mpidbg_errhandler_info_bitmap_t *ret_flags, int *ret_fortran_handle,
                                  mqs_taddr_t *ret_cxx_handle)
{
    const struct errhandler_answer *answer = errhandler_of(handle);
    if (answer == NULL || ret_name == NULL || ret_flags == NULL || ret_fortran_handle == NULL || ret_cxx_handle == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    text_set(ret_name, MPIDBG_MAX_OBJECT_NAME, answer->info.eh_name);
    *ret_flags = (enum mpidbg_errhandler_info_bitmap_t)answer->tail.second_flags;
    *ret_fortran_handle = answer->info.eh_fortran_handle;
    *ret_cxx_handle = MPIDBG_ERR_UNAVAILABLE;
    return MPIDBG_SUCCESS;
}

int mpidbg_errhandler_query_handles(struct mpidbg_errhandler_handle_t *handle, int *ret_count,
                                    mqs_taddr_t **ret_handles)
{
    const struct errhandler_answer *answer = errhandler_of(handle);
    void *handles = NULL;
    if (answer == NULL || ret_count == NULL || ret_handles == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    int result = give_two(answer->info.eh_handles, answer->handle_count, &handles, NULL, 0, NULL, sizeof(mqs_taddr_t));
    if (result != MPIDBG_SUCCESS)
        return result;
    *ret_count = answer->handle_count;
    *ret_handles = handles;
    return MPIDBG_SUCCESS;
}

int mpidbg_errhandler_query_callback(struct mpidbg_errhandler_handle_t *handle, mqs_taddr_t *ret_function)
{
    const struct errhandler_answer *answer = errhandler_of(handle);
    if (answer == NULL || ret_function == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    *ret_function = answer->info.eh_callback_func;
    return MPIDBG_SUCCESS;
}
