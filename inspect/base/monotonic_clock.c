/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the clock that nobody sets.
 */
#include "base/base.h"

#include <time.h>

double monotonic_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
