/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often constructors of communicators that only some processes call were called with a key.
 *
 * Nothing tells all members at one moment that a count is over, so counts are not dropped with communicators. So that
 * they do not grow for ever, a key that was not used while very many others were is forgotten, and begins at 1 again.
 * Members that have used different numbers of other keys disagree about it from then on.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_KEY_COUNT_H
#define MPILENS_RUNTIME_OBJECTS_KEY_COUNT_H

#include <stdint.h>

/* How many other keys may come without one being forgotten. Twice as many are kept at most, in 32 MB. */
enum { KEY_COUNTS_KEPT = (1 << 19) - 1 /* with one more, a handle map takes twice the memory */ };

/* The number of calls with `key`, this one included. */
uint64_t key_count(uint64_t key);

#endif
