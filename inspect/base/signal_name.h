/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals in words.
 */
#ifndef INSPECT_BASE_SIGNAL_NAME_H
#define INSPECT_BASE_SIGNAL_NAME_H

/* "SIGSEGV (Segmentation fault)", "signal 40". The caller frees it. */
char *describe_signal(int number);

#endif
