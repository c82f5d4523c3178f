/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the DLL says of handles of all kinds, and of communicators.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_COMMON_H
#define MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_COMMON_H

#include "collect/collect.h"
#include "handle/handle.h"

/* These read about the current object of the DLL. */
void handle_collect_common(const struct collection *collection, struct handle *handle);
struct handle_sentence handle_collect_sentence(const struct collection *collection);
void handle_collect_communicator(const struct collection *collection, struct handle *handle);
struct handle_members handle_collect_members(const struct collection *collection, bool remote);

#endif
