/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmpilens_dll.so, loaded: its public entry points.
 */
#ifndef MPILENS_INSPECT_COLLECT_DLL_H
#define MPILENS_INSPECT_COLLECT_DLL_H

#include "base/reason.h"
#include "mpilens/extension.h"

/* Those that the command calls of every library of the interface, also of a vendor. */
#define MQS_FUNCTIONS(F)                                                                                               \
    F(mqs_setup_basic_callbacks)                                                                                       \
    F(mqs_version_compatibility)                                                                                       \
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
    F(mqs_next_communicator)                                                                                           \
    F(mqs_setup_operation_iterator)                                                                                    \
    F(mqs_next_operation)

#define DLL_FUNCTIONS(F)                                                                                               \
    MQS_FUNCTIONS(F)                                                                                                   \
    F(mqs_version_string)                                                                                              \
    F(mqs_dll_taddr_width)                                                                                             \
    F(mqs_get_comm_group)                                                                                              \
    F(mpilens_extension_version)                                                                                       \
    F(mpilens_get_clock)                                                                                               \
    F(mpilens_get_process)                                                                                             \
    F(mpilens_get_freed_objects)                                                                                       \
    F(mpilens_identify_process)                                                                                        \
    F(mpilens_setup_thread_iterator)                                                                                   \
    F(mpilens_next_thread)                                                                                             \
    F(mpilens_next_poll)                                                                                               \
    F(mpilens_get_waiting)                                                                                             \
    F(mpilens_get_failed_calls)                                                                                        \
    F(mpilens_get_communicator)                                                                                        \
    F(mpilens_get_comm_remote_group)                                                                                   \
    F(mpilens_get_collective_class)                                                                                    \
    F(mpilens_setup_collective_iterator)                                                                               \
    F(mpilens_next_collective)                                                                                         \
    F(mpilens_get_collective_amounts)                                                                                  \
    F(mpilens_get_collective_marks)                                                                                    \
    F(mpilens_get_operation)                                                                                           \
    F(mpilens_setup_completed_iterator)                                                                                \
    F(mpilens_next_completed)                                                                                          \
    F(mpilens_setup_channel_iterator)                                                                                  \
    F(mpilens_next_channel)                                                                                            \
    F(mpilens_setup_message_iterator)                                                                                  \
    F(mpilens_next_message)                                                                                            \
    F(mpilens_get_unexpected)                                                                                          \
    F(mpilens_setup_request_iterator)                                                                                  \
    F(mpilens_next_request)                                                                                            \
    F(mpilens_get_partitions)                                                                                          \
    F(mpilens_setup_object_iterator)                                                                                   \
    F(mpilens_next_object)                                                                                             \
    F(mpilens_get_window)                                                                                              \
    F(mpilens_get_window_locks)                                                                                        \
    F(mpilens_get_window_group)                                                                                        \
    F(mpilens_get_file)                                                                                                \
    F(mpilens_setup_object_collective_iterator)                                                                        \
    F(mpilens_next_object_collective)                                                                                  \
    F(mpilens_match_messages)

/* Those about one handle. */
#define DLL_HANDLE_FUNCTIONS(F)                                                                                        \
    F(mpilens_get_op)                                                                                                  \
    F(mpilens_get_errhandler)                                                                                          \
    F(mpilens_get_keyval)                                                                                              \
    F(mpilens_get_session)                                                                                             \
    F(mpilens_get_datatype)                                                                                            \
    F(mpilens_get_group)                                                                                               \
    F(mpilens_find_object)                                                                                             \
    F(mpilens_find_object_by_serial)                                                                                   \
    F(mpilens_find_request)                                                                                            \
    F(mpilens_get_communicator_object)                                                                                 \
    F(mpilens_get_summary)                                                                                             \
    F(mpilens_summarize_request)                                                                                       \
    F(mpilens_summarize_status)                                                                                        \
    F(mpilens_setup_object_page)                                                                                       \
    F(mpilens_setup_request_page)                                                                                      \
    F(mpilens_setup_status_page)                                                                                       \
    F(mpilens_next_page_line)                                                                                          \
    F(mpilens_handle_bytes)                                                                                            \
    F(mpilens_get_handle)                                                                                              \
    F(mpilens_setup_user_iterator)                                                                                     \
    F(mpilens_next_user)                                                                                               \
    F(mpilens_get_members)                                                                                             \
    F(mpilens_get_topology)                                                                                            \
    F(mpilens_get_topology_values)                                                                                     \
    F(mpilens_setup_attribute_iterator)                                                                                \
    F(mpilens_next_attribute)                                                                                          \
    F(mpilens_get_text_pair)                                                                                           \
    F(mpilens_get_datatype_contents)                                                                                   \
    F(mpilens_get_datatype_arguments)                                                                                  \
    F(mpilens_get_datatype_argument)                                                                                   \
    F(mpilens_combiner_name)                                                                                           \
    F(mpilens_setup_type_map_iterator)                                                                                 \
    F(mpilens_get_element_runs)                                                                                        \
    F(mpilens_get_type_holes)                                                                                          \
    F(mpilens_next_type_map_entry)                                                                                     \
    F(mpilens_get_status)                                                                                              \
    F(mpilens_status_bytes)

/* A member per entry point, under its name. */
struct dll {
    void *library;
#define DLL_MEMBER(function) __typeof__(function) *function; /* NOLINT(bugprone-macro-parentheses): a declaration */
    DLL_FUNCTIONS(DLL_MEMBER)
    DLL_HANDLE_FUNCTIONS(DLL_MEMBER)
#undef DLL_MEMBER
};

/* Loads the DLL and gives it the callbacks. `path` NULL: the one that belongs to this command, found relative to it.
 * Returns 0 and a DLL to be closed, or -1 and a reason. */
int dll_open(const char *path, struct dll *ret_dll, struct reason *ret_reason);
void dll_close(struct dll *dll);

/* Before anything is set up. What a thread has set up that was left behind (base/blocked_read.h) is never destroyed:
 * the DLL takes it for another debugger's from now on, and does not read it for what is set up next. */
void dll_keep_apart(const struct dll *dll);

#endif
