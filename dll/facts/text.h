/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text for people, put together in a buffer of fixed size. What does not fit is cut; the result is always terminated.
 */
#ifndef MPILENS_DLL_FACTS_TEXT_H
#define MPILENS_DLL_FACTS_TEXT_H

#include "snapshot/reading.h"

struct text {
    char *next;
    char *last; /* where the terminator goes at the latest */
};

struct text text_begin(char *buffer, size_t bytes);
/* A buffer that holds `part` and nothing else. */
void text_set(char *buffer, size_t bytes, const char *part);
void text_add(struct text *text, const char *part);
/* At most `limit` characters of `part`. */
void text_add_cut(struct text *text, const char *part, size_t limit);
void text_add_decimal(struct text *text, uint64_t value);
void text_add_signed(struct text *text, int64_t value);
void text_add_hexadecimal(struct text *text, uint64_t value);

/* "any", "0", "0 (world 4)": a rank, and in MPI_COMM_WORLD. */
void text_add_rank(struct text *text, int32_t local, int32_t world);

/* Ranks of MPI_COMM_WORLD: "0-3, 5, 8-16 by 4"; "none"; of many ranges, the first ones. */
struct text_ranges {
    struct mpilens_rank_range items[16];
    size_t count; /* of all, those that are not among the items, too */
};
void text_add_ranges(struct text *text, const struct text_ranges *ranges);

/* Name of a communicator: its own, or how it was made. */
void text_add_communicator(struct text *text, const struct reading *reading,
                           const struct mpilens_communicator *communicator);

/* Name of what it was made from, nothing if that is not known. */
void text_add_parent(struct text *text, const struct reading *reading, const struct mpilens_communicator *communicator);

/* Name of a datatype: its own, or how it was made. `datatype` may be NULL: nothing. */
void text_add_datatype(struct text *text, const struct reading *reading, const struct mpilens_datatype *datatype);

#endif
