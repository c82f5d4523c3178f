/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads pages of shared mappings.
 */
#include "kernel/shared_memory.h"

#include "base/blocked_read.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_MAPPINGS = 64, MOST_LINES = 65536, MOST_PAGES = 512, MOST_PAGE_BYTES = 1 << 16 };

struct mapping {
    unsigned long long start, end;
};

/* By which MPI libraries share memory; files that a program has mapped for itself may be anywhere. */
static bool is_of_messages(const char *name)
{
    static const char *const beginnings[] = {"/dev/shm/", "/memfd:", "/SYSV", "/dev/zero (deleted)"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static size_t find_mappings(pid_t pid, struct mapping *ret_mappings)
{
    char path[64], line[PATH_MAX + 128];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *file = fopen(path, "re");
    for (int i = 0; file != NULL && i < MOST_LINES && count < MOST_MAPPINGS && fgets(line, sizeof line, file) != NULL;
         i++) {
        char permissions[8];
        int name = 0;
        struct mapping mapping;
        if (sscanf(line, "%llx-%llx %7s %*s %*s %*s %n", &mapping.start, &mapping.end, permissions, &name) == 3 &&
            strncmp(permissions, "rw", 2) == 0 && permissions[3] == 's' && name > 0 && is_of_messages(line + name))
            ret_mappings[count++] = mapping;
    }
    if (file != NULL)
        fclose(file);
    return count;
}

/* Whether it takes no new memory to read the page. */
static bool is_present(int pagemap, unsigned long long address, unsigned long long page_bytes)
{
    uint64_t entry;
    return pread(pagemap, &entry, sizeof entry, (off_t)(address / page_bytes * sizeof entry)) ==
               (ssize_t)sizeof entry &&
           (entry >> 63) != 0;
}

/* As FNV-1a, by words. */
static uint64_t add_page(uint64_t digest, const unsigned char *bytes, size_t count)
{
    static const uint64_t prime = 0x100000001b3;
    for (size_t i = 0; i + sizeof(uint64_t) <= count; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        digest = (digest ^ word) * prime;
        digest ^= digest >> 29;
    }
    return digest;
}

static uint64_t digest_of(pid_t pid, const struct mapping *mappings, size_t count, int pagemap)
{
    static unsigned char bytes[MOST_PAGE_BYTES];
    const unsigned long long page_bytes = (unsigned long long)sysconf(_SC_PAGESIZE);
    unsigned long long pages = 0;
    uint64_t digest = 0;
    for (size_t i = 0; i < count; i++)
        pages += (mappings[i].end - mappings[i].start) / page_bytes;
    const unsigned long long step = pages / MOST_PAGES + 1;
    for (size_t i = 0; i < count && page_bytes <= sizeof bytes; i++)
        for (unsigned long long page = mappings[i].start; page < mappings[i].end; page += step * page_bytes) {
            const struct iovec local = {bytes, page_bytes}, remote = {(void *)(uintptr_t)page, page_bytes};
            if (is_present(pagemap, page, page_bytes) &&
                process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)page_bytes)
                digest = add_page(digest, bytes, page_bytes) | 1;
        }
    return digest;
}

uint64_t shared_memory_digest(pid_t pid)
{
    char path[64];
    struct mapping mappings[MOST_MAPPINGS];
    uint64_t digest = 0;
    if (blocked_read_is_noted(pid))
        return 0;
    blocked_read_begin(pid);
    const size_t count = find_mappings(pid, mappings);
    snprintf(path, sizeof path, "/proc/%ld/pagemap", (long)pid);
    const int pagemap = count > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (pagemap >= 0) {
        digest = digest_of(pid, mappings, count, pagemap);
        close(pagemap);
    }
    blocked_read_end();
    return digest;
}
