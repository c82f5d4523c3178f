/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points `mpidbg_*`.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_INTERNAL_H
#define MPILENS_DLL_MPIDBG_MPIDBG_INTERNAL_H

#include "mpilens/message_queue.h"
#include "mpilens/mpidbg.h"
#include "process/process.h"

#include <stdbool.h>
#include <stddef.h>

/* -- mpidbg_callbacks.c -- The debugger's callbacks as given to mpidbg_init_once, which may differ from the callbacks
 * of the message queue interface.
 */

/* NULL: none any more. Those from before. */
const mqs_basic_callbacks *inquiry_use_callbacks(const mqs_basic_callbacks *given);

/* They are in use from here to inquiry_leave. NULL: there are none, and nothing to leave. */
const mqs_basic_callbacks *inquiry_enter(const mqs_basic_callbacks **ret_former);
void inquiry_leave(const mqs_basic_callbacks *former);

/* Zeroed memory of the debugger, NULL: none. */
void *inquiry_allocate(size_t count, size_t bytes);

/* Frees one block. MPIDBG_ERR_NOT_FOUND: it is NULL. */
int inquiry_release(void *object);

/* -- mpidbg_call.c --
 * The frame of mpidbg.h's entry points: a call of them looks at the process aside from mqs_*, with callbacks of its
 * own.
 */

struct inquiry {
    mqs_process_info *info; /* state of this interface for the process */
    const mqs_basic_callbacks *former;
};

/* The info of the process where mpidbg_init_per_process was called on it, `given` or what hangs on it; NULL: none. */
mqs_process_info *inquiry_process_info(mqs_process *process, mqs_process_info *given);

/* Replies about inquiry->info are about a current copy, from here to inquiry_end. On anything but MPIDBG_SUCCESS there
 * is nothing to end. */
int inquiry_begin(mqs_process *process, mqs_process_info *given, struct inquiry *inquiry);
void inquiry_end(const struct inquiry *inquiry);

/* For a code of the DLL. */
int inquiry_result(int code);

/* The work of a call between these two. mqs_ok or a code. */
typedef int inquiry_work(const struct inquiry *, void *context);

/* The frame of a whole call: begins, works, ends. */
int inquiry_run(mqs_process *process, mqs_process_info *given, inquiry_work *work, void *context);

/* The handle of the object that was found last; zeros where there is none. */
void inquiry_get_handle(const struct inquiry *inquiry, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle);

/* Flags that all kinds have in one form or another. */
bool inquiry_is_freed(const struct mpilens_object_information *object);
/* The object is the current one, or none is. */
bool inquiry_is_gone(const struct inquiry *inquiry, const struct mpilens_object_information *object);

/* -- mpidbg_pool.c --
 * Answers that own all that they refer to: blocks of the debugger's memory behind one object.
 */

/* A zeroed object; NULL: no memory. The functions here take it. */
void *pool_begin(size_t bytes);

/* Zeroed memory of the object, NULL where `count` is 0; NULL without memory, and then it has failed. */
void *pool_take(void *object, size_t count, size_t item_bytes);

/* A copy of the text; never NULL. */
char *pool_text(void *object, const char *text);

bool pool_has_failed(const void *object);

/* Frees all of it, with the callbacks in use. */
void pool_end(void *object);

/* pool_end as an entry point. */
int pool_handle_free(void *object);

/* -- mpidbg_answer_parts.c -- The common part of answers about objects. An answer, from pool_begin, is handed to the
 * debugger.
 */

/* Gives an answer of pool_begin where `code` is mqs_ok and it has all of its memory; else ends it. mqs_ok or a code. */
int answer_finish(void *answer, int code, void **ret_answer);

/* Fills the common head of an answer. Leaves the current object. */
int answer_object(const struct inquiry *inquiry, const struct mpilens_object_information *object, void *answer,
                  struct mpidbg_object_info_t *ret_object);

/* Key and value pairs of the current object; *ret_count -1: not known. */
int answer_pairs(const struct inquiry *inquiry, void *answer, int *ret_count, struct mpidbg_key_value_t **ret_pairs);

