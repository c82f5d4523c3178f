/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What processes had mapped a moment ago. A command looks at the mappings of a rank when it finds it and each time that
 * it reads it, and for the kernel to write them down is most of what that costs. Any thread may call.
 */
#ifndef MPILENS_INSPECT_BASE_KEPT_MAPS_H
#define MPILENS_INSPECT_BASE_KEPT_MAPS_H

#include "base/process_maps.h"

/* For so long they are kept. */
#define KEPT_MAPS_S 2.0
/* Processes whose numbers differ by a multiple of this have the same places, of which there are some. */
#define KEPT_MAPS_PLACES 1024

/* As process_maps_visit() of "/proc", for processes that are likely to be looked at again: the mappings are read only
 * where they were not a moment ago, or the process has used other memory since. */
int kept_maps_visit(pid_t pid, visit_mapping *visit, void *context);
/* Of how many processes they are kept: of none for longer than twice that time, once others are looked at. */
size_t kept_maps_count(void);
void kept_maps_forget(void);

#endif
