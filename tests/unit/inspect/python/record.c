/* SPDX-License-Identifier: BSD-3-Clause
 *
 * record PID: writes down what is read of the Python in a process: "symbol NAME ADDRESS", "memory ADDRESS BYTES", all
 * in hexadecimal digits but names. The files of recordings/ are such.
 */
#include "python/python.h"
#include "target/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int print_symbol(void *context, const char *name, uint64_t address)
{
    (void)context;
    printf("symbol %s %" PRIx64 "\n", name, address);
    return 0;
}

static int print_memory(void *context, uint64_t address, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    (void)context;
    printf("memory %" PRIx64 " ", address);
    for (size_t i = 0; i < count; i++)
        printf("%02x", byte[i]);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    struct target *target;
    struct reason reason;
    struct python_stacks stacks;
    if (argc != 2 || target_open_process((pid_t)atol(argv[1]), &target, &reason) != 0)
        return 1;
    target_record(target);
    if (!python_stacks_read(target, &stacks))
        return 2;
    printf("process %s\n", argv[1]);
    target_recording_for_each_symbol(target_recording(target), print_symbol, NULL);
    target_recording_for_each_range(target_recording(target), print_memory, NULL);
    arena_clear(&stacks.texts.arena);
    target_close(target);
    return 0;
}
