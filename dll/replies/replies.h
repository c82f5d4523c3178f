/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The answers of the extension, pages among them, about what any of the interfaces keeps for a process.
 */
#ifndef MPILENS_DLL_REPLIES_REPLIES_H
#define MPILENS_DLL_REPLIES_REPLIES_H

#include "facts/facts.h"
#include "process/process.h"
#include "snapshot/snapshot.h"

/* -- mqs_communicators.c --
 * Replies about the communicator at which the iterator stands.
 */

int reply_get_communicator_object(mqs_process_info *info, struct mpilens_communicator_information *ret_communicator);

/* -- datatypes.c --
 * Replies about what datatypes were made of.
 */

const char *reply_combiner_name(uint32_t combiner);
int reply_get_datatype_contents(mqs_process_info *info, struct mpilens_datatype_contents *ret_contents);
int reply_get_datatype_arguments(mqs_process_info *info, int64_t *ret_arguments, size_t capacity, size_t *ret_count);
int reply_get_datatype_argument(mqs_process_info *info, size_t n, struct mpilens_object_information *ret_object);

/* -- files.c --
 * Replies about files.
 */

int reply_get_file(mqs_process_info *info, struct mpilens_file_information *ret_file);

/* -- handles.c --
 * Replies that find what a handle names.
 */

int reply_find_object(mqs_process_info *info, int kind, enum mpilens_handle_language language, uint64_t handle,
                      struct mpilens_object_information *ret_object);
int reply_find_object_by_serial(mqs_process_info *info, int kind, uint32_t serial,
                                struct mpilens_object_information *ret_object);
int reply_find_request(mqs_process_info *info, enum mpilens_handle_language language, uint64_t handle,
                       struct mpilens_operation_information *ret_request);
int reply_handle_bytes(mqs_process_info *info, int kind);
int reply_get_handle(mqs_process_info *info, struct mpilens_handle_information *ret_handle);
/* The handle of what reply_find_object has found, a null handle too. */
int reply_get_handle_of(mqs_process_info *info, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle);

/* -- matching_members.c --
 * Replies about the members of groups and communicators.
 */

int reply_get_members(mqs_process_info *info, int remote, struct mpilens_rank_range *ret_ranges, size_t capacity,
                      size_t *ret_count);

/* -- objects.c --
 * Replies about objects of every kind, and what only some kinds have. Windows and files have their own
 * files.
 */

int reply_setup_object_iterator(mqs_process_info *info, int kind);
int reply_next_object(mqs_process_info *info, struct mpilens_object_information *ret_object);
int reply_get_op(mqs_process_info *info, struct mpilens_op_information *ret_op);
int reply_get_errhandler(mqs_process_info *info, struct mpilens_errhandler_information *ret_errhandler);
int reply_get_keyval(mqs_process_info *info, struct mpilens_keyval_information *ret_keyval);
int reply_get_session(mqs_process_info *info, struct mpilens_session_information *ret_session);
int reply_get_datatype(mqs_process_info *info, struct mpilens_datatype_information *ret_datatype);
int reply_get_group(mqs_process_info *info, struct mpilens_group_information *ret_group);

/* -- page_communicator.c --
 * Pages of communicators and groups. The object is the current one, in a whole copy.
 */

void page_communicator(struct page_lines *page, mqs_process_info *info);
void page_group(struct page_lines *page, mqs_process_info *info);

/* -- page_datatype.c --
 * The page of a datatype: its constructors, one below the other, and its type map.
 */

void page_datatype(struct page_lines *page, const struct reading *reading, const struct mpilens_datatype *datatype);

/* -- page_memory.c --
 * Pages of windows and files. The object is the current one, in a whole copy.
 */

void page_window(struct page_lines *page, mqs_process_info *info);
void page_file(struct page_lines *page, mqs_process_info *info);

/* -- page_parts.c --
 * Lines that several pages have.
 */

/* Adds the communicator with this unique_id; nothing where that is not known. */
void page_communicator_name(struct page_lines *page, const struct reading *reading, const char *label,
                            uint64_t unique_id);
/* "yes", "no" */
void page_truth(struct page_lines *page, const char *label, bool truth);
/* "0x8000" */
void page_hexadecimal(struct page_lines *page, const char *label, uint64_t number);

/* -- page_request.c --
 * Pages of requests, statuses and messages.
 */

