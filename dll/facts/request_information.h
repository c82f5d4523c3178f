/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The facts about a request, in the form that debuggers get.
 */
#ifndef MPILENS_DLL_FACTS_REQUEST_INFORMATION_H
#define MPILENS_DLL_FACTS_REQUEST_INFORMATION_H

#include "snapshot/reading.h"

/* Describes an operation of the snapshot that has a request. */
void request_describe(const struct reading *reading, const struct mpilens_operation *operation,
                      struct mpilens_request_information *ret_answer);

#endif
