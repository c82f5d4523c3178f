/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chunked tables: addresses, counts, reuse, the memory limit.
 */
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MANY = 40000 };

static const enum mpilens_table_kind kind = MPILENS_TABLE_OPERATIONS;

static struct mpilens_operation *operations[MANY];

static const struct mpilens_chunk *chunk(uint32_t index)
{
    return (const struct mpilens_chunk *)(uintptr_t)mpilens_process.tables[kind].directory + index;
}

static const void *pointer_to(uint64_t address)
{
    return (const void *)(uintptr_t)address;
}

static uint64_t in_use(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < mpilens_process.tables[kind].chunk_count; i++)
        sum += chunk(i)->in_use;
    return sum;
}

static void take_all(void)
{
    for (size_t i = 0; i < MANY; i++) {
        operations[i] = table_take_one(kind);
        cr_assert_not_null(operations[i]);
        cr_assert_eq(operations[i]->state, 0);
        operations[i]->posted = i;
        operations[i]->state = MPILENS_OPERATION_PENDING;
    }
}

static int by_address(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t) * (void *const *)left, b = (uintptr_t) * (void *const *)right;
    return (a > b) - (a < b);
}

Test(table, gives_every_record_once_and_never_moves_it)
{
    take_all();
    for (size_t i = 0; i < MANY; i++)
        cr_assert_eq(operations[i]->posted, i, "a later record lies on record %zu", i);
    qsort(operations, MANY, sizeof operations[0], by_address);
    for (size_t i = 1; i < MANY; i++)
        cr_assert_geq((char *)operations[i] - (char *)operations[i - 1], (ptrdiff_t)sizeof *operations[0]);
}

Test(table, describes_its_records_to_a_reader)
{
    take_all();
    const struct mpilens_table *table = &mpilens_process.tables[kind];
    cr_assert_eq(table->record_bytes, sizeof(struct mpilens_operation));
    cr_assert_gt(table->chunk_count, 1);
    cr_assert_eq(in_use(), MANY);
    size_t found = 0;
    for (uint32_t i = 0; i < table->chunk_count; i++) {
        cr_assert_leq(chunk(i)->high_water, chunk(i)->capacity);
        cr_assert_eq(chunk(i)->in_use, chunk(i)->high_water);
        found += chunk(i)->high_water;
        for (size_t k = 0; k < MANY; k += 997) {
            uint64_t offset = (uint64_t)(uintptr_t)operations[k] - chunk(i)->records;
            if (offset < (uint64_t)chunk(i)->capacity * table->record_bytes) {
                cr_assert_eq(offset % table->record_bytes, 0);
                cr_assert_lt(offset / table->record_bytes, chunk(i)->high_water);
            }
        }
    }
    cr_assert_eq(found, MANY);
}

Test(table, grows_by_chunks_of_at_most_a_megabyte_that_are_larger_each_time)
{
    take_all();
    for (uint32_t i = 1; i < mpilens_process.tables[kind].chunk_count; i++) {
        cr_assert_geq(chunk(i)->capacity, chunk(i - 1)->capacity);
        cr_assert_leq((uint64_t)chunk(i)->capacity * sizeof(struct mpilens_operation), 1 << 20);
    }
}

Test(table, withdraws_what_is_given_back_and_hands_it_out_again)
{
    take_all();
    uint32_t chunks = mpilens_process.tables[kind].chunk_count;
    for (size_t i = 0; i < MANY; i += 2)
        table_give_back(kind, (void *const *)&operations[i], 1);
    cr_assert_eq(in_use(), MANY / 2);
    for (size_t i = 0; i < MANY; i++)
        cr_assert_eq(operations[i]->state, i % 2 ? MPILENS_OPERATION_PENDING : 0);
    for (size_t i = 0; i < MANY; i += 2) {
        operations[i] = table_take_one(kind);
        cr_assert_eq(operations[i]->state, 0);
        operations[i]->posted = i;
        operations[i]->state = MPILENS_OPERATION_PENDING;
    }
    cr_assert_eq(in_use(), MANY);
    cr_assert_eq(mpilens_process.tables[kind].chunk_count, chunks, "no new memory");
    for (size_t i = 0; i < MANY; i++)
        cr_assert_eq(operations[i]->posted, i);
}

