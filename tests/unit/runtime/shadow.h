/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shadow state as a reader sees it: everything is found from the root and the tables, as a debugger would.
 */
#ifndef TESTS_RUNTIME_SHADOW_H
#define TESTS_RUNTIME_SHADOW_H

#include "mpilens/layout.h"

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>

extern struct mpilens_process mpilens_process;

/* The n-th record of a kind with this state (0: any that is published), in the order of the table; or NULL. */
void *shadow_record(enum mpilens_table_kind kind, uint32_t state, size_t n);

size_t shadow_count(enum mpilens_table_kind kind, uint32_t state);

/* The n-th operation with this state in the order of `posted`; or NULL. */
struct mpilens_operation *shadow_operation(enum mpilens_operation_state state, size_t n);

/* Operations that a queue may show: pending, matched, complete or released. */
size_t shadow_live_operations(void);

/* As records refer to each other and to memory. */
uint64_t address_of(const void *object);

/* The live object with this handle, or NULL. */
struct mpilens_communicator *shadow_communicator(MPI_Comm handle);
struct mpilens_group *shadow_group(MPI_Group handle);
struct mpilens_datatype *shadow_datatype(MPI_Datatype handle);
struct mpilens_op *shadow_op(MPI_Op handle);
struct mpilens_errhandler *shadow_errhandler(MPI_Errhandler handle);
struct mpilens_info *shadow_info(MPI_Info handle);
struct mpilens_keyval *shadow_keyval(int handle);
struct mpilens_window *shadow_window(MPI_Win handle);
struct mpilens_file *shadow_file(MPI_File handle);

/* Objects of a kind that the application has not freed: predefined ones do not count, and groups that only
 * communicators have do not. Of attributes: those that are set. */
size_t shadow_live_objects(enum mpilens_table_kind kind);

/* The n-th of these, or NULL. */
void *shadow_live_object(enum mpilens_table_kind kind, size_t n);

/* Counts of all threads. */
uint64_t shadow_sent(MPI_Comm communicator, int peer);
uint64_t shadow_received(MPI_Comm communicator, int peer);

/* The thread whose kernel id is the caller's. */
struct mpilens_thread *shadow_thread(void);

/* Name of a function number; "" for 0. */
const char *shadow_function_name(uint32_t function);

/* Everything that holds of a process that has nothing under way: no live operation, nobody in a call, no table with a
 * wrong count. Returns what is wrong, or NULL. */
const char *shadow_leftover(void);

#endif
