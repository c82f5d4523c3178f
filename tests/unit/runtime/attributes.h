/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of communicators: how tests make them, and what is recorded of them.
 */
#ifndef TESTS_RUNTIME_ATTRIBUTES_H
#define TESTS_RUNTIME_ATTRIBUTES_H

#include "shadow.h"

enum { KEYVAL = (int)0xa4000000, COMMUNICATOR = (int)0x84000002 };

extern char values[8]; /* whose addresses are values */

/* A copy function that says yes. */
int copy_always(MPI_Comm communicator, int keyval, void *state, void *in, void *out, int *flag);

int make_keyval(int handle, MPI_Comm_copy_attr_function *copy_function);

/* Records have their sites in this function. */
void set_attribute(MPI_Comm communicator, int keyval, void *value);

/* The attribute of an object with a keyval, given by the record's handle; or NULL. */
const struct mpilens_attribute *attribute_of(const void *object, int keyval);

/* Its value, or 0. */
uint64_t value_of(MPI_Comm communicator, int keyval);

#endif
