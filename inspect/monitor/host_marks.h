/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What hosts have said of the progress of their ranks, and what follows for all of them together.
 *
 * Each host says for how long its ranks have stood still, by its own clock. Counted back from the moment when that
 * arrives here, it is a span in which they did. The job stood still in the span that all have in common.
 */
#ifndef MPILENS_INSPECT_MONITOR_HOST_MARKS_H
#define MPILENS_INSPECT_MONITOR_HOST_MARKS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_MESSAGE_TEXT = 256 };

enum host_message_kind {
    HOST_ASKED,     /* it has been asked for marks */
    HOST_MARK,      /* it has sent one */
    HOST_OVER,      /* its ranks have ended */
    HOST_LOST,      /* it does not answer, or no longer; the text is the reason */
    HOST_ALL_NAMED, /* all hosts have been asked; of no host */
};

/* Small enough to go through a pipe in one piece. */
struct host_message {
    enum host_message_kind kind;
    double at_s;    /* CLOCK_MONOTONIC, when it arrived on this host */
    double quiet_s; /* of HOST_MARK */
    size_t ranks;   /* of HOST_MARK: that could be read */
    char host[MOST_MESSAGE_TEXT];
    char text[MOST_MESSAGE_TEXT];
};

struct marked_host {
    char *name;
    bool has_answered;
    bool was_read; /* ranks of it */
    bool is_over;
    bool is_lost;
    bool was_told;  /* the user, that it is lost */
    double at_s;    /* when it has said something last */
    double since_s; /* when its ranks have made progress last, as far as is known; as host_marks_narrow() counts it */
    size_t ranks;
    char *reason; /* why it is lost; NULL: it is not */
};

/* The other hosts of a job. Zero-initialised is empty. */
struct host_marks {
    struct marked_host *items;
    size_t count;
    bool is_named; /* all hosts are known */
};

/* CLOCK_MONOTONIC. */
struct quiet_span {
    double since_s, until_s;
};

void host_marks_take(struct host_marks *marks, const struct host_message *message);
void host_marks_clear(struct host_marks *marks);

/* Ranks that could be read. */
size_t host_marks_count_ranks(const struct host_marks *marks);
/* Whether there is a host that does not answer any longer, though its ranks may live. */
bool host_marks_has_lost(const struct host_marks *marks);
/* Whether hosts were asked of which nothing is known yet. */
bool host_marks_is_waiting(const struct host_marks *marks);
/* Whether no host is left with ranks that are known to live. */
bool host_marks_is_over(const struct host_marks *marks);
/* Narrows the span to that in which the ranks of these hosts stood still, too. Of hosts that are lost or over, or whose
 * ranks can no longer be read, the moment counts when that was known last; ranks that never could be read do not. */
void host_marks_narrow(const struct host_marks *marks, struct quiet_span *span);

#endif
