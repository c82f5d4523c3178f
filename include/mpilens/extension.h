/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libmpilens_dll.so tells beyond the message-queue interface. For debuggers that want more than mqs_* can say; the
 * mpilens command uses nothing else. Every function is exported under C linkage and may be looked up by dlsym.
 *
 * Setting up is that of message_queue.h: mqs_setup_basic_callbacks, image, process. mqs_update_communicator_list takes
 * one copy of the state of the process; everything here describes that copy and stays the same until the next call of
 * it. An iterator has one position per process and kind.
 *
 * Results are those of mqs_*: mqs_ok, mqs_end_of_list, mqs_no_information, or a code for mqs_dll_error_string. On
 * anything but mqs_ok the output is untouched. Before the call, the caller sets `struct_size` of an output struct to
 * its sizeof; a DLL fills no more than that, so both sides may be of different versions (later ones only append
 * fields).
 *
 * Integers that are not known are -1 where signed and 0 where they are addresses, handles, serials or times. Ticks are
 * the target's; see mpilens_clock_information. Text is NUL-terminated.
 *
 * This file is the whole; extension_*.h are its parts.
 */
#ifndef MPILENS_EXTENSION_H
#define MPILENS_EXTENSION_H

#include "mpilens/extension_communicators.h"
#include "mpilens/extension_handles.h"
#include "mpilens/extension_objects.h"
#include "mpilens/extension_process.h"
#include "mpilens/extension_requests.h"
#include "mpilens/message_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPILENS_EXTENSION_VERSION 1

/* MPILENS_EXTENSION_VERSION of the DLL. */
int mpilens_extension_version(void);

/* --- codes of this DLL, beside the public ones; mqs_dll_error_string has a sentence for each --- */
enum mpilens_code {
    MPILENS_ERROR_NO_CALLBACKS = mqs_first_user_code, /* mqs_setup_basic_callbacks was not called */
    MPILENS_ERROR_NO_MEMORY,
    MPILENS_ERROR_BAD_ARGUMENT,
    MPILENS_ERROR_NOT_SET_UP,         /* the image or process was not set up */
    MPILENS_ERROR_RUNTIME_NOT_LOADED, /* no symbol mpilens_process: the process was started without mpilens run */
    MPILENS_ERROR_NOT_INITIALIZED,    /* the runtime is there; the process has not called MPI */
    MPILENS_ERROR_OTHER_MAJOR,        /* written by a runtime of another layout major */
    MPILENS_ERROR_UNREADABLE,         /* memory of the target could not be read */
    MPILENS_ERROR_CORRUPT,            /* memory of the target makes no sense */
    MPILENS_ERROR_NO_CURRENT,         /* the iterator has no current element */
    MPILENS_ERROR_INCONSISTENT,       /* the state kept changing while it was read */
    MPILENS_ERROR_BEYOND_BUDGET,      /* the state is said to be larger than it can be */
};

#ifdef __cplusplus
}
#endif

#endif
