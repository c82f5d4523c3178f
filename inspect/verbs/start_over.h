/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the command does where reading a process never ends.
 */
#ifndef MPILENS_INSPECT_VERBS_START_OVER_H
#define MPILENS_INSPECT_VERBS_START_OVER_H

/* From now on. `arguments`: those of main(), with which the command starts over and leaves the memory of that process
 * alone; for verbs that only read. */
void start_over_where_blocked(char **arguments);
/* Before something is read from standard input: it is there again for who starts over. 0, or -1: it cannot be read, as
 * errno says. */
int start_over_keep_input(void);
/* Something has been printed: from now on the command ends with a message and EXIT_UNREADABLE instead. */
void start_over_no_more(void);

#endif
