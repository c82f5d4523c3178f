/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the target that is fetched in few large pieces before it is asked for piece by piece.
 *
 * While a target has one, target_read takes from it what it holds and asks the debugger for the rest. So all that is
 * read through it is as old as the pieces: it is for processes that do not run meanwhile.
 */
#ifndef MPILENS_DLL_TARGET_READ_AHEAD_H
#define MPILENS_DLL_TARGET_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;
struct sort_entry;

/* Memory of the target as it was. */
struct ahead_piece {
    uint64_t address;
    size_t count; /* bytes */
    uint8_t *bytes;
};

enum { MOST_AHEAD_PIECES = 16 };

/* Zero-initialised: nothing. */
struct read_ahead {
    struct ahead_piece pieces[MOST_AHEAD_PIECES];
    size_t count;
};

/* A copy of bytes that were read already. Without memory for it nothing is kept: reading ahead never fails. */
void read_ahead_keep(struct read_ahead *ahead, uint64_t address, size_t count, const void *bytes);

/* Fetches ranges of the target (`major`: address, `middle`: bytes), which it sorts, those that are near each other with
 * what is between them. What is not readable that way is left to be read as it is asked for. */
void read_ahead_fetch(struct read_ahead *ahead, const struct target *target, struct sort_entry *ranges, size_t count);

/* Whether one piece has all of it. NULL: only to know. What was fetched last counts. */
bool read_ahead_get(const struct read_ahead *ahead, uint64_t address, size_t count, void *ret_bytes);

/* Whether all of it is the same still, fetched once more. */
bool read_ahead_is_steady(const struct read_ahead *ahead, const struct target *target);

/* Forgets everything. */
void read_ahead_free(struct read_ahead *ahead);

#endif
