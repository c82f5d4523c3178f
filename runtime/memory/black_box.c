/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps the file of the black box piece by piece, and moves the root there.
 */
#include "memory/memory.h"

#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    STEP_BYTES = 1 << 17,         /* by so much space is set aside */
    FIRST_EXTENT_BYTES = 1 << 21, /* each one has at least half of what those before it have */
    HEAD_BYTES = 1 << 17,
    MOST_EXTENTS = 48,
    LEAST_BLOCK_BITS = 12,
    BLOCK_SIZES = 30
};

/* A part of the file that is mapped. Space is set aside as it is used. */
struct extent {
    char *address;
    size_t bytes;
    size_t allocated; /* how much of it has space */
    size_t used;
    uint64_t offset; /* in the file */
};

struct free_block {
    struct free_block *next;
};

static pthread_mutex_t box_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct extent extents[MOST_EXTENTS]; /* the head, the root, then what is taken from */
static size_t extent_count;
static uint64_t file_bytes; /* given to extents and the table of functions */
static bool has_room;
static struct free_block *free_blocks[BLOCK_SIZES]; /* of 2^LEAST_BLOCK_BITS bytes, and of twice as many each */

enum { HEAD_EXTENT, ROOT_EXTENT };

static void *head(void)
{
    return extents[HEAD_EXTENT].address;
}

static void note_failure(enum mpilens_box_state state)
{
    mpilens_process.box_error = errno;
    mpilens_process.box_state = state;
    has_room = false;
}

static bool set_space_aside(int file, struct extent *extent, size_t bytes)
{
    if (!box_file_allocate(file, extent->offset + extent->allocated, bytes))
        return false;
    extent->allocated += bytes;
    return true;
}

/* `allocated` of it has space from the beginning. NULL and errno: there is no more. */
static struct extent *map_extent(int file, size_t bytes, size_t allocated)
{
    struct extent extent = {.bytes = bytes, .offset = file_bytes};
    errno = ENOMEM;
    if (extent_count == MOST_EXTENTS || !set_space_aside(file, &extent, allocated))
        return NULL;
    extent.address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)extent.offset);
    if (extent.address == MAP_FAILED)
        return NULL;
    extents[extent_count] = extent;
    file_bytes += bytes;
    __atomic_store_n(&extent_count, extent_count + 1, __ATOMIC_RELEASE);
    return &extents[extent_count - 1];
}

static bool add_head(int file, const struct mpilens_box_process *process)
{
    struct extent *extent = map_extent(file, HEAD_BYTES, BOX_FIRST_BYTES);
    if (extent != NULL)
        box_head_write(extent->address, process);
    return extent != NULL;
}

/* Nobody but this thread writes into the root now: it is the process's first call. */
static bool move_root(int file)
{
    char *const root = (char *)&mpilens_process;
    const size_t bytes = (size_t)((uintptr_t)mpilens__root_end - (uintptr_t)root);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    errno = ENOTSUP;
    if ((uintptr_t)root % page != 0 || bytes % page != 0)
        return false;
    struct extent extent = {.address = root, .bytes = bytes, .used = bytes, .offset = file_bytes};
    if (!set_space_aside(file, &extent, bytes) || pwrite(file, root, bytes, (off_t)extent.offset) != (ssize_t)bytes ||
        mmap(root, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)extent.offset) == MAP_FAILED)
        return false;
    extents[extent_count++] = extent;
    file_bytes += bytes;
    return box_head_add_segment(head(), root, extent.offset, bytes);
}

/* A copy: it never changes. */
static bool add_functions(int file)
{
    const size_t bytes = mpilens_process.function_count * sizeof *mpilens__functions;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!box_file_allocate(file, file_bytes, bytes) ||
        pwrite(file, mpilens__functions, bytes, (off_t)file_bytes) != (ssize_t)bytes ||
        !box_head_add_segment(head(), mpilens__functions, file_bytes, bytes))
        return false;
    file_bytes += (bytes + page - 1) / page * page;
    return true;
}

/* NULL: no black boxes are wanted. */
static const char *find_directory(void)
{
    const char *directory = secure_getenv("MPILENS_KEEP");
    return directory != NULL && directory[0] != '\0' && strcmp(directory, "none") != 0 ? directory : NULL;
}

void black_box_open(const struct mpilens_box_process *process)
{
    const char *directory = find_directory();
    if (directory == NULL)
        return;
    const int file = box_file_create(directory, process);
    has_room = file >= 0 && add_head(file, process) && move_root(file) && add_functions(file);
    if (has_room) {
        mpilens_process.box_state = MPILENS_BOX_WHOLE;
    } else {
        note_failure(MPILENS_BOX_FAILED);
        if (file >= 0)
            box_file_remove();
    }
    if (file >= 0)
        close(file);
    black_box_note_modules();
}

/* Space for all that is used, and `bytes` more. */
static bool grow(struct extent *extent, size_t bytes)
{
    const size_t missing = extent->used + bytes > extent->allocated ? extent->used + bytes - extent->allocated : 0;
    if (missing == 0)
        return true;
    const size_t left = extent->bytes - extent->allocated;
    const size_t steps = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    const int file = box_file_reopen();
    const bool good = file >= 0 && set_space_aside(file, extent, steps < left ? steps : left);
    const int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    return good;
}

