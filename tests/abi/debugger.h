/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The common part of the two debuggers: callbacks, an allocator that counts, and the DLL.
 */
#ifndef TESTS_ABI_DEBUGGER_H
#define TESTS_ABI_DEBUGGER_H

#include "declarations_mqs.h"

#include <stdbool.h>
#include <stdio.h>

extern const mqs_basic_callbacks basic_callbacks;
extern const mqs_basic_callbacks other_basic_callbacks; /* other places for infos, another allocator */
extern const mqs_image_callbacks image_callbacks;
extern const mqs_process_callbacks process_callbacks;

mqs_image *the_image(void);
mqs_process *the_process(void);
mqs_image_info *image_info(void);
mqs_process_info *process_info(void);

/* Blocks that the DLL has and the debugger has not got back. */
int blocks_held(void);
/* The allocation after `allocations` successful ones fails, and all further ones; -1: none. */
void fail_after(int allocations);
int reads(void);

/* The function or variable of the DLL; exits where there is none. */
void *symbol(const char *name);

extern int failures;
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failures++;                                                                                                \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                             \
        }                                                                                                              \
    } while (0)

#endif
