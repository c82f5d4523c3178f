/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frames of queries.
 */
#include "mpidbg/mpidbg_internal.h"

#include "replies/replies.h"

struct query {
    mqs_taddr_t handle;
    make_answer *make;
    void *answer; /* made */
};

static int work_on(const struct inquiry *inquiry, void *context)
{
    struct query *query = context;
    return query->make(inquiry, query->handle, &query->answer);
}

int query_run(mqs_process *process, mqs_process_info *given, mqs_taddr_t handle, make_answer *make, void **ret_answer)
{
    struct query query = {handle, make, NULL};
    int result = inquiry_run(process, given, work_on, &query);
    if (result == MPIDBG_SUCCESS)
        *ret_answer = query.answer;
    return result;
}

struct object_query_run {
    const struct object_query *query;
    mqs_taddr_t handle;
    void *answer; /* made */
};

static int work_on_object(const struct inquiry *inquiry, void *context)
{
    struct object_query_run *run = context;
    const struct object_query *query = run->query;
    struct mpilens_object_information object = {.struct_size = sizeof object};
    int code = reply_find_object(inquiry->info, query->kind, MPILENS_HANDLE_C, run->handle, &object);
    if (code != mqs_ok)
        return code;
    void *answer = pool_begin(query->answer_bytes);
    if (answer == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = answer_object(inquiry, &object, answer, answer);
    if (code == mqs_ok)
        code = query->fill(inquiry, &object, answer);
    return answer_finish(answer, code, &run->answer);
}

int query_run_object(mqs_process *process, mqs_process_info *given, const struct object_query *query,
                     mqs_taddr_t handle, void **ret_answer)
{
    struct object_query_run run = {query, handle, NULL};
    int result = inquiry_run(process, given, work_on_object, &run);
    if (result == MPIDBG_SUCCESS)
        *ret_answer = run.answer;
    return result;
}
