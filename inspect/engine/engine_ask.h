/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks a program something: its output, within bounds of time and size.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_ASK_H
#define MPILENS_INSPECT_ENGINE_ENGINE_ASK_H

/* What the command (ends with NULL) has written to its standard output when it ended with status 0. The caller frees
 * it; NULL: it failed, took longer than `patience_s`, or this process was asked to end. */
char *engine_ask(char *const *command, double patience_s);

#endif
