/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the lines of many hosts (part_line.h) while they arrive: in any order, mixed, labelled, torn or twice. Nothing
 * in them is believed, and what they take is bounded by what a part says first and by a limit.
 */
#ifndef MPILENS_INSPECT_PART_PART_READER_H
#define MPILENS_INSPECT_PART_PART_READER_H

#include "base/reason.h"
#include "part/part_line.h"

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

struct part_reader;

/* `most_bytes`: what has come and was not taken may have, of all hosts together. */
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
/* What there is of a host; where it is neither whole nor nothing, with the reason. */
enum part_state part_reader_state(const struct part_reader *reader, const char *host, int round,
                                  struct reason *ret_reason);
/* Whether the host has said that the round after this one may begin. */
bool part_reader_is_ready(const struct part_reader *reader, const char *host, int round);
/* The exit status that the host's last line has; -1: that has not come. */
int part_reader_status(const struct part_reader *reader, const char *host);

/* The first lines that are not of a part, such as an engine's own messages, escaped and with newlines; "": none. */
const char *part_reader_others(const struct part_reader *reader);

#endif
