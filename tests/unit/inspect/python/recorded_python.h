/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A target that has the memory of a recording (recordings/README.md), which tests may change.
 */
#ifndef TESTS_UNIT_INSPECT_PYTHON_RECORDED_PYTHON_H
#define TESTS_UNIT_INSPECT_PYTHON_RECORDED_PYTHON_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct target;

struct recorded_range {
    uint64_t address;
    unsigned char *bytes;
    size_t count;
};

extern struct recorded_python {
    pid_t pid;
    struct recorded_range *ranges; /* by address */
    size_t range_count;
    size_t reads; /* since it was opened */
    struct target *target;
} recorded;

/* A file of the recordings by its name. */
void recorded_python_open(const char *name);
void recorded_python_close(void);
/* The memory at an address, at least `count` bytes; the test fails if there is none. */
unsigned char *recorded_memory(uint64_t address, size_t count);
/* 0: it has none. */
uint64_t recorded_symbol(const char *name);
void recorded_forget_symbol(const char *name);

#endif
