/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmpilens_dll.so, loaded: its public entry points.
 */
#ifndef INSPECT_DLL_H
#define INSPECT_DLL_H

#include "mpilens/extension.h"
#include "reason.h"

#define DLL_FUNCTIONS(F)                                                                                               \
    F(mqs_setup_basic_callbacks)                                                                                       \
    F(mqs_version_string)                                                                                              \
    F(mqs_version_compatibility)                                                                                       \
    F(mqs_dll_taddr_width)                                                                                             \
    F(mqs_dll_error_string)                                                                                            \
    F(mqs_setup_image)                                                                                                 \
    F(mqs_image_has_queues)                                                                                            \
    F(mqs_destroy_image_info)                                                                                          \
    F(mqs_setup_process)                                                                                               \
    F(mqs_process_has_queues)                                                                                          \
    F(mqs_destroy_process_info)                                                                                        \
    F(mqs_update_communicator_list)                                                                                    \
    F(mqs_setup_communicator_iterator)                                                                                 \
    F(mqs_get_communicator)                                                                                            \
    F(mqs_get_comm_group)                                                                                              \
    F(mqs_next_communicator)                                                                                           \
    F(mqs_setup_operation_iterator)                                                                                    \
    F(mqs_next_operation)                                                                                              \
    F(mpilens_extension_version)                                                                                       \
    F(mpilens_get_clock)                                                                                               \
    F(mpilens_get_process)                                                                                             \
    F(mpilens_setup_thread_iterator)                                                                                   \
    F(mpilens_next_thread)                                                                                             \
    F(mpilens_get_waiting)                                                                                             \
    F(mpilens_get_communicator)                                                                                        \
    F(mpilens_get_comm_remote_group)                                                                                   \
    F(mpilens_get_collective_class)                                                                                    \
    F(mpilens_setup_collective_iterator)                                                                               \
    F(mpilens_next_collective)                                                                                         \
    F(mpilens_get_operation)                                                                                           \
    F(mpilens_setup_completed_iterator)                                                                                \
    F(mpilens_next_completed)                                                                                          \
    F(mpilens_setup_channel_iterator)                                                                                  \
    F(mpilens_next_channel)                                                                                            \
    F(mpilens_setup_message_iterator)                                                                                  \
    F(mpilens_next_message)                                                                                            \
    F(mpilens_setup_request_iterator)                                                                                  \
    F(mpilens_next_request)                                                                                            \
    F(mpilens_setup_object_iterator)                                                                                   \
    F(mpilens_next_object)                                                                                             \
    F(mpilens_get_window)                                                                                              \
    F(mpilens_get_window_locks)                                                                                        \
    F(mpilens_get_window_group)                                                                                        \
    F(mpilens_get_file)

/* A member per entry point, under its name. */
struct dll {
    void *library;
#define DLL_MEMBER(function) __typeof__(function) *function; /* NOLINT(bugprone-macro-parentheses): a declaration */
    DLL_FUNCTIONS(DLL_MEMBER)
#undef DLL_MEMBER
};

/* Loads the DLL and gives it the callbacks. `path` NULL: the one that belongs to this command, found relative to it.
 * Returns 0 and a DLL to be closed, or -1 and a reason. */
int dll_open(const char *path, struct dll *ret_dll, struct reason *ret_reason);
void dll_close(struct dll *dll);

#endif