void page_request(struct page_lines *page, const struct reading *reading,
                  const struct mpilens_operation_information *request);
void page_status(struct page_lines *page, const struct mpilens_status_information *status);
void page_message(struct page_lines *page, const struct reading *reading, const struct mpilens_message *message);

/* -- process.c --
 * Replies about the process as a whole.
 */

int reply_get_process(mqs_process_info *info, struct mpilens_process_information *ret_process);

/* -- reply.c --
 * Output structs that begin with their size as the caller knows it.
 *
 * A function reply_X of this room answers what mpilens_X of extension.h is asked, with the same arguments and codes,
 * about what one interface keeps for a process: every interface asks for its own. `info` NULL: nothing is kept.
 * Functions mpilens_X of this room are the entry points of the extension that no other interface shares.
 */

/* Whether `ret_struct` is there and says a size that can be one. */
bool reply_is_possible(const void *ret_struct);

/* Copies `bytes` of `filled` to the caller's struct, as far as that goes; its struct_size stays. */
void reply_give(void *ret_struct, const void *filled, size_t bytes);

/* As reply_give, for the n-th element of an array: the struct_size of the first counts for all. */
void reply_give_element(void *ret_array, size_t n, const void *filled, size_t bytes);

/* The object that the object iterator delivered last, for an answer about it. mqs_ok, or what to return:
 * MPILENS_ERROR_BAD_ARGUMENT where `ret_struct` cannot take an answer, or a code of process_info_current_object. */
int reply_object(mqs_process_info *info, int kind, const void *ret_struct, const void **ret_record);

/* As reply_object, for the communicator at which the communicator iterator stands. */
int reply_communicator(mqs_process_info *info, const void *ret_struct,
                       const struct communicator_view **ret_communicator);

/* -- request_summary.c --
 * One sentence about a request or a status.
 */

/* "pending", "inactive"; "send", "one-sided operation". */
const char *request_state_phrase(const struct mpilens_operation_information *request);
const char *request_class_phrase(uint32_t operation_class);

/* -- statuses.c --
 * Replies about an MPI_Status in the memory of the target.
 */

int reply_get_status(mqs_process_info *info, mqs_taddr_t address, struct mpilens_status_information *ret_status);

/* -- texts.c --
 * Replies about the texts of an object: pairs of key and value.
 */

int reply_get_text_pair(mqs_process_info *info, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                        size_t value_bytes);

/* -- topologies.c --
 * Replies about topologies.
 */

int reply_get_topology(mqs_process_info *info, struct mpilens_topology_information *ret_topology);
int reply_get_topology_values(mqs_process_info *info, int32_t *ret_values, size_t capacity, size_t *ret_count);

/* -- traffic.c --
 * Replies about message counts per peer, messages that matched probes hold, and unexpected ones.
 */

int reply_setup_message_iterator(mqs_process_info *info);
int reply_next_message(mqs_process_info *info, struct mpilens_message_information *ret_message);

/* -- type_maps.c --
 * Replies about the type map of a datatype.
 */

int reply_setup_type_map_iterator(mqs_process_info *info);
int reply_next_type_map_entry(mqs_process_info *info, struct mpilens_type_map_entry *ret_entry);

/* -- users.c --
 * Replies about who refers to an object, and about the attributes that it has.
 */

/* Makes the list of the users of the current object, in a whole copy, unless it is there: finding them reads the
 * arguments of many datatypes. */
int users_need(mqs_process_info *info);

/* One of a user list. */
void user_describe(const struct reading *reading, const struct sort_entry *entry,
                   struct mpilens_user_information *ret_answer);

/* Whether nothing refers to the current object: no record that counts its users, no list of users. */
bool reply_is_unused(mqs_process_info *info, const struct mpilens_object_information *object);

int reply_setup_user_iterator(mqs_process_info *info);
int reply_next_user(mqs_process_info *info, struct mpilens_user_information *ret_user);
int reply_setup_attribute_iterator(mqs_process_info *info);
int reply_next_attribute(mqs_process_info *info, struct mpilens_attribute_information *ret_attribute);

/* -- windows.c --
 * Replies about windows.
 */

int reply_get_window(mqs_process_info *info, struct mpilens_window_information *ret_window);
int reply_get_window_locks(mqs_process_info *info, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                           size_t *ret_count);
int reply_get_window_group(mqs_process_info *info, int exposure, int *ret_world_ranks);

#endif
