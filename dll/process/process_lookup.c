/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies single tables of a process on demand.
 */
#include "process/process.h"

/* Whether the debugger has asked for the copy that there is. */
static bool is_asked_for(const mqs_process_info *info)
{
    return info->copied && !info->is_for_lookup;
}

int process_info_begin_lookup(mqs_process_info *info)
{
    int code = process_info_check(info);
    if (code != mqs_ok)
        return code;
    if (is_asked_for(info))
        return process_info_need_copy(info);
    process_info_drop_copy(info); /* the process may have run since the last question */
    code = process_info_prepare(info);
    if (code == mqs_ok)
        info->is_partial = true;
    return code;
}

int process_info_begin_request_lookup(mqs_process_info *info)
{
    int code = process_info_check(info);
    if (code == mqs_ok && !is_asked_for(info)) {
        process_info_copy(info);
        info->is_for_lookup = true;
    }
    return code == mqs_ok ? process_info_need_copy(info) : code;
}

int process_info_need(mqs_process_info *info, uint32_t tables)
{
    int code = mqs_ok;
    for (unsigned kind = 0; code == mqs_ok && info->is_partial && kind < MPILENS_TABLE_COUNT; kind++) {
        if (!(tables & ~info->tables & TABLE_BIT(kind)))
            continue;
        code = table_copy_take(&info->reading.target, &info->reading.root.offsets,
                               &info->reading.root.process.tables[kind], (enum mpilens_table_kind)kind,
                               &info->reading.snapshot.tables[kind]);
        if (code == mqs_ok)
            info->tables |= TABLE_BIT(kind);
    }
    return code;
}

int process_info_need_root(mqs_process_info *info)
{
    int code = process_info_check(info);
    if (code != mqs_ok)
        return code;
    if (is_asked_for(info))
        return process_info_need_copy(info);
    if (info->reading.root.bytes == NULL || info->reading.root.process.status_layout[0].bytes == 0)
        code = process_info_attach(info);
    return code;
}
