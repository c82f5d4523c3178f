/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes, checks and hands over copies that stand aside.
 */
#include "process/process.h"

#include "snapshot/snapshot.h"

static uint64_t now; /* counts the copies that the debugger has asked for, of any process */
static uint64_t current_round = 1;

uint64_t shared_copy_round(void)
{
    return current_round;
}

/* Whole, and as the process was. */
static bool has_copy(const mqs_process_info *info)
{
    return info->copied && !info->is_partial && info->snapshot_code == mqs_ok;
}

static bool has_copy_aside(const mqs_process_info *info)
{
    return info->shared != NULL && has_copy(info->shared);
}

bool shared_copy_is_own(const mqs_process_info *info)
{
    return !has_copy_aside(info);
}

static void drop_aside(mqs_process_info *info)
{
    if (info->shared != NULL)
        process_info_free(info->shared);
    info->shared = NULL;
}

static int refresh(mqs_process_info *info)
{
    const int code = process_info_refresh(info);
    process_info_end_reading_ahead(info);
    return code;
}

int shared_copy_claim(mqs_process_info *info)
{
    now++;
    if (info->claimed_in == current_round)
        current_round++;
    info->claimed_in = current_round;
    const bool is_seen = has_copy_aside(info) || (info->is_unmoved && has_copy(info));
    if (has_copy_aside(info))
        process_info_take_over(info, info->shared);
    drop_aside(info);
    const int code = is_seen ? refresh(info) : process_info_copy(info);
    if (is_seen)
        process_info_rewind(info);
    info->is_unmoved = false;
    info->looked_in = 0;
    if (info->is_former)
        return code;
    info->moment = now;
    info->round = current_round;
    return code;
}

static int make_aside(mqs_process_info *info)
{
    const struct target *target = &info->reading.target;
    if (info->shared != NULL)
        return mqs_ok;
    return process_info_make(target->access, target->process, target->callbacks, &info->shared);
}

static bool is_identified(const mqs_process_info *info)
{
    return info != NULL && info->reading.root.bytes != NULL &&
           info->reading.root.process.state != MPILENS_PROCESS_UNUSED;
}

static int identify(mqs_process_info *info)
{
    int code = make_aside(info);
    if (code == mqs_ok)
        code = process_info_attach(info->shared);
    return code == mqs_ok && !is_identified(info->shared) ? MPILENS_ERROR_NOT_INITIALIZED : code;
}

int shared_copy_identify(mqs_process_info *info, const struct mpilens_process **ret_process)
{
    if (!is_identified(info->shared) && !is_identified(info)) {
        if (info->looked_in == current_round)
            return info->look_code;
        const int code = identify(info);
        if (code != mqs_ok) {
            info->looked_in = current_round;
            info->look_code = code;
            return code;
        }
    }
    const mqs_process_info *identified = is_identified(info->shared) ? info->shared : info;
    *ret_process = &identified->reading.root.process;
    return mqs_ok;
}

/* Whether the process is as in the debugger's copy still. */
static bool is_unmoved(const mqs_process_info *info, mqs_process_info *aside)
{
    const struct snapshot *snapshot = &info->reading.snapshot;
    struct table_copy threads;
    if (!snapshot->still || snapshot->tables[MPILENS_TABLE_THREADS].record_count == 0 ||
        process_info_attach(aside) != mqs_ok)
        return false;
    const struct reading *reading = &aside->reading;
    const struct mpilens_process *before = &info->reading.root.process;
    if (reading->root.process.state != before->state ||
        reading->root.process.unexpected_as_of != before->unexpected_as_of ||
        table_copy_take(&reading->target, &reading->root.offsets, &reading->root.process.tables[MPILENS_TABLE_THREADS],
                        MPILENS_TABLE_THREADS, &threads) != mqs_ok)
        return false;
    const bool has_moved = threads_have_moved(&snapshot->tables[MPILENS_TABLE_THREADS], &threads);
    table_copy_free(&threads);
    return !has_moved;
}

/* Looks at the process: its copy, wherever that stands, is as of now then. */
static int look(mqs_process_info *info)
{
    int code = make_aside(info);
    if (code != mqs_ok)
        return code;
    if (!has_copy(info->shared) && has_copy(info) && is_unmoved(info, info->shared)) {
        info->moment = now;
        info->round = current_round;
        info->is_unmoved = true;
        return mqs_ok;
    }
    code = refresh(info->shared);
    info->shared->moment = now;
    info->shared->round = current_round;
    return code;
}

static mqs_process_info *copy_of(mqs_process_info *info)
{
    return has_copy_aside(info) ? info->shared : info;
}

int shared_copy_take(mqs_process_info *info, mqs_process_info **ret_copy)
{
    const mqs_process_info *copy = copy_of(info);
    if (!has_copy(copy) || copy->round != current_round) {
        if (info->looked_in != current_round)
            info->look_code = look(info);
        info->looked_in = current_round;
        if (info->look_code != mqs_ok)
            return info->look_code;
    }
    *ret_copy = copy_of(info);
    return mqs_ok;
}
