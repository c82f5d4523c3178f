/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host's report on its ranks, as lines of text that may come mixed and torn.
 */
#ifndef MPILENS_INSPECT_PART_PART_H
#define MPILENS_INSPECT_PART_PART_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct part_reader;

/* -- base64.c --
 * Bytes as text of 64 characters that nothing on the way changes: RFC 4648, section 4, without padding.
 */

/* Characters that encode this number of bytes. */
#define BASE64_LENGTH(bytes) (((bytes)*4 + 2) / 3)

/* Writes BASE64_LENGTH(count) characters, and no NUL. */
void base64_encode(const void *bytes, size_t count, char *ret_text);
/* Writes length * 3 / 4 bytes. False: it is no such text; then what is written means nothing. */
bool base64_decode(const char *text, size_t length, void *ret_bytes);

/* -- part_line.c --
 * A line of a part of a job on its way from a host to the collector:
 *
 *     @mpilens HOST ROUND.WORD TEXT CHECK
 *
 * At most MOST_LINE_BYTES bytes of ASCII with the newline, so that tools which merge the output of hosts pass it on
 * whole; CHECK detects torn lines. HOST says where it is from, so that labels and order of lines do not matter. WORD is
 *
 *     begin     how many bytes the part has, packed and unpacked, in decimals
 *     0, 1, ... its packed bytes from PART_LINE_CONTENT times this number on, in base64
 *     end       how many lines of bytes there are, and the CRC-32 of the packed bytes
 *     ready     the host waits for the next round
 *     merged    another host, which is named, has merged the part of this one
 *     status    the exit status of its command; the last line of a host
 *     error0, error1, ...  its complaints, in its own words
 *     mark      for how many milliseconds the ranks of the host have stood still, and how many could be read
 *
 * ROUND counts the readings, from 1; it is 0 in lines that belong to none.
 */

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

/* The name of a host in lines: "_" replaces characters that host names do not have; cut to MOST_HOST_BYTES. */
void part_host_name(const char *name, char ret_host[MOST_HOST_BYTES + 1]);

/* -- part_lines.c --
 * A part of a job, and what else a host has to say, as lines (part_line.c).
 */

/* These write to `stream` and flush it, under the name of `host`. 0, or -1: that failed, as errno says. */

/* The bytes, packed. */
int part_write(FILE *stream, const char *host, int round, const void *bytes, size_t count);
/* That the next round may begin. */
int part_write_ready(FILE *stream, const char *host, int round);
/* Says that the part of `host` is in the part of `gateway`. */
int part_write_merged(FILE *stream, const char *host, int round, const char *gateway);
/* Why there is no part. */
int part_write_error(FILE *stream, const char *host, const char *text);
/* Says how long the ranks of the host have stood still, and how many of them could be read. */
int part_write_mark(FILE *stream, const char *host, double quiet_s, size_t ranks);
/* Reads a mark. False: the line is none. */
bool part_parse_mark(const struct part_line *line, double *ret_quiet_s, size_t *ret_ranks);
/* The last line. */
int part_write_status(FILE *stream, const char *host, int status);

/* -- part_reader.c -- Reads the lines of many hosts (part_line.c) while they arrive: in any order, mixed, labelled,
 * torn or twice. Every line is checked, and their memory is bounded by a part's first line and by a limit.
 */

enum part_state {
    PART_NOTHING, /* has come */
    PART_TORN,    /* some of it has; which lines are missing, says the reason */
    PART_FAILED,  /* the host says why there is none */
    PART_WHOLE,
};

/* A part that has come whole; the bytes are the caller's. */
struct received_part {
    const char *host; /* valid until the reader is destroyed */
    int round;
    void *bytes;
    size_t count;
};

/* A pipe or file: lines of several of them may come in pieces. Zero-initialised. */
struct part_stream {
    char line[2 * MOST_LINE_BYTES];
    size_t length;
};

/* `most_bytes`: limit for lines that have come and were not taken, of all hosts together. */
struct part_reader *part_reader_create(size_t most_bytes);
void part_reader_destroy(struct part_reader *reader);

void part_reader_feed(struct part_reader *reader, struct part_stream *stream, const char *bytes, size_t count);
/* The stream has ended, perhaps in a line without a newline. */
void part_reader_end(struct part_reader *reader, struct part_stream *stream);

/* The next part that is whole, each once. False: there is none now. */
bool part_reader_take(struct part_reader *reader, struct received_part *ret_part);

/* Hosts that have said something, by number, in the order in which they began. */
size_t part_reader_host_count(const struct part_reader *reader);
const char *part_reader_host(const struct part_reader *reader, size_t number);
/* The state of a host's part; a reason unless it is whole or missing. */
enum part_state part_reader_state(const struct part_reader *reader, const char *host, int round,
                                  struct reason *ret_reason);
/* Whether the host has said that the round after this one may begin. */
bool part_reader_is_ready(const struct part_reader *reader, const char *host, int round);
/* The exit status that the host's last line has; -1: that has not come. */
int part_reader_status(const struct part_reader *reader, const char *host);

/* The first lines that are not of a part, such as an engine's own messages, escaped and with newlines; "": none. */
const char *part_reader_others(const struct part_reader *reader);

#endif
