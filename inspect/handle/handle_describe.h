/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes the object that a handle names. The caller frees what is returned as char *.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_DESCRIBE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_DESCRIBE_H

#include "handle/handle.h"

/* "row (0x84000002)", "0x84000002". */
char *handle_describe_name(uint64_t handle, const char *name);
/* "main at app.c:12", "0x401136". */
char *handle_describe_function(const struct handle_function *function);
/* "app.c:40"; "app" where there are no lines; "" where it is not known. */
char *handle_describe_place(const struct site *site, uint64_t address);

/* MPI has let go of it: the application has freed it, and nothing refers to it any more. */
bool handle_is_gone(const struct handle *handle);

#endif
