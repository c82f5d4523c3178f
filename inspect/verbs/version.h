/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What mpilens --version prints.
 */
#ifndef MPILENS_INSPECT_VERBS_VERSION_H
#define MPILENS_INSPECT_VERBS_VERSION_H

/* The commit that this command was built from, such as v0.1.0-12-g0123456; empty: not known. */
extern const char version_commit[];

/* Version and commit, the layout that it reads, its debugger library and its runtimes. */
void version_print(void);

#endif
