/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that Criterion needs of libgit2. Its own parameters do not matter: each function fails, and Criterion then prints
 * two texts that differ one after the other.
 */
#ifndef NO_DIFFERENCES_H
#define NO_DIFFERENCES_H

int git_libgit2_init(void);
int git_libgit2_shutdown(void);
int git_diff_buffers(void);

#endif
