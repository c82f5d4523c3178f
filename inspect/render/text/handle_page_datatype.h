/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What only datatypes have.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_DATATYPE_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_DATATYPE_H

#include "handle/handle.h"
#include <stdio.h>

/* Tables of their own: what it was made of, its type map. */
int page_datatype(FILE *stream, const struct handle *handle, bool color);

#endif
