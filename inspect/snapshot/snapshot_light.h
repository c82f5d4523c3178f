/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a job small enough to be sent from each of many hosts.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_LIGHT_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_LIGHT_H

#include "model/model.h"

/* Of the operations that are over, the last ones on each channel stay: what has been sent and not received is most
 * likely among them. Times are kept to a millisecond. */
void job_lighten(struct job *job);

#endif
