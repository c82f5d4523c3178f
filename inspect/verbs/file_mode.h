/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may read what is saved: the option --mode.
 */
#ifndef MPILENS_INSPECT_VERBS_FILE_MODE_H
#define MPILENS_INSPECT_VERBS_FILE_MODE_H

#include <argp.h>
#include <sys/types.h>

#define FILE_MODE_HELP "Permissions of the file, in octal, such as 640 (default: 600, as it says what a program did)"

/* The value of the option; with one that is none, or that its owner could not read, the command ends as argp_error()
 * does. */
mode_t file_mode_option(struct argp_state *state, const char *text);

#endif
