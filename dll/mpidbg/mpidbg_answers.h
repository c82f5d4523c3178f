/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What mpidbg_X_query gives: the struct of 2007, and behind it what only the functions of 2009 ask for. All in one
 * block, so that a debugger that knows only the struct frees all of it. Debuggers of 2007 free the arrays and the
 * struct themselves, with mqs_free: so these answers are no pools (mpidbg_pool.h), which have something before the
 * struct.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_ANSWERS_H
#define MPILENS_DLL_MPIDBG_MPIDBG_ANSWERS_H

#include "mpilens/mpidbg.h"

#include <stdbool.h>

#if MPIDBG_GENERATION != 2007
#error "the bits and pairs of 2007 are meant here"
#endif

/* Bits and pairs of 2009 that collide with those of 2007. */
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

/* What tells an answer of this DLL that was not freed. */
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

#endif
