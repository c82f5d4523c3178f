/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks by the threads whether a snapshot is still current. If not, the next one has its tables where this one had
 * them, so that they are fetched together.
 */
#include "process/process.h"

#include "snapshot/snapshot.h"
#include "target/target.h"

/* Ranges of the target, of a directory and blocks. */
static size_t range_count(const struct table_copy *copy)
{
    return 1 + copy->block_count;
}

static size_t add_ranges(const mqs_process_info *info, enum mpilens_table_kind kind, struct sort_entry *ranges)
{
    const struct mpilens_table *table = &info->reading.root.process.tables[kind];
    const struct table_copy *copy = &info->reading.snapshot.tables[kind];
    const uint64_t chunk_bytes = info->reading.root.offsets.struct_size[MPILENS_STRUCT_chunk];
    size_t count = 0;
    if (table->chunk_count > 0)
        ranges[count++] = (struct sort_entry){.major = table->directory, .middle = table->chunk_count * chunk_bytes};
    for (size_t i = 0; i < copy->block_count; i++)
        ranges[count++] = (struct sort_entry){.major = copy->blocks[i].address,
                                              .middle = (uint64_t)copy->blocks[i].capacity * copy->record_bytes};
    return count;
}

/* Fetches what these tables (of kinds [first, end)) had in the last snapshot, and their directories. */
static void fetch_tables(mqs_process_info *info, unsigned first, unsigned end)
{
    size_t limit = 0;
    for (unsigned kind = first; kind < end; kind++)
        limit += range_count(&info->reading.snapshot.tables[kind]);
    struct sort_entry *ranges = allocate_array(limit, sizeof *ranges);
    size_t count = 0;
    for (unsigned kind = first; ranges != NULL && kind < end; kind++)
        count += add_ranges(info, (enum mpilens_table_kind)kind, ranges + count);
    if (ranges != NULL)
        read_ahead_fetch(&info->ahead, &info->reading.target, ranges, count);
    release(ranges);
}

/* Only a copy during which no thread has moved shows the process at one moment. */
static bool can_be_compared(const mqs_process_info *info)
{
    return info->copied && info->snapshot_code == mqs_ok && info->reading.snapshot.still &&
           info->reading.snapshot.tables[MPILENS_TABLE_THREADS].record_count > 0;
}

/* The root and the threads as they are now. */
static int look(mqs_process_info *info, struct table_copy *ret_threads)
{
    int code = process_info_attach(info);
    if (code != mqs_ok)
        return code;
    info->reading.target.ahead = &info->ahead;
    /* A copy that follows has the same root as the threads that were compared. */
    read_ahead_keep(&info->ahead, info->reading.root.address, info->reading.root.offsets.header.process_size,
                    info->reading.root.bytes);
    fetch_tables(info, MPILENS_TABLE_THREADS, MPILENS_TABLE_THREADS + 1);
    return table_copy_take(&info->reading.target, &info->reading.root.offsets,
                           &info->reading.root.process.tables[MPILENS_TABLE_THREADS], MPILENS_TABLE_THREADS,
                           ret_threads);
}

/* As often as snapshot_read copies the threads, together with the copies that were compared. */
enum { MORE_COPIES = LOADS_ARE_ORDERED ? 0 : 3 };

/* A snapshot of what is fetched together. MPILENS_ERROR_INCONSISTENT: the process has run meanwhile. */
static int copy_at_once(mqs_process_info *info, const struct table_copy *threads)
{
    fetch_tables(info, 0, MPILENS_TABLE_COUNT);
    int code = process_info_copy(info);
    if (code == mqs_ok && threads_have_moved(threads, &info->reading.snapshot.tables[MPILENS_TABLE_THREADS]))
        code = MPILENS_ERROR_INCONSISTENT;
    for (int i = 0; i < MORE_COPIES && code == mqs_ok; i++)
        if (!read_ahead_is_steady(&info->ahead, &info->reading.target))
            code = MPILENS_ERROR_INCONSISTENT;
    return code;
}

int process_info_refresh(mqs_process_info *info)
{
    process_info_end_reading_ahead(info);
    if (!can_be_compared(info))
        return process_info_copy(info);
    const enum mpilens_process_state state = info->reading.root.process.state;
    struct table_copy threads;
    int code = look(info, &threads);
    if (code == mqs_ok) {
        if (info->reading.root.process.state != state ||
            threads_have_moved(&info->reading.snapshot.tables[MPILENS_TABLE_THREADS], &threads))
            code = copy_at_once(info, &threads);
        table_copy_free(&threads);
    }
    if (code == mqs_ok)
        return mqs_ok;
    /* The process runs: memory fetched ahead would be older than the rest. */
    process_info_end_reading_ahead(info);
    return process_info_copy(info);
}
