/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much a test does (tests/live/lib/length.py): ./check sets MPILENS_TEST_LENGTH; without it, all.
 */
#ifndef TESTS_LIB_LENGTH_H
#define TESTS_LIB_LENGTH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool length_is_full(void)
{
    const char *length = getenv("MPILENS_TEST_LENGTH");
    return length == NULL || strcmp(length, "full") == 0;
}

/* Returns how many random inputs a test tries: all of them, or a tenth. */
static inline unsigned length_of(unsigned inputs)
{
    return length_is_full() ? inputs : inputs / 10;
}

#endif
