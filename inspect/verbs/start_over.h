/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the command does where reading a process never ends.
 */
#ifndef MPILENS_INSPECT_VERBS_START_OVER_H
#define MPILENS_INSPECT_VERBS_START_OVER_H

/* From now on. `arguments`: those of main(), with which the command starts over and leaves the memory of that process
 * alone; for verbs that only read, and print when they have. NULL: it ends with a message and EXIT_UNREADABLE. */
void start_over_where_blocked(char **arguments);

#endif
