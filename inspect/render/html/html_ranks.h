/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes ranks into the page.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_HTML_RANKS_H
#define MPILENS_INSPECT_RENDER_HTML_HTML_RANKS_H

#include "base/ranks.h"

#include <stdio.h>

/* A link that shows these ranks in the table: "ranks [0-3]". */
void html_write_ranks(FILE *stream, const struct ranks *ranks);
/* "0-3,7": finished ranks as the page reads them; the caller frees it. */
char *page_ranks(const struct ranks *ranks);

#endif
