/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exit status of the command.
 */
#ifndef MPILENS_INSPECT_BASE_EXIT_STATUS_H
#define MPILENS_INSPECT_BASE_EXIT_STATUS_H

enum exit_status {
    EXIT_GOOD = 0,
    EXIT_FINDING = 1,     /* something is wrong in the job */
    EXIT_USAGE = 2,       /* the command line is wrong, or does not say which job */
    EXIT_UNREADABLE = 3,  /* nothing could be read, or a program cannot be tracked */
    EXIT_TIMED_OUT = 124, /* mpilens guard has ended the job, as timeout(1) */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
};

#endif
