/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of attributes. A freed one stays known while attributes are set with it: their callbacks still run.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_KEYVAL_H
#define MPILENS_RUNTIME_OBJECTS_KEYVAL_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* Records of the predefined ones. At initialization, as often as one likes. */
void keyvals_initialize(void);

/* What a constructor was given; functions as addresses. */
struct keyval_arguments {
    uint64_t copy_function;
    uint64_t delete_function;
    uint64_t extra_state;
    enum mpilens_attachable kind;
};

void keyval_created(uint32_t function, uint64_t site, int keyval, const struct keyval_arguments *arguments);

/* The record that a handle (HANDLE_VALUE of the int) names now, or NULL. */
struct mpilens_keyval *keyval_find(uint64_t handle);

/* Likewise, for an attribute that was set with it: one that nobody was seen to make gets a record. NULL: no memory. */
struct mpilens_keyval *keyval_discover(int keyval, enum mpilens_attachable kind);

/* After a call that frees it; `record` and `handle` as they were before. NULL is fine. */
void keyval_freed(uint32_t function, uint64_t site, struct mpilens_keyval *record, uint64_t handle);

/* An attribute is set with it from now on, or no more. NULL is fine. */
struct mpilens_keyval *keyval_use(struct mpilens_keyval *record);
void keyval_unuse(struct mpilens_keyval *record);

#endif
