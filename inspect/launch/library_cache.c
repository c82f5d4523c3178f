/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache of the dynamic linker: a header, entries, and text that entries point to by offsets from the header. An
 * older format may stand in front of it.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cache_header {
    char magic[20]; /* with the version */
    uint32_t entry_count;
    uint32_t text_bytes;
    uint32_t more[5];
};

struct cache_entry {
    int32_t flags;
    uint32_t name; /* offsets */
    uint32_t path;
    uint32_t system_version;
    uint64_t capabilities;
};

static const char magic[] = "glibc-ld.so.cache1.1";

struct library_cache library_cache_open(const char *path)
{
    struct library_cache cache = {0};
    struct stat information;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cache;
    if (fstat(file, &information) == 0 && information.st_size > (off_t)sizeof(struct cache_header)) {
        const size_t bytes = (size_t)information.st_size;
        const char *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        const char *start = map != MAP_FAILED ? memmem(map, bytes, magic, strlen(magic)) : NULL;
        if (start != NULL && bytes - (size_t)(start - map) >= sizeof(struct cache_header))
            cache = (struct library_cache){.bytes = map, .byte_count = bytes, .start = (size_t)(start - map)};
        else if (map != MAP_FAILED)
            munmap((void *)(uintptr_t)map, bytes);
    }
    close(file);
    return cache;
}

static const char *text_at(const struct library_cache *cache, uint32_t offset)
{
    const size_t room = cache->byte_count - cache->start;
    const char *text = cache->bytes + cache->start + offset;
    return offset < room && memchr(text, '\0', room - offset) != NULL ? text : NULL;
}

const char *library_cache_find(const struct library_cache *cache, const char *name, size_t n)
{
    if (cache->bytes == NULL)
        return NULL;
    struct cache_header header;
    memcpy(&header, cache->bytes + cache->start, sizeof header);
    const size_t room = (cache->byte_count - cache->start - sizeof header) / sizeof(struct cache_entry);
    for (size_t i = 0; i < header.entry_count && i < room; i++) {
        struct cache_entry entry;
        memcpy(&entry, cache->bytes + cache->start + sizeof header + i * sizeof entry, sizeof entry);
        const char *entry_name = text_at(cache, entry.name);
        if (entry_name != NULL && strcmp(entry_name, name) == 0 && n-- == 0)
            return text_at(cache, entry.path);
    }
    return NULL;
}

void library_cache_close(struct library_cache *cache)
{
    if (cache->bytes != NULL)
        munmap((void *)(uintptr_t)cache->bytes, cache->byte_count);
    *cache = (struct library_cache){0};
}
