/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change in the program so that a cause cannot come about.
 */
#ifndef INSPECT_ANALYSIS_REMEDY_H
#define INSPECT_ANALYSIS_REMEDY_H

#include "cause_text.h"

/* One sentence without an end, "use the same tag at both places"; NULL: there is nothing to say that the finding's own
 * sentence does not. The caller frees it. */
char *remedy_of(const struct cause_text *text, const struct cause *cause);
/* That of messages which are longer than their receive. */
char *remedy_of_size(void);

/* For remedy*.c only: that of a message which went to another rank, which a matched probe has taken, or for which a
 * persistent request was not started (NULL: none), and of one that comes from another source. */
char *remedy_of_message(const struct waits *waits, const struct cause *cause);
char *remedy_of_source(const struct cause_text *text, const struct cause *cause);
/* That of ranks that wait for each other; NULL: nothing to say. */
char *remedy_of_cycle(const struct waits *waits, const struct cause *cause);

#endif
