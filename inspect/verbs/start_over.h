/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the command does where reading a process never ends.
 */
#ifndef MPILENS_INSPECT_VERBS_START_OVER_H
#define MPILENS_INSPECT_VERBS_START_OVER_H

/* From now on. `arguments`: those of main(), with which the command starts over and leaves the memory of that process
 * alone; for verbs that only read. */
void start_over_where_blocked(char **arguments);
/* Something has been printed, or taken from standard input: from now on the command ends with a message and
 * EXIT_UNREADABLE instead. */
void start_over_no_more(void);

#endif
