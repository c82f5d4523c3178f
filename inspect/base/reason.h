/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why something could not be done: one sentence for the user, without a full stop, naming what to do where that helps.
 */
#ifndef MPILENS_INSPECT_BASE_REASON_H
#define MPILENS_INSPECT_BASE_REASON_H

struct reason {
    char text[512];
};

/* Writes the sentence, cut to fit, and returns -1, so that a function that fails can return the result. */
__attribute__((format(printf, 2, 3))) int reason_set(struct reason *ret_reason, const char *format, ...);

#endif
