/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines for people, with texts of applications in them. On a terminal a line that is too long is broken between words.
 */
#ifndef MPILENS_INSPECT_TEXT_PRINTED_LINE_H
#define MPILENS_INSPECT_TEXT_PRINTED_LINE_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the terminal that the stream is; of a stream in memory, of standard output. 0: it is none. */
size_t terminal_width(FILE *stream);
/* Writes a line, all of it escaped, and a line break. */
__attribute__((format(printf, 2, 3))) void print_line(FILE *stream, const char *format, ...);
/* The same between an escape sequence and the one that takes its effect back; NULL: none. */
__attribute__((format(printf, 3, 4))) void print_colored_line(FILE *stream, const char *color, const char *format, ...);

/* Writes what is still kept back. 0, or -1 when something could not be written since the stream was opened. */
int finish_output(FILE *stream);

#endif
