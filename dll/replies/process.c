/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the process as a whole.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "layout/layout.h"

/* Sees that the root was read at least once. */
static int need_root(mqs_process_info *info)
{
    int code = process_info_need_copy(info);
    return code == MPILENS_ERROR_NOT_INITIALIZED ? mqs_ok : code;
}

int mpilens_get_clock(mqs_process *process, struct mpilens_clock_information *ret_clock)
{
    mqs_process_info *info = process_info(process);
    if (!reply_is_possible(ret_clock))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = need_root(info);
    if (code != mqs_ok)
        return code;
    const struct mpilens_process *root = &info->reading.root.process;
    const struct mpilens_clock_information clock = {
        .clock = root->clock,
        .origin_ticks = root->clock_origin_ticks,
        .origin_monotonic = root->clock_origin_monotonic,
        .origin_realtime = root->clock_origin_realtime,
        .recent_ticks = root->clock_recent_ticks,
        .recent_monotonic = root->clock_recent_monotonic,
    };
    reply_give(ret_clock, &clock, sizeof clock);
    return mqs_ok;
}

/* Facts from a copy, beside the root. */
struct copied {
    uint64_t untracked_operations;
    uint64_t untracked_objects;
    uint64_t torn_records;
};

static void give_process(const struct mpilens_process *root, const struct copied *copied,
                         struct mpilens_process_information *ret_process)
{
    struct mpilens_process_information answer = {
        .state = root->state,
        .pid = root->pid,
        .thread_level = (int32_t)root->thread_level,
        .world_rank = root->world_rank,
        .world_size = root->world_size,
        .layout_minor = root->layout_minor,
        .untracked_operations = copied->untracked_operations,
        .untracked_objects = copied->untracked_objects,
        .memory_bytes = root->memory_bytes,
        .torn_records = copied->torn_records,
        .buffer = root->buffer,
        .buffer_bytes = root->buffer != 0 ? root->buffer_bytes : 0,
        .synchronous_sends = root->synchronous_sends != 0,
        .unexpected_mode = root->unexpected_mode,
        .unexpected_as_of = root->unexpected_as_of,
        .senders_in_turn = root->senders_in_turn != 0,
        .exit_status = root->exit_status,
        .box_state = root->box_state,
        .box_error = root->box_error,
    };
    text_set(answer.library_version, sizeof answer.library_version, root->library_version);
    text_set(answer.runtime_version, sizeof answer.runtime_version, root->runtime_version);
    text_set(answer.job_identity, sizeof answer.job_identity, root->job_identity);
    reply_give(ret_process, &answer, sizeof answer);
}

int reply_get_process(mqs_process_info *info, struct mpilens_process_information *ret_process)
{
    if (!reply_is_possible(ret_process))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = need_root(info);
    if (code != mqs_ok)
        return code;
    const struct reading *reading = &info->reading;
    const struct copied copied = {
        .untracked_operations = untracked_operations(reading),
        .untracked_objects = untracked_objects(reading),
        .torn_records = reading->snapshot.torn_records,
    };
    give_process(&reading->root.process, &copied, ret_process);
    return mqs_ok;
}

int mpilens_identify_process(mqs_process *process, struct mpilens_process_information *ret_process)
{
    mqs_process_info *info = process_info(process);
    static const struct copied none;
    struct mpilens_process root;
    if (!reply_is_possible(ret_process))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_check(info);
    if (code == mqs_ok)
        code = process_info_identify(info, &root);
    if (code == mqs_ok)
        give_process(&root, &none, ret_process);
    return code;
}

static void describe_freed(const mqs_process_info *info, const struct mpilens_freed_object *record,
                           struct mpilens_freed_object_information *ret_answer)
{
    *ret_answer = (struct mpilens_freed_object_information){.serial = record->serial,
                                                            .id = record->unique_id,
                                                            .collective_calls = record->collective_count,
                                                            .freed = record->freed,
                                                            .site = record->site,
                                                            .last_site = record->last_site,
                                                            .kind = record->kind};
    text_set(ret_answer->function, sizeof ret_answer->function,
             function_table_get(&info->reading.functions, record->function)->name);
    text_set(ret_answer->last_function, sizeof ret_answer->last_function,
             function_table_get(&info->reading.functions, record->last_function)->name);
}

int mpilens_get_freed_objects(mqs_process *process, struct mpilens_freed_object_information *ret_objects,
                              size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = process_info(process);
    if (ret_count == NULL || (capacity > 0 && !reply_is_possible(ret_objects)))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    const struct mpilens_process *root = &info->reading.root.process;
    if (root->freed_objects == 0)
        return mqs_no_information;
    struct mpilens_freed_object records[MPILENS_FREED_COUNT];
    size_t count = 0;
    code = serial_records_read(&info->reading.target, &info->reading.root, MPILENS_STRUCT_freed_object,
                               root->freed_objects, MPILENS_FREED_COUNT, records, sizeof records[0]);
    for (size_t i = 0; code == mqs_ok && i < MPILENS_FREED_COUNT && count < capacity; i++) {
        const struct mpilens_freed_object *record = &records[(root->freed_count + i) % MPILENS_FREED_COUNT];
        if (record->serial == 0)
            continue;
        struct mpilens_freed_object_information answer;
        describe_freed(info, record, &answer);
        reply_give_element(ret_objects, count++, &answer, sizeof answer);
    }
    if (code == mqs_ok)
        *ret_count = count;
    return code;
}
