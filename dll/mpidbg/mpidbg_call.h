/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame of mpidbg.h's entry points: a call of them looks at the process aside from mqs_*, with callbacks of its
 * own.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_CALL_H
#define MPILENS_DLL_MPIDBG_MPIDBG_CALL_H

#include "mpidbg/mpidbg_callbacks.h"
#include "mpilens/mpidbg.h"
#include "process/process_info.h"

struct inquiry {
    mqs_process_info *info; /* what this interface keeps for the process */
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

/* What a call does between these two. mqs_ok or a code. */
typedef int inquiry_work(const struct inquiry *, void *context);

/* The frame of a whole call: begins, works, ends. */
int inquiry_run(mqs_process *process, mqs_process_info *given, inquiry_work *work, void *context);

/* Of the object that was found last; zeros where there is none. */
void inquiry_get_handle(const struct inquiry *inquiry, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle);

/* Flags that all kinds have in one form or another. */
bool inquiry_is_freed(const struct mpilens_object_information *object);
/* The object is the current one, or none is. */
bool inquiry_is_gone(const struct inquiry *inquiry, const struct mpilens_object_information *object);

#endif