Test(table, gives_empty_chunks_back_to_the_system_and_uses_them_again)
{
    take_all();
    uint32_t chunks = mpilens_process.tables[kind].chunk_count;
    table_give_back(kind, (void *const *)operations, MANY);
    cr_assert_eq(in_use(), 0);
    for (uint32_t i = 1; i < chunks; i++)
        cr_assert_eq(chunk(i)->high_water, 0, "chunk %u is not empty", i);
    take_all();
    cr_assert_eq(mpilens_process.tables[kind].chunk_count, chunks);
    cr_assert_eq(in_use(), MANY);
}

/* The page size of another kernel, 0: as it is; and what was given back to it. */
static long page_bytes;
static size_t times_given_back;

long sysconf(int name)
{
    static long (*real)(int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_PAGESIZE && page_bytes > 0 ? page_bytes : real(name);
}

static bool is_in_one_chunk(uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < mpilens_process.tables[kind].chunk_count; i++) {
        const uint64_t next = chunk(i)->records + ((uint64_t)(1 << 14) << (i < 6 ? i : 6));
        if (begin >= chunk(i)->records && end <= next)
            return true;
    }
    return false;
}

int madvise(void *begin, size_t bytes, int advice)
{
    const uint64_t address = (uint64_t)(uintptr_t)begin;
    if (page_bytes > 0 && advice == MADV_DONTNEED && is_in_one_chunk(address, address + 1)) {
        times_given_back++;
        cr_expect(address % (uint64_t)page_bytes == 0 && bytes % (size_t)page_bytes == 0, "whole pages");
        cr_expect(is_in_one_chunk(address, address + bytes), "nothing of what stands beside it");
    }
    return (int)syscall(SYS_madvise, begin, bytes, advice);
}

Test(table, gives_back_whole_pages_of_a_kernel_that_has_larger_ones)
{
    page_bytes = 1 << 16;
    take_all();
    for (size_t i = 0; i < MANY; i++)
        table_give_back_one(kind, operations[i]);
    cr_expect_gt(times_given_back, 3);
    take_all();
}

Test(table, takes_and_gives_back_at_random_like_a_set)
{
    static bool taken[MANY / 10];
    uint64_t random = 1;
    for (int step = 0; step < 200000; step++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t i = (random >> 33) % (MANY / 10);
        if (taken[i]) {
            cr_assert_eq(operations[i]->posted, i + 1, "somebody else has written to record %zu", i);
            table_give_back(kind, (void *const *)&operations[i], 1);
        } else {
            operations[i] = table_take_one(kind);
            operations[i]->posted = i + 1;
            operations[i]->state = MPILENS_OPERATION_PENDING;
        }
        taken[i] = !taken[i];
    }
    uint64_t expected = 0;
    for (size_t i = 0; i < MANY / 10; i++)
        expected += taken[i];
    cr_assert_eq(in_use(), expected);
    cr_assert_eq(shadow_count(kind, 0), expected);
}

static bool count_and_stop_at_1000(void *record, void *context)
{
    (void)record;
    return ++*(size_t *)context < 1000;
}

Test(table, visits_records_until_told_to_stop)
{
    take_all();
    size_t visited = 0;
    table_visit(kind, count_and_stop_at_1000, &visited);
    cr_assert_eq(visited, 1000);
}

Test(table, uses_the_distance_between_records_that_it_is_given)
{
    table_set_record_bytes(MPILENS_TABLE_THREADS, 12345 * 64);
    char *first = table_take_one(MPILENS_TABLE_THREADS);
    char *second = table_take_one(MPILENS_TABLE_THREADS);
    cr_assert_not_null(first);
    memset(first, 1, 12345 * 64);
    cr_assert_eq(second - first >= 12345 * 64 || first - second >= 12345 * 64, true);
    cr_assert_eq(*second, 0);
}

