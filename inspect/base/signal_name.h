/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals in words.
 */
#ifndef MPILENS_INSPECT_BASE_SIGNAL_NAME_H
#define MPILENS_INSPECT_BASE_SIGNAL_NAME_H

/* "SIGSEGV (Segmentation fault)", "signal 40". The caller frees it. */
char *describe_signal(int number);

#endif
