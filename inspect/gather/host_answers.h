/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of each host while an engine runs: whether it has answered, and if not, why not.
 */
#ifndef MPILENS_INSPECT_GATHER_HOST_ANSWERS_H
#define MPILENS_INSPECT_GATHER_HOST_ANSWERS_H

#include "engine/engine_reason.h"
#include "part/part_reader.h"

struct host_answer {
    char *said_name; /* as the host calls itself; NULL: it has said nothing */
    char *reason;    /* NULL: none */
    enum engine_reason_worth worth;
    bool is_over;   /* nothing more can come from it */
    bool is_ready;  /* for the second round */
    bool is_merged; /* it has said that its part is in another one */
    bool has_answered[MOST_ROUNDS];
};

struct host_answers {
    const struct host_list *hosts;
    struct host_index index;   /* of these */
    const char *command;       /* the program that was to be run */
    struct host_answer *items; /* by host */
    char *reason;              /* that is about no single host; NULL: none */
    enum engine_reason_worth worth;
};

struct host_answers host_answers_begin(const struct host_list *hosts, const char *command);
void host_answers_clear(struct host_answers *answers);
/* Before commands are started again. */
void host_answers_restart(struct host_answers *answers);

/* A line of output, which the reader has been fed with, or of an error of a command that reaches `host` only (NULL:
 * several). */
void host_answers_note_output(struct host_answers *answers, const char *host, const char *line,
                              const struct part_reader *reader);
void host_answers_note_error(struct host_answers *answers, const char *host, const char *line);
/* That a part has come whole: of the host that calls itself so, or of one that has merged those of others. */
void host_answers_note_part(struct host_answers *answers, const char *said_name, int round,
                            const struct part_reader *reader);
/* That command has ended, with a status as of waitpid. */
void host_answers_note_end(struct host_answers *answers, const char *host, int status);

/* How far a round is. */
struct host_counts {
    size_t done;    /* hosts that have answered in it and, in round 1 of a start for both, wait for the next one */
    size_t pending; /* from which something may still come */
};
struct host_counts host_answers_count(const struct host_answers *answers, int round, bool until_ready);
/* Why a host has no whole part. The caller frees it. */
char *host_answers_explain(const struct host_answers *answers, size_t host, const struct part_reader *reader, int round,
                           double waited_s);

#endif
