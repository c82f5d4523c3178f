/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command as a debugger: from the DLL to the model.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_H
#define MPILENS_INSPECT_COLLECT_COLLECT_H

#include "base/base.h"
#include "discover/discover.h"
#include "model/model.h"
#include "mpilens/extension.h"
#include "target/target.h"

struct vendor_dll;

/* -- dll.c --
 * libmpilens_dll.so, loaded: its public entry points.
 */

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

/* Before anything is set up. Processes that a thread left behind (base/blocked_read.c) had set up are never destroyed:
 * the DLL treats them as another debugger's from now on, and does not read them for later processes. */
void dll_keep_apart(const struct dll *dll);

/* -- collection.c --
 * One process that the DLL is set up for, while it is read. For collect*.c and handle_collect*.c only.
 */

struct collection {
    const struct dll *dll;
    mqs_process *handle;
    struct target *target;
    struct tick_clock clock;
    struct text_pool *names;
    struct group_pool *groups;
    struct operation_details_pool *details;
};

/* The result for a list whose reading ended with `code`: mqs_ok at its end, or if there is nothing to read. */
int collection_end(int code);

/* -- collect.c --
 * From the DLL to the model: reads one process.
 */

enum collect_depth {
    COLLECT_PROCESS, /* identity only, without contents */
    COLLECT_SAMPLE,  /* threads, communicators and operations too */
    COLLECT_ALL,     /* and the places of all of them in the source */
};

/* The parts of a process to read. */
struct collect_plan {
    enum collect_depth depth;
    /* Reads more of the copy that the rest was read from; NULL: nothing. `process` has the rest. */
    void (*more)(const struct collection *collection, const struct process *process, void *context);
    void *context;
    struct tick_moment *moment; /* at which ages are taken; NULL: when the process is read */
    bool is_recorded;           /* targets keep a recording of their answers, see target_record() */
};

/* Fills `process` from `target` (which stays the caller's); names and groups go into the pools of `job`. Returns 0, or
 * -1 and a reason; then `process` is unchanged, except that it may be marked as lacking tables, or as before MPI. */
int collect_process(const struct dll *dll, struct target *target, const struct collect_plan *plan, struct job *job,
                    struct process *process, struct reason *ret_reason);

/* -- collect_objects.c --
 * From the DLL to the model: requests, windows, files and other objects.
 */

/* The requests outside all queues, the objects, and the process's memory of freed ones. All return mqs_ok, or a code
 * of the DLL; data read until then stays in the model. */
int collect_requests(const struct collection *collection, struct process *process);
int collect_objects(const struct collection *collection, struct process *process);
int collect_freed_objects(const struct collection *collection, struct process *process);
struct operation collection_operation(const struct collection *collection,
                                      const struct mpilens_operation_information *information);

/* The window or file that is the DLL's current object; NULL: it is none. */
struct window *collect_window(const struct collection *collection);
struct file *collect_file(const struct collection *collection);

/* -- job_origin.c -- The start of a job: its user, time and command.
 */

/* The name of the user, or the number of one that has none. The caller frees it. */
char *name_user(uid_t user);
/* Notes user, command and start of the job, as /proc has them of its first process that is alive here. */
void job_note_origin(struct job *job);

/* -- job_processes.c --
 * The processes of a job on their way into the model.
 */

/* Append a process that is still to be read; `rank` -1: not known yet. */
struct process *add_process(struct job *job, int rank);
void add_live_process(struct job *job, pid_t pid, int rank);
void add_core(struct job *job, const char *path);

/* Says why the process cannot be read, unless something has said it before. */
void set_unread(struct process *process, const struct reason *reason);

/* Reads all readable processes; with `stop`, freezes all live ones together, to see them at one moment. All ages end
 * when reading begins. */
void read_processes(const struct dll *dll, struct job *job, bool stop, const struct collect_plan *plan);

/* Computes the common facts of the processes: order, size and MPI of the job. */
void settle_processes(struct job *job);
/* And what must be found out once only, when all processes are there: unexpected messages, places. */
void complete_job(const struct dll *dll, struct job *job, enum collect_depth depth);

/* Ranks without a process are absent, for that reason. */
void job_note_absent(struct job *job, const char *reason);
/* Adds the ranks of a job that was found and read that have no process here. */
void add_missing_ranks(const struct found_job *found, struct job *job);

/* Reads a job that was found, and adds the ranks of it that have no process here. The model says why what could not be
 * read could not. */
void read_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                    struct job *ret_job);
/* As read_found_job, without completing the job: processes of other parts of it may be added. */
void gather_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                      struct job *ret_job);

/* -- vendor_dll.c --
 * The message queues of a process without the runtime, by the debugger library of its MPI's vendor, as far as that
 * finds the debug information of the MPI that it needs.
 */

/* Loads the library that the user has named; it runs in this process. 0 and a library to be closed, or -1 and a reason:
 * it is none of the message-queue interface. */
int vendor_dll_open(const char *path, struct vendor_dll **ret_dll, struct reason *ret_reason);
void vendor_dll_close(struct vendor_dll *dll); /* NULL is fine */

/* Fills the communicators of the process, which lacks tables, with their queues. 0, or -1 and a reason, in words of the
 * library; then the process is as it was. */
int vendor_dll_collect(const struct vendor_dll *dll, struct job *job, struct process *process,
                       struct reason *ret_reason);
/* As vendor_dll_collect, for all processes of the job that lack tables and live or have cores here, with the library
 * of `path`. 0, or -1 and a reason: not such a library, or it can read none of them; these keep their other facts. */
int vendor_dll_collect_job(const char *path, struct job *job, struct reason *ret_reason);

#endif
