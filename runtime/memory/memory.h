/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mappings with a limit, anonymous or of the black box; chunked tables, the root, maps from handles to records.
 */
#ifndef MPILENS_RUNTIME_MEMORY_MEMORY_H
#define MPILENS_RUNTIME_MEMORY_MEMORY_H

#include "mpilens/black_box.h"
#include "mpilens/layout.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- black_box.c --
 * Memory that outlives the process: mapped from a file, where the user wants one (MPILENS_KEEP names its directory).
 * The root is moved there, and what debuggers read comes from there as long as there is room; then from the system, as
 * without. The root says how far that has come (box_state).
 */

/* Makes the file for this process, before anything that debuggers read is mapped. */
void black_box_open(const struct mpilens_box_process *process);

/* `bytes` (whole pages) of zeroed memory, never given back; NULL: there is no black box, or no room in it. */
void *black_box_take(size_t bytes);

/* The same, to be given back. */
void *black_box_take_block(size_t bytes);

/* Gives back memory of black_box_take_block of this size; false: it is not such memory. */
bool black_box_give_back(void *memory, size_t bytes);

/* Whether memory is of the black box. */
bool black_box_has(const void *memory);

/* Notes what has been loaded since, so that addresses in it can be told. */
void black_box_note_modules(void);

/* Removes the file: nobody needs to read this process any more. */
void black_box_remove(void);

/* Removes the file that the process has made as another program, if that has finalized MPI: exec() calls nothing that
 * could have done so. */
void black_box_remove_earlier(const struct mpilens_box_process *process);

/* In a child after fork(): makes shared memory the child's own; the file stays the parent's. */
void black_box_leave(void);

/* -- block.c --
 * Blocks of the runtime's memory for what belongs to one record and has no fixed size: small ones share pages.
 */

/* At least `bytes` (more than 0), aligned for any integer, with whatever was there before. NULL: no memory. */
void *block_take(size_t bytes);

/* Gives it back; `bytes` as it was asked for. NULL is fine. Readers may still look at it. */
void block_give_back(void *block, size_t bytes);

/* How many bytes a block really has that was taken for `bytes`: all of them are one's own. 0 of 0. */
size_t block_room(size_t bytes);

/* -- box_file.c --
 * The file of the black box. No descriptor of it stays open: the program may close any.
 */

/* Makes the file, which only the user may read, in a directory that is the user's own and that nobody else may write
 * into. A descriptor for the caller to close, or -1 and errno: EPERM where the directory is another one. */
int box_file_create(const char *directory, const struct mpilens_box_process *process);

/* As box_file_create, for the file that the process has made already, as another program. */
int box_file_find(const char *directory, const struct mpilens_box_process *process);

/* A descriptor for the caller to close; -1: the file is not there any more, or cannot be opened as things stand now. */
int box_file_reopen(void);

/* Sets space aside, so that memory mapped from there is never without. False and errno: there is none. */
bool box_file_allocate(int file, uint64_t offset, uint64_t bytes);

/* False: it has no longer its name, or cannot be reached. */
bool box_file_remove(void);

/* -- box_head.c -- The head of the black box: it makes the file an ELF core file and has the notes that a reader needs
 * without the process (mpilens/black_box.h).
 */

enum {
    BOX_SEGMENTS = 60,         /* as many at most, all in the first page with the ELF header */
    BOX_NOTES_OFFSET = 1 << 12 /* where notes begin */
};

/* Writes it into `memory`, the zeroed memory of the file's beginning of at least BOX_FIRST_BYTES. */
enum { BOX_FIRST_BYTES = 1 << 13 };
void box_head_write(void *memory, const struct mpilens_box_process *process);

/* The next segment: memory at `address` that stands at `offset` of the file; false: there are too many. */
bool box_head_add_segment(void *memory, const void *address, uint64_t offset, size_t bytes);

/* The segment with that memory is as long from now on. */
void box_head_resize_segment(void *memory, const void *address, size_t bytes);

/* Where the first segment begins in a file that this program has not written. False: it has none. */
bool box_head_find_first(int file, uint64_t *ret_offset);

/* How many bytes the head has so far. */
size_t box_head_bytes(const void *memory);

/* Adds a module. False: it takes more than `room` bytes in all. */
bool box_head_add_module(void *memory, size_t room, const struct mpilens_box_module *module, const char *path);

/* Whether the last one that was added at that place is this one. */
bool box_head_has_module(const void *head, uint64_t start, const char *path);

/* -- box_modules.c --
 * The programs and libraries that are loaded, for the head of the black box.
 */

/* Calls `visit` with each one if any was loaded since the last time; the program comes first. `path` is valid until it
 * returns. One thread at a time. */
void box_modules_visit(void (*visit)(const struct mpilens_box_module *module, const char *path));

/* -- handle_map.c --
 * From a handle to the record of the object that it names now. One map per kind of object and process; behind the
 * threads' caches, so it may lock.
 */

struct handle_map_slot {
    uint64_t handle;
    void *record; /* NULL: free slot */
};

struct handle_map {
    pthread_mutex_t mutex;
    struct handle_map_slot *slots;
    uint64_t mask;
    uint64_t count;
};

#define HANDLE_MAP_INITIALIZER                                                                                         \
    {                                                                                                                  \
        .mutex = PTHREAD_MUTEX_INITIALIZER                                                                             \
    }

