/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the programs of the test of debug information stand: says where it was called from, and waits to be told to
 * end.
 */
#include <stdio.h>

void stop(void);

__attribute__((noinline)) void stop(void)
{
    printf("%p\n", __builtin_return_address(0));
    fflush(stdout);
    getchar();
    __asm__ volatile(""); /* so that this calls, and is called */
}
