/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A runtime library as a file: its root object, and what its debug information says of the record types.
 */
#ifndef MPILENS_TESTS_RUNTIME_FILE_H
#define MPILENS_TESTS_RUNTIME_FILE_H

#include "mpilens/layout.h"

#include <stdbool.h>

/* The bytes of mpilens_process in the library at `path`, found by its dynamic symbol; `ret_in_section`: the symbol lies
 * in the section MPILENS_PROCESS_SECTION, at its start. False: there is none. */
bool runtime_file_root(const char *path, struct mpilens_process *ret_root, bool *ret_in_section);

/* One struct as debug information describes it. */
struct runtime_file_member {
    char name[64];
    uint32_t offset;
    uint32_t size;
};

struct runtime_file_type {
    uint32_t size;
    int member_count;
    struct runtime_file_member members[64];
};

/* The struct `name` in the debug information of the library. False: it is not there. */
bool runtime_file_type(const char *path, const char *name, struct runtime_file_type *ret_type);

#endif
