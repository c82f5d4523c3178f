/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of libgit2 loads libraries and reads all certificates of the system; the start of this one does nothing.
 */
#include "no_differences.h"

int git_libgit2_init(void)
{
    return 1;
}

int git_libgit2_shutdown(void)
{
    return 0;
}

int git_diff_buffers(void)
{
    return -1;
}
