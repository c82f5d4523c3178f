/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ways of doing the same, timed in turns, so that what else the machine does meets both.
 */
#ifndef MPILENS_BENCH_ROUNDS_H
#define MPILENS_BENCH_ROUNDS_H

#include "calls.h"

enum way { TRACKED, DIRECT, WAYS };

enum { ROUNDS = 101 };

/* Seconds of one batch each way, by round. */
struct rounds {
    double seconds[WAYS][ROUNDS];
};

/* Results of the rounds. */
struct ratio {
    double tracked_seconds; /* medians of a batch */
    double direct_seconds;
    double lower_quartile; /* of tracked / direct within a round */
    double median;
    double upper_quartile;
    double of_fastest; /* fastest tracked / fastest direct batch: for a machine too busy for the others */
};

double rounds_now(void);

/* The way that goes first changes from round to round. */
enum way rounds_way(int round, int turn);

struct ratio rounds_ratio(const struct rounds *rounds);

/* Both ways. Ends the program where nothing is preloaded that the first could go through. */
void rounds_calls(struct calls ret_calls[WAYS]);

#endif
