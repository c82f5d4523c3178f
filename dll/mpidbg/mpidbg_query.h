/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points that ask and free, of one kind.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_QUERY_H
#define MPILENS_DLL_MPIDBG_MPIDBG_QUERY_H

#include "mpidbg/mpidbg_inquire.h"

/* Types cannot be in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define MPIDBG_QUERY_AS(query, kind, answer_type, fill)                                                                \
    int query(MPIDBG_CONTEXT, mqs_taddr_t handle, answer_type **ret_info)                                              \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        static const struct question question = {(kind), sizeof(answer_type), (fill)};                                 \
        void *answer = NULL;                                                                                           \
        int result = ret_info ? inquire(process, process_info, &question, handle, &answer) : MPIDBG_ERR_NOT_FOUND;     \
        if (result == MPIDBG_SUCCESS)                                                                                  \
            *ret_info = answer;                                                                                        \
        return result;                                                                                                 \
    }

/* The same about what is no object: `answer` is an inquiry_answer, `argument` the name of the parameter. */
#define MPIDBG_ANSWER_AS(query, argument, answer_type, answer)                                                         \
    int query(MPIDBG_CONTEXT, mqs_taddr_t argument, answer_type **ret_info)                                            \
    {                                                                                                                  \
        (void)image;                                                                                                   \
        (void)image_info;                                                                                              \
        void *made = NULL;                                                                                             \
        int result =                                                                                                   \
            ret_info ? inquiry_query(process, process_info, argument, (answer), &made) : MPIDBG_ERR_NOT_FOUND;         \
        if (result == MPIDBG_SUCCESS)                                                                                  \
            *ret_info = made;                                                                                          \
        return result;                                                                                                 \
    }

#define MPIDBG_FREE_AS(free_function, answer_type)                                                                     \
    int free_function(answer_type *answer)                                                                             \
    {                                                                                                                  \
        return pool_handle_free(answer);                                                                               \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

#define MPIDBG_QUERY(name, kind)                                                                                       \
    MPIDBG_QUERY_AS(mpidbg_##name##_query, kind, struct mpidbg_##name##_info_t, fill_##name)                           \
    MPIDBG_FREE_AS(mpidbg_##name##_handle_free, struct mpidbg_##name##_info_t)

#endif
