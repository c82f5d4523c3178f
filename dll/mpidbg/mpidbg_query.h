/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries: the entry points that make an answer about one handle, and those that free it.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_QUERY_H
#define MPILENS_DLL_MPIDBG_MPIDBG_QUERY_H

#include "mpidbg/mpidbg_pool.h"

/* Makes the answer about a handle, in memory of the debugger. mqs_ok or a code. */
typedef int make_answer(const struct inquiry *inquiry, mqs_taddr_t handle, void **ret_answer);

/* A whole query: MPIDBG_SUCCESS and an answer, or a code. */
int query_run(mqs_process *process, mqs_process_info *given, mqs_taddr_t handle, make_answer *make, void **ret_answer);

/* Fills an answer about the current object, of which what all kinds have is there; of a null handle there is no current
 * object, and texts must be there all the same. mqs_ok or a code. It may move the current object. */
typedef int fill_answer(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer);

/* Queries about objects of one kind. */
struct object_query {
    int kind; /* enum mpilens_object_kind */
    size_t answer_bytes;
    fill_answer *fill;
};

/* The same as query_run, with an answer from pool_begin. */
int query_run_object(mqs_process *process, mqs_process_info *given, const struct object_query *query,
                     mqs_taddr_t handle, void **ret_answer);

/* Types cannot be in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define MPIDBG_OBJECT_QUERY(query, kind, answer_type, fill)                                                            \
    int query(MPIDBG_CONTEXT, mqs_taddr_t handle, answer_type **ret_info)                                              \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        static const struct object_query object_query = {(kind), sizeof(answer_type), (fill)};                         \
        void *answer = NULL;                                                                                           \
        int result = ret_info != NULL ? query_run_object(process, process_info, &object_query, handle, &answer)        \
                                      : MPIDBG_ERR_NOT_FOUND;                                                          \
        if (result == MPIDBG_SUCCESS)                                                                                  \
            *ret_info = answer;                                                                                        \
        return result;                                                                                                 \
    }

/* The same about what is no object: `make` makes the answer, `argument` the name of the parameter. */
#define MPIDBG_OTHER_QUERY(query, argument, answer_type, make)                                                         \
    int query(MPIDBG_CONTEXT, mqs_taddr_t argument, answer_type **ret_info)                                            \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        void *answer = NULL;                                                                                           \
        int result =                                                                                                   \
            ret_info != NULL ? query_run(process, process_info, argument, (make), &answer) : MPIDBG_ERR_NOT_FOUND;     \
        if (result == MPIDBG_SUCCESS)                                                                                  \
            *ret_info = answer;                                                                                        \
        return result;                                                                                                 \
    }

#define MPIDBG_FREE(free_function, answer_type)                                                                        \
    int free_function(answer_type *answer)                                                                             \
    {                                                                                                                  \
        return pool_handle_free(answer);                                                                               \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

#define MPIDBG_QUERY(name, kind)                                                                                       \
    MPIDBG_OBJECT_QUERY(mpidbg_##name##_query, kind, struct mpidbg_##name##_info_t, fill_##name)                       \
    MPIDBG_FREE(mpidbg_##name##_handle_free, struct mpidbg_##name##_info_t)

#endif
