/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends that wait only because the program was started with `mpilens run --synchronous`.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_RELIED_BUFFERING_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_RELIED_BUFFERING_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* "; the program relies on MPI buffering the message: --synchronous has made that visible", where the cause has such a
 * send; else nothing. */
void cause_write_buffering(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
