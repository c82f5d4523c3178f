/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rounds' order and statistics.
 */
#include "rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double rounds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

enum way rounds_way(int round, int turn)
{
    return (round + turn) % WAYS;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort(const double values[ROUNDS], double ret_sorted[ROUNDS])
{
    memcpy(ret_sorted, values, ROUNDS * sizeof values[0]);
    qsort(ret_sorted, ROUNDS, sizeof values[0], compare);
}

struct ratio rounds_ratio(const struct rounds *rounds)
{
    double ratios[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        ratios[i] = rounds->seconds[TRACKED][i] / rounds->seconds[DIRECT][i];
    double sorted[ROUNDS];
    double seconds[WAYS][ROUNDS];
    sort(ratios, sorted);
    for (int way = 0; way < WAYS; way++)
        sort(rounds->seconds[way], seconds[way]);
    return (struct ratio){
        .tracked_seconds = seconds[TRACKED][ROUNDS / 2],
        .direct_seconds = seconds[DIRECT][ROUNDS / 2],
        .lower_quartile = sorted[ROUNDS / 4],
        .median = sorted[ROUNDS / 2],
        .upper_quartile = sorted[ROUNDS - 1 - ROUNDS / 4],
        .of_fastest = seconds[TRACKED][0] / seconds[DIRECT][0],
    };
}

void rounds_calls(struct calls ret_calls[WAYS])
{
    ret_calls[TRACKED] = calls_linked();
    ret_calls[DIRECT] = calls_direct();
    if (ret_calls[TRACKED].Send == ret_calls[DIRECT].Send || ret_calls[TRACKED].Wait == ret_calls[DIRECT].Wait) {
        fprintf(stderr, "nothing is preloaded that could be compared with the bare library\n");
        exit(1);
    }
}
