/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A line of a part of a job on its way from a host to the collector:
 *
 *     @mpilens HOST ROUND.WORD TEXT CHECK
 *
 * At most MOST_LINE_BYTES bytes of ASCII with the newline, so that whatever merges the output of hosts hands it on
 * whole; if not, CHECK tells. HOST says where it is from, so that labels and order of lines do not matter. WORD is
 *
 *     begin     how many bytes the part has, packed and unpacked, in decimals
 *     0, 1, ... its packed bytes from PART_LINE_CONTENT times this number on, in base64
 *     end       how many lines of bytes there are, and the CRC-32 of the packed bytes
 *     ready     the host waits for the next round
 *     merged    the part of the host is in that of another one, which is named
 *     status    the exit status of its command; the last line of a host
 *     error0, error1, ...  what went wrong there, in its own words
 *     mark      for how many milliseconds the ranks of the host have stood still, and how many could be read
 *
 * ROUND counts the readings, from 1; it is 0 in what belongs to none.
 */
#ifndef MPILENS_INSPECT_PART_PART_LINE_H
#define MPILENS_INSPECT_PART_PART_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOST_LINE_BYTES = 200,
    MOST_HOST_BYTES = 64,
    MOST_ROUNDS = 2,
    MOST_ERROR_LINES = 8,
    PART_LINE_CONTENT = 72, /* bytes of a part in each line but the last */
    PART_LINE_TEXT = 96,    /* most characters of TEXT */
};

enum part_word {
    PART_WORD_BEGIN,
    PART_WORD_CONTENT,
    PART_WORD_END,
    PART_WORD_READY,
    PART_WORD_MERGED,
    PART_WORD_STATUS,
    PART_WORD_ERROR,
    PART_WORD_MARK,
};

struct part_line {
    char host[MOST_HOST_BYTES + 1];
    int round;
    enum part_word word;
    uint32_t number; /* of content and errors */
    const char *text;
    size_t length; /* of the text */
};

/* Writes the line with its newline and a NUL into `ret_line`, which has room for MOST_LINE_BYTES + 1. Returns its
 * length. The text has PART_LINE_TEXT printable characters at most. */
size_t part_line_write(const struct part_line *line, char *ret_line);

/* Finds the first line in a text that may have anything before it and behind it, such as a label or a line that was cut
 * off. Its text points into `text`. *ret_rest: where to look for the next one. False: there is no whole one. */
bool part_line_find(const char *text, size_t length, struct part_line *ret_line, size_t *ret_rest);

/* What stands for a host in lines: "_" for characters that names of hosts do not have, cut to MOST_HOST_BYTES. */
void part_host_name(const char *name, char ret_host[MOST_HOST_BYTES + 1]);

#endif