/* NULL: none. */
void *handle_map_find(struct handle_map *map, uint64_t handle);

/* The handle names `record` from now on. False: no memory. */
bool handle_map_set(struct handle_map *map, uint64_t handle, void *record);

/* The handle names nothing any more, if it still names `record`; then true. */
bool handle_map_remove(struct handle_map *map, uint64_t handle, const void *record);

/* It names nothing any more, and takes no memory. */
void handle_map_clear(struct handle_map *map);

/* -- memory.c -- Memory of the runtime: mappings of its own, so that it is in core files and never in the application's
 * heap. Memory for debuggers comes from the black box (black_box.h) as long as there is one with room.
 */

/* Reads the limit (MPILENS_MEMORY_LIMIT: bytes, with suffix K, M or G; default 1G; 0: none). */
void memory_read_limit(void);

/* `bytes` of zeroed memory, or NULL where the limit or the system says no. Counted in mpilens_process.memory_bytes. */
void *memory_map(size_t bytes);

/* As memory_map, for memory that debuggers read. */
void *memory_map_shown(size_t bytes);

/* As memory_map_shown, for memory that is never given back: one mapping has all of it while there is room, so that
 * debuggers can fetch it together. `bytes`: whole pages. */
void *memory_map_together(size_t bytes);

/* Gives it back. NULL is fine. */
void memory_unmap(void *memory, size_t bytes);

/* The system may take these pages of memory_map_together, whose contents mean nothing any more. */
void memory_give_back_pages(void *memory, size_t bytes);

/* Makes *memory hold at least `bytes`; the contents are lost. For what is not larger than arrays of the application:
 * the limit does not hold for it. False: unchanged. */
bool memory_reserve(void **memory, size_t *capacity_bytes, size_t bytes);

/* As memory_reserve, for memory that debuggers read. */
bool memory_reserve_shown(void **memory, size_t *capacity_bytes, size_t bytes);

/* Orders stores for readers, which share no lock with the process. */

/* Stores before this are seen before stores after it. Only a reader's loads must be ordered against them, by itself, so
 * no fence for loads is needed: on x86-64 no instruction. */
#if defined(__aarch64__)
#define PUBLISH_BARRIER() __asm__ volatile("dmb ishst" : : : "memory")
#else
#define PUBLISH_BARRIER() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

/* -- root.c --
 * The root of the shadow state.
 */

extern struct mpilens_process mpilens_process;

/* End of the root's section: whole pages without other data, if the machine's pages are as large as expected. */
extern char mpilens__root_end[] __attribute__((visibility("hidden")));

/* The name and facts of every function number: generated, [mpilens_process.function_count]. */
extern const struct mpilens_function mpilens__functions[];

/* -- table.c --
 * Chunked tables: where published records live. A table is a directory of chunks, each twice as large as the one before
 * (up to a megabyte); a record keeps its address for the life of the process. Taking and giving back happen in batches
 * or for rare objects only, so these functions lock.
 */

/* Sets the distance between records, at least the size of the kind's struct. Before the first table_take. */
void table_set_record_bytes(enum mpilens_table_kind kind, size_t record_bytes);

/* Takes up to `wanted` records, zeroed or as they were given back, state 0. Returns how many: fewer where the memory
 * limit says so (the caller counts what it cannot track). */
size_t table_take(enum mpilens_table_kind kind, size_t wanted, void **ret_records);

/* One record, or NULL; then it is counted in the table's `untracked`. */
void *table_take_one(enum mpilens_table_kind kind);

/* Gives back records; their state becomes 0. A chunk of which all are back is given to the system and reads as zeros.
 */
void table_give_back(enum mpilens_table_kind kind, void *const *records, size_t count);

void table_give_back_one(enum mpilens_table_kind kind, void *record);

/* Gives back one that was never published, or only just: it is counted in the table's `untracked`. */
void table_give_back_untracked(enum mpilens_table_kind kind, void *record);

/* Calls `visit` for every record that was handed out, published or not, until it returns false. Other threads may take,
 * publish and withdraw records meanwhile. */
void table_visit(enum mpilens_table_kind kind, bool (*visit)(void *record, void *context), void *context);

/* -- texts.c --
 * Texts that belong to a record: in a field, and in lists, struct mpilens_texts of layout.def. The struct is zeroed at
 * first; the memory behind it is its own. No function of these locks.
 */

/* Copies `text` (NULL: empty) into a field of `bytes` bytes, cut to fit. */
void text_copy(char *field, size_t bytes, const char *text);

enum { TEXTS_BYTES_KEPT = 1 << 16 }; /* of one list; texts beyond this are only counted */

/* One more text at the end. */
void texts_append(struct mpilens_texts *texts, const char *text);

/* In a list of pairs of a key and a value: the key has this value from now on, and stands last. Where some pairs are
 * only counted and the key is none of the others, it is taken for a new one. */
void texts_set_pair(struct mpilens_texts *texts, const char *key, const char *value);

/* In a list of pairs: the key is there no more; it was. */
void texts_remove_pair(struct mpilens_texts *texts, const char *key);

/* Sets every pair of another list. */
void texts_set_pairs(struct mpilens_texts *texts, const struct mpilens_texts *pairs);

/* Whether all texts that count are kept. */
bool texts_are_complete(const struct mpilens_texts *texts);

/* Empties it and gives its memory back. */
void texts_give_back(struct mpilens_texts *texts);

#endif
