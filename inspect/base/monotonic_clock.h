/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock by which the command measures how long something takes.
 */
#ifndef MPILENS_INSPECT_BASE_MONOTONIC_CLOCK_H
#define MPILENS_INSPECT_BASE_MONOTONIC_CLOCK_H

/* CLOCK_MONOTONIC in seconds. */
double monotonic_s(void);

#endif
