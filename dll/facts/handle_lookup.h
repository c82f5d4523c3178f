/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the record that a handle names.
 */
#ifndef MPILENS_DLL_FACTS_HANDLE_LOOKUP_H
#define MPILENS_DLL_FACTS_HANDLE_LOOKUP_H

#include "snapshot/reading.h"

/* A handle as a debugger has it. */
struct handle {
    int kind; /* enum mpilens_object_kind: also of a request */
    enum mpilens_handle_language language;
    uint64_t value;
};

/* Bytes of a C handle of that kind, 0: not known. */
uint32_t handle_bytes(const struct mpilens_process *process, int kind);

/* Whether these are the same C handle of that kind. */
bool handle_is_same(const struct mpilens_process *process, int kind, uint64_t a, uint64_t b);

/* Where it stands among the null handles (layout.def), MPILENS_OBJECT_NONE: it is none of its kind. */
int handle_null_place(const struct mpilens_process *process, const struct handle *handle);

/* The handle as C has it, where the record need not be known for that. False: that is not known. */
bool handle_in_c(const struct mpilens_process *process, const struct handle *handle, uint64_t *ret_handle);

/* The integer that Fortran has for a C handle, where the record need not be known for that. False: that is not known.
 */
bool handle_to_fortran(const struct mpilens_process *process, int kind, uint64_t handle, int64_t *ret_fortran);

/* The record that the handle names now, or if there is none the one that it named last; NULL: none. `kind`: of an
 * object with a handle and a record of its own. */
const void *handle_lookup(const struct table_copy *copy, const struct mpilens_process *process,
                          const struct handle *handle);

/* The record with this serial, NULL: none. `kind`: of an object with a serial. */
const void *serial_lookup(const struct table_copy *copy, uint32_t serial);

#endif