static struct extent *add_extent(size_t bytes)
{
    size_t size = FIRST_EXTENT_BYTES;
    while (size < bytes || size < file_bytes / 2)
        size *= 2;
    const int file = box_file_reopen();
    struct extent *extent = file >= 0 ? map_extent(file, size, bytes) : NULL;
    const int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    if (extent == NULL)
        return NULL;
    madvise(extent->address, size, MADV_NOHUGEPAGE);
    if (!box_head_add_segment(head(), extent->address, extent->offset, extent->allocated)) {
        errno = ENOMEM;
        return NULL;
    }
    return extent;
}

static void *take(size_t bytes)
{
    struct extent *extent = extent_count > ROOT_EXTENT + 1 ? &extents[extent_count - 1] : NULL;
    if (extent == NULL || bytes > extent->bytes - extent->used)
        extent = add_extent(bytes);
    if (extent == NULL || !grow(extent, bytes)) {
        note_failure(MPILENS_BOX_CUT);
        return NULL;
    }
    box_head_resize_segment(head(), extent->address, extent->allocated);
    void *memory = extent->address + extent->used;
    extent->used += bytes;
    return memory;
}

static size_t whole_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

void *black_box_take(size_t bytes)
{
    if (!__atomic_load_n(&has_room, __ATOMIC_RELAXED))
        return NULL;
    pthread_mutex_lock(&box_mutex);
    void *memory = has_room ? take(bytes) : NULL;
    pthread_mutex_unlock(&box_mutex);
    return memory;
}

/* BLOCK_SIZES: none is so large. */
static size_t size_index(size_t bytes)
{
    size_t index = 0;
    while (index < BLOCK_SIZES && ((size_t)1 << (index + LEAST_BLOCK_BITS)) < bytes)
        index++;
    return index;
}

void *black_box_take_block(size_t bytes)
{
    const size_t index = size_index(bytes);
    if (extent_count == 0 || index == BLOCK_SIZES)
        return NULL;
    pthread_mutex_lock(&box_mutex);
    struct free_block *block = free_blocks[index];
    if (block != NULL) {
        free_blocks[index] = block->next;
        memset(block, 0, bytes);
    } else if (has_room) {
        block = take(whole_pages((size_t)1 << (index + LEAST_BLOCK_BITS)));
    }
    pthread_mutex_unlock(&box_mutex);
    return block;
}

bool black_box_has(const void *memory)
{
    const size_t count = __atomic_load_n(&extent_count, __ATOMIC_ACQUIRE);
    for (size_t i = ROOT_EXTENT + 1; i < count; i++)
        if ((uintptr_t)memory - (uintptr_t)extents[i].address < extents[i].bytes)
            return true;
    return false;
}

bool black_box_give_back(void *memory, size_t bytes)
{
    if (!black_box_has(memory))
        return false;
    struct free_block *block = memory;
    const size_t index = size_index(bytes);
    pthread_mutex_lock(&box_mutex);
    block->next = free_blocks[index];
    free_blocks[index] = block;
    pthread_mutex_unlock(&box_mutex);
    return true;
}

static void note_module(const struct mpilens_box_module *module, const char *path)
{
    struct extent *extent = &extents[HEAD_EXTENT];
    const size_t bytes = sizeof *module + strlen(path) + sizeof *module;
    if (box_head_has_module(head(), module->start, path))
        return;
    extent->used = box_head_bytes(head());
    if (extent->used + bytes <= extent->bytes && grow(extent, bytes))
        box_head_add_module(head(), extent->allocated, module, path);
}

void black_box_note_modules(void)
{
    if (!__atomic_load_n(&has_room, __ATOMIC_RELAXED))
        return;
    pthread_mutex_lock(&box_mutex);
    box_modules_visit(note_module);
    pthread_mutex_unlock(&box_mutex);
}

void black_box_remove(void)
{
    if (mpilens_process.box_state != MPILENS_BOX_WHOLE && mpilens_process.box_state != MPILENS_BOX_CUT)
        return;
    /* Out of reach, as after chroot(), it must not pass for the black box of a process that was killed. */
    if (!box_file_remove())
        memset(head(), 0, SELFMAG);
}

void black_box_remove_earlier(const struct mpilens_box_process *process)
{
    const char *directory = find_directory();
    const int file = directory != NULL ? box_file_find(directory, process) : -1;
    uint32_t state = MPILENS_PROCESS_UNUSED;
    uint64_t root;
    if (file < 0)
        return;
    if (box_head_find_first(file, &root) &&
        pread(file, &state, sizeof state, (off_t)(root + offsetof(struct mpilens_process, state))) ==
            (ssize_t)sizeof state &&
        state == MPILENS_PROCESS_FINALIZED)
        box_file_remove();
    close(file);
}

/* A copy that is written at will, from the file or, where that cannot be opened, of what is there. */
static bool make_private(const struct extent *extent, int file)
{
    if (file >= 0 && mmap(extent->address, extent->bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, (off_t)extent->offset) != MAP_FAILED)
        return true;
    void *copy = mmap(NULL, extent->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
        return false;
    memcpy(copy, extent->address, extent->allocated);
    /* Not mremap(): libraries of networks replace it by one that does not know where to. */
    return syscall(SYS_mremap, copy, extent->bytes, extent->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, extent->address) !=
           -1;
}

void black_box_leave(void)
{
    if (extent_count == 0)
        return;
    const int file = box_file_reopen();
    bool has_own_root = false;
    for (size_t i = 0; i < extent_count; i++)
        has_own_root = (make_private(&extents[i], file) && i == ROOT_EXTENT) || has_own_root;
    if (file >= 0)
        close(file);
    has_room = false;
    if (has_own_root)
        mpilens_process.box_state = MPILENS_BOX_NONE;
}
