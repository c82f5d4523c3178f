/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The answers of libmpilens_dll.so beyond the message-queue interface. The mpilens command uses nothing else. Every
 * function is exported under C linkage and may be looked up by dlsym.
 *
 * Set up the DLL as in message_queue.h: mqs_setup_basic_callbacks, image, process. mqs_update_communicator_list takes
 * one copy of the state of the process; everything here describes that copy and stays the same until the next call of
 * it. An iterator has one position per process and kind.
 *
 * Functions return mqs_ok, mqs_end_of_list, mqs_no_information, or a code for mqs_dll_error_string. On anything but
 * mqs_ok the output is untouched. Before the call, the caller sets `struct_size` of an output struct to its sizeof; a
 * DLL fills no more than that, so both sides may be of different versions (later ones only append fields).
 *
 * Integers that are not known are -1 where signed and 0 where they are addresses, handles, serials or times. Ticks are
 * the target's; see mpilens_clock_information. Text is NUL-terminated.
 *
 * This file is the whole; extension_*.h are its parts.
 */
#ifndef MPILENS_EXTENSION_H
#define MPILENS_EXTENSION_H

#include "mpilens/errors.def"
#include "mpilens/extension_communicators.h"
#include "mpilens/extension_handles.h"
#include "mpilens/extension_matching.h"
#include "mpilens/extension_objects.h"
#include "mpilens/extension_pages.h"
#include "mpilens/extension_process.h"
#include "mpilens/extension_requests.h"
#include "mpilens/message_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPILENS_EXTENSION_VERSION 1

/* MPILENS_EXTENSION_VERSION of the DLL. */
int mpilens_extension_version(void);

/* --- codes of this DLL, beside the public ones; errors.def says what each means, and mqs_dll_error_string has that
 * sentence --- */
enum mpilens_code {
#define MPILENS_CODE(constant, number, mpidbg_result, mpid_result, text) constant = (number),
    MPILENS_OWN_CODES(MPILENS_CODE)
#undef MPILENS_CODE
};

#ifdef __cplusplus
}
#endif

#endif
