/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How far a run over numbered inputs has come and what it has cost, over several processes.
 */
#ifndef MPILENS_FUZZ_PROGRESS_H
#define MPILENS_FUZZ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t next; /* input that comes next */
    uint64_t inputs;
    uint64_t microseconds; /* of CPU time */
    uint64_t slowest;      /* number of the input that took longest ... */
    uint64_t slowest_microseconds;
    uint64_t copied; /* as struct fuzz_totals */
    uint64_t answers;
};

/* CPU time of this process. */
uint64_t cpu_microseconds(void);

void progress_add(struct progress *, uint64_t number, uint64_t microseconds);

/* Path NULL: nothing is read or written. A file that is not there yet leaves all as it is. Returns 0, or 1 and prints
 * why not. */
int progress_read(const char *path, struct progress *ret_progress);
int progress_write(const char *path, const struct progress *);

/* One line. `end`: after the last input that is to be run. */
void progress_print(const struct progress *, uint64_t end);

#endif
