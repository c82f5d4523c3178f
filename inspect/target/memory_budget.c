/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits the memory for the copy of one process.
 */
#include "target/target.h"

#include "base/base.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Records are copied, converted and sorted, so that a byte of the target is several of ours. */
enum { BYTES_PER_BYTE = 8, STAT_BLOCK_BYTES = 512 };

static uint64_t kilobytes_of(const char *status, const char *key)
{
    const char *line = strstr(status, key);
    return line != NULL ? strtoull(line + strlen(key), NULL, 10) : 0;
}

/* Bytes of its own: files and shared memory may be mapped any number of times. */
static uint64_t bytes_of_process(pid_t pid)
{
    size_t bytes;
    char *status = read_process_file("/proc", pid, "status", &bytes);
    const uint64_t kilobytes =
        status != NULL ? kilobytes_of(status, "\nRssAnon:") + kilobytes_of(status, "\nVmSwap:") : 0;
    free(status);
    return kilobytes * 1024;
}

size_t memory_budget(const struct target *target)
{
    struct stat information;
    uint64_t bytes = 0;
    if (target_is_live(target))
        bytes = bytes_of_process(target_pid(target));
    else if (target_core_path(target) != NULL && stat(target_core_path(target), &information) == 0)
        bytes = (uint64_t)information.st_blocks * STAT_BLOCK_BYTES;
    else
        return SIZE_MAX;
    return bytes < SIZE_MAX / 2 / BYTES_PER_BYTE ? bytes * BYTES_PER_BYTE : SIZE_MAX;
}
