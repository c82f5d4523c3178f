/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of a handle: lines that the DLL makes (mpilens/extension_pages.h), and what the command adds to them.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_LINES_H
#define MPILENS_INSPECT_HANDLE_HANDLE_LINES_H

#include "collect/collect.h"
#include "handle/handle.h"

/* Takes over the lines of the page that the DLL has made last. `code`: how making it ended. */
void handle_collect_page(const struct collection *collection, int code, struct handle *handle);

/* What stands behind the label of a line: "MPI_Win_lock at app.c:40 main, 12.0 s ago". The caller frees it. */
char *handle_line_text(const struct handle_line *line);

#endif
