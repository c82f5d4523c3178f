/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: requests, windows, files and other objects.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_OBJECTS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_OBJECTS_H

#include "collect/collection.h"

/* The requests of the process that stand in no queue, its objects, and what it remembers of freed
 * ones. All return mqs_ok, or a code of the DLL; what was read until then stands in the model. */
int collect_requests(const struct collection *collection, struct process *process);
int collect_objects(const struct collection *collection, struct process *process);
int collect_freed_objects(const struct collection *collection, struct process *process);
struct request collection_request(const struct collection *collection,
                                  const struct mpilens_request_information *information);

/* The window or file that is the DLL's current object; NULL: it is none. */
struct window *collect_window(const struct collection *collection);
struct file *collect_file(const struct collection *collection);

#endif
