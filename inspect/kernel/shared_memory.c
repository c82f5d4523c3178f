/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads pages of shared mappings.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_MAPPINGS = 64, MOST_PAGES = 256, LEAST_PAGE_BYTES = 1 << 12, MOST_BATCH_BYTES = 1 << 16 };

/* Pages whether they are present, and how many of them at once. */
enum { MOST_LOOKED_AT = 1 << 14, MOST_ENTRIES = 256 };

/* The memory that a process shares. */
struct shared_ranges {
    struct shared_range {
        uint64_t start, end;
    } ranges[MOST_MAPPINGS];
    size_t count;
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

static void take_mapping(void *context, const struct mapping *mapping)
{
    struct shared_ranges *shared = context;
    const char *permissions = mapping->permissions;
    if (shared->count < MOST_MAPPINGS && strncmp(permissions, "rw", 2) == 0 && strchr(permissions, 's') != NULL &&
        is_of_messages(mapping->name))
        shared->ranges[shared->count++] = (struct shared_range){mapping->start, mapping->end};
}

/* Pages that it takes no new memory to read. */
struct present_pages {
    uint64_t addresses[MOST_LOOKED_AT];
    size_t count;
};

/* The present ones of `count` pages from `first` on. */
static void find_present(int pagemap, uint64_t first, size_t count, size_t page_bytes, struct present_pages *present)
{
    uint64_t entries[MOST_ENTRIES];
    const ssize_t bytes =
        pread(pagemap, entries, count * sizeof *entries, (off_t)(first / page_bytes * sizeof *entries));
    for (ssize_t i = 0; i < bytes / (ssize_t)sizeof *entries && present->count < MOST_LOOKED_AT; i++)
        if (entries[i] >> 63 != 0)
            present->addresses[present->count++] = first + (uint64_t)i * page_bytes;
}

/* Where there are more pages than can be looked at, takes some of each range. */
static void find_all_present(int pagemap, const struct shared_ranges *shared, size_t page_bytes,
                             struct present_pages *present)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < shared->count; i++)
        pages += (shared->ranges[i].end - shared->ranges[i].start) / page_bytes;
    const uint64_t step = (pages / MOST_LOOKED_AT + 1) * MOST_ENTRIES * page_bytes;
    for (size_t i = 0; i < shared->count; i++)
        for (uint64_t first = shared->ranges[i].start; first < shared->ranges[i].end; first += step) {
            const uint64_t left = (shared->ranges[i].end - first) / page_bytes;
            find_present(pagemap, first, left < MOST_ENTRIES ? (size_t)left : MOST_ENTRIES, page_bytes, present);
        }
}

/* As FNV-1a, by words. */
static uint64_t add_bytes(uint64_t digest, const unsigned char *bytes, size_t count)
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

/* Pages that are read together: a call costs more than the copying. */
struct page_batch {
    pid_t pid;
    uint64_t digest;
    size_t page_bytes;
    struct iovec remote[MOST_BATCH_BYTES / LEAST_PAGE_BYTES];
    size_t count;
};

static void read_batch(struct page_batch *batch)
{
    static unsigned char bytes[MOST_BATCH_BYTES];
    const struct iovec local = {bytes, batch->count * batch->page_bytes};
    const ssize_t read = batch->count > 0 ? process_vm_readv(batch->pid, &local, 1, batch->remote, batch->count, 0) : 0;
    if (read > 0)
        batch->digest = add_bytes(batch->digest, bytes, (size_t)read) | 1;
    batch->count = 0;
}

static void add_page(struct page_batch *batch, uint64_t address)
{
    batch->remote[batch->count++] = (struct iovec){(void *)(uintptr_t)address, batch->page_bytes};
    if ((batch->count + 1) * batch->page_bytes > MOST_BATCH_BYTES)
        read_batch(batch);
}

static uint64_t digest_of(pid_t pid, const struct shared_ranges *shared, int pagemap)
{
    struct page_batch batch = {.pid = pid, .page_bytes = (size_t)sysconf(_SC_PAGESIZE)};
    if (batch.page_bytes < LEAST_PAGE_BYTES || batch.page_bytes > MOST_BATCH_BYTES)
        return 0;
    struct present_pages *present = allocate(sizeof *present);
    find_all_present(pagemap, shared, batch.page_bytes, present);
    const size_t step = present->count / MOST_PAGES + 1;
    for (size_t i = (size_t)pid % step; i < present->count; i += step) /* other ranks look at other pages */
        add_page(&batch, present->addresses[i]);
    read_batch(&batch);
    free(present);
    return batch.digest;
}

uint64_t shared_memory_digest(pid_t pid)
{
    char path[64];
    struct shared_ranges shared = {.count = 0};
    uint64_t digest = 0;
    if (blocked_read_is_noted(pid))
        return 0;
    kept_maps_visit(pid, take_mapping, &shared);
    if (shared.count == 0)
        return 0;
    blocked_read_begin(pid);
    snprintf(path, sizeof path, "/proc/%ld/pagemap", (long)pid);
    const int pagemap = open(path, O_RDONLY | O_CLOEXEC);
    if (pagemap >= 0) {
        digest = digest_of(pid, &shared, pagemap);
        close(pagemap);
    }
    blocked_read_end();
    return digest;
}
