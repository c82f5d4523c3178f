/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The widths of a table's columns on a terminal.
 */
#ifndef MPILENS_INSPECT_TEXT_TEXT_LAYOUT_H
#define MPILENS_INSPECT_TEXT_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* What stands between two columns of a table. */
#define COLUMN_SEPARATOR "  "

/* Widths in columns of the terminal; natural >= words >= least. */
struct column_need {
    size_t natural; /* of the longest cell */
    size_t words;   /* no word is broken */
    size_t least;   /* what may not be broken is whole */
};

/* Shares `width` among the columns and the separators: the widest ones give first. False: it is too little. */
bool share_width(const struct column_need *needs, size_t count, size_t width, bool breaks_words, size_t *ret_widths);

#endif
