/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program that tests of targets and of freezing read: data under a dynamic symbol, a return address, a second
 * thread. Answers every byte on its standard input with one on its standard output.
 */
#include "published.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct published mpilens_test_published = {.text = "known content", .unmapped = 16};

/* Is not in a core file: it is the same on disk. */
extern const char mpilens_test_constant[];
const char mpilens_test_constant[] = "constant content";

__attribute__((noinline)) static void publish(void)
{
    mpilens_test_published.return_address = (uint64_t)(uintptr_t)__builtin_return_address(0);
}

static void *wait_forever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

int main(void)
{
    pthread_t thread;
    char byte = 'r';
    publish(); /* line of the call */
    if (pthread_create(&thread, NULL, wait_forever, NULL) != 0)
        return 1;
    do
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            return 1;
    while (read(STDIN_FILENO, &byte, 1) == 1);
    return 0;
}