/* World ranks of the current group's members; none where they are not known. */
int answer_processes(const struct inquiry *inquiry, void *answer, int *ret_count,
                     struct mpidbg_process_t **ret_processes);

/* A copy that belongs to the answer. */
void answer_keep(void *answer, const void *items, size_t count, size_t item_bytes, void **ret_copy);

/* References; they move the current object. Of handle 0, or what is not known: all zero, the name is "". */
void answer_refer(const struct inquiry *inquiry, void *answer, int kind, uint64_t handle,
                  struct mpidbg_reference_t *ret_reference);
void answer_refer_to_communicator(const struct inquiry *inquiry, void *answer, uint64_t unique_id,
                                  struct mpidbg_reference_t *ret_reference);
struct mpidbg_reference_t answer_no_reference(void *answer);

/* -- mpidbg_answers.c -- The results of mpidbg_X_query: the struct of 2007, and behind it private data for the
 * functions of 2009. All in one block, so that a debugger that knows only the struct frees all of it. Debuggers of 2007
 * free the arrays and the struct themselves, with mqs_free: so these answers are no pools (mpidbg_pool.c), which have
 * something before the struct.
 */

#if MPIDBG_GENERATION != 2007
#error "the bits and pairs of 2007 are meant here"
#endif

/* Bits of 2009 that collide with bits of 2007, and pairs of 2009. */
enum {
    SECOND_COMM_HANDLE_C = 0x100,
    SECOND_ERRH_FORTRAN_CALLBACK = 0x20,
    SECOND_ERRH_FREED_HANDLE = 0x80,
    SECOND_ERRH_FREED_OBJECT = 0x100,
};
struct second_attribute_pair {
    char *keyval_name;
    char *value;
    int keyval;
};

/* Marks an answer of this DLL that was not freed. */
#define ANSWER_MARK UINT64_C(0x6d70696462672121)

enum answer_kind { ANSWER_COMM = 1, ANSWER_ERRHANDLER, ANSWER_REQUEST, ANSWER_STATUS };

struct answer_tail {
    uint64_t mark;
    enum answer_kind kind;
    int second_flags; /* as of 2009 */
};

struct comm_answer {
    struct mpidbg_comm_info_t info;
    struct answer_tail tail;
};

struct errhandler_answer {
    struct mpidbg_errhandler_info_t info;
    struct answer_tail tail;
    int handle_count; /* eh_refcount, not cut */
};

struct request_answer {
    struct mpidbg_request_info_t info;
    struct answer_tail tail;
};

struct status_answer {
    struct mpidbg_status_info_t info;
    struct answer_tail tail;
};

/* Frees the arrays of the struct, then the struct, with the callbacks in use. */
void comm_answer_free(struct comm_answer *answer);
void errhandler_answer_free(struct errhandler_answer *answer);

/* -- mpidbg_attributes.c --
 * Attributes as pairs of texts.
 */

/* Attributes of the current object, with their texts in one block; NULL where there are none. Moves the current object.
 * mqs_ok or a code. */
int attribute_pairs_list(const struct inquiry *inquiry, int *ret_count, struct mpidbg_attribute_pair_t **ret_pairs);

/* A copy of these as of 2009. */
int attribute_pairs_second(const struct mpidbg_attribute_pair_t *pairs, int count,
                           struct second_attribute_pair **ret_pairs);

/* -- mpidbg_names.c --
 * Predefined handles and their names, which the interface has in variables of the DLL.
 */

/* Makes the names of predefined handles belong to this process from now on ... */
void inquiry_want_names(const mqs_process_info *info);
/* ... are learned, where they are not known yet. No memory: none ... */
void inquiry_learn_names(mqs_process_info *info);
/* ... and removes them if they belong to this process. */
void inquiry_forget_names(const mqs_process_info *info);

/* -- mpidbg_query.c --
 * Queries: the entry points that make an answer about one handle, and those that free it.
 */

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

/* As query_run, with an answer from pool_begin. */
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
