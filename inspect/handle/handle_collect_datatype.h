/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the DLL says of datatypes.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_DATATYPE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_DATATYPE_H

#include "collect/collect.h"
#include "handle/handle.h"

/* Changes the current object of the DLL. */
void handle_collect_datatype(const struct collection *collection, struct handle *handle);

#endif
