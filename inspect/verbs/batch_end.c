/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds out when the batch system ends a job.
 */
#include "verbs/verbs_internal.h"

#include <math.h>
#include <stdlib.h>

double batch_end_s(const char *end_time, time_t now)
{
    char *rest = NULL;
    const double end_s = end_time != NULL ? strtod(end_time, &rest) : 0;
    if (end_time == NULL || rest == end_time || *rest != '\0' || !(end_s > (double)now) || isinf(end_s))
        return INFINITY;
    return end_s - (double)now;
}