Test(table, stops_at_the_memory_limit_and_counts_what_it_could_not_take)
{
    mpilens_process.memory_limit = 1 << 20;
    size_t got = 0;
    while (got < MANY && (operations[got] = table_take_one(kind)))
        got++;
    cr_assert_gt(got, 1000);
    cr_assert_lt(got, MANY);
    cr_assert_eq(mpilens_process.tables[kind].untracked, 1);
    cr_assert_leq(mpilens_process.memory_bytes, 1 << 20);
    cr_assert_null(table_take_one(kind));
    cr_assert_eq(mpilens_process.tables[kind].untracked, 2);
    table_give_back(kind, (void *const *)operations, 1);
    cr_assert_not_null(table_take_one(kind), "what was given back can be taken");
}

Test(table, survives_that_there_is_no_memory_at_all)
{
    mpilens_process.memory_limit = 1;
    cr_assert_null(table_take_one(kind));
    cr_assert_eq(mpilens_process.memory_bytes, 0);
    mpilens_process.memory_limit = 0;
    cr_assert_not_null(table_take_one(kind));
    uint64_t bytes = mpilens_process.memory_bytes;
    cr_assert_gt(bytes, 0);
}

/* So that a debugger can fetch them together. */
Test(table, stands_in_one_mapping_with_all_others_as_long_as_they_are_small)
{
    enum { FAR = 1 << 21 };
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (unsigned other = 0; other < MPILENS_TABLE_COUNT; other++) {
        const uint64_t addresses[] = {address_of(table_take_one((enum mpilens_table_kind)other)),
                                      mpilens_process.tables[other].directory};
        for (size_t i = 0; i < 2; i++) {
            first = addresses[i] < first ? addresses[i] : first;
            last = addresses[i] > last ? addresses[i] : last;
        }
    }
    cr_assert_neq(first, 0);
    cr_assert_lt(last - first, FAR);
    char *between = malloc((size_t)(last - first));
    cr_assert_not_null(between);
    memcpy(between, pointer_to(first), (size_t)(last - first)); /* all of it is there */
    free(between);
    take_all();
    cr_assert_gt(mpilens_process.memory_bytes, FAR, "there is room elsewhere");
}

Test(memory, reads_the_limit_with_and_without_a_suffix)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{"12345", 12345}, {"3K", 3072}, {"5M", 5 << 20}, {"2G", UINT64_C(2) << 30}, {"0", 0}, {"", 1 << 30}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("MPILENS_MEMORY_LIMIT", cases[i].text, 1);
        memory_read_limit();
        cr_assert_eq(mpilens_process.memory_limit, cases[i].bytes, "%s", cases[i].text);
    }
    unsetenv("MPILENS_MEMORY_LIMIT");
    memory_read_limit();
    cr_assert_eq(mpilens_process.memory_limit, 1 << 30);
}

Test(memory, is_zeroed_and_counted)
{
    unsigned char *memory = memory_map(100000);
    cr_assert_eq(mpilens_process.memory_bytes, 100000);
    for (size_t i = 0; i < 100000; i++)
        cr_assert_eq(memory[i], 0);
    memory_unmap(memory, 100000);
    memory_unmap(NULL, 0);
    cr_assert_eq(mpilens_process.memory_bytes, 0);
}

Test(memory, reserves_what_is_wanted_and_leaves_it_alone_where_it_cannot)
{
    void *memory = NULL;
    size_t capacity = 0;
    cr_assert(memory_reserve(&memory, &capacity, 5000));
    cr_assert_geq(capacity, 5000);
    void *before = memory;
    cr_assert(memory_reserve(&memory, &capacity, 10));
    cr_assert_eq(memory, before);
    mpilens_process.memory_limit = mpilens_process.memory_bytes + 100;
    cr_assert(memory_reserve(&memory, &capacity, 1 << 20), "the limit does not hold for what a call needs");
    before = memory;
    size_t capacity_before = capacity;
    cr_assert_not(memory_reserve(&memory, &capacity, (size_t)1 << 50));
    cr_assert_eq(memory, before);
    cr_assert_eq(capacity, capacity_before);
}
