/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about an MPI_Status in the memory of the target.
 */
#include "replies/replies.h"

#include "layout/layout.h"
#include "process/process.h"
#include "target/target.h"

enum { MOST_STATUS_BYTES = 4096 /* bytes */ };

/* Checks that the process has published the layout. */
static int need_layout(mqs_process_info *info)
{
    int code = process_info_need_root(info);
    if (code != mqs_ok)
        return code;
    const uint32_t bytes = info->reading.root.process.status_layout[0].bytes;
    if (bytes == 0)
        return mqs_no_information;
    return bytes <= MOST_STATUS_BYTES ? mqs_ok : MPILENS_ERROR_CORRUPT;
}

struct status_bytes {
    const uint8_t *bytes;
    uint32_t count;
    bool big_endian;
};

/* False: it would not be in the status. */
static bool get(const struct status_bytes *status, uint64_t offset, uint32_t bytes, uint64_t *ret_value)
{
    if (offset + bytes > status->count)
        return false;
    *ret_value = decode_integer(status->bytes + offset, bytes, status->big_endian);
    return true;
}

static bool get_int(const struct status_bytes *status, uint32_t offset, int32_t *ret_value)
{
    uint64_t value = 0;
    if (!get(status, offset, sizeof *ret_value, &value))
        return false;
    *ret_value = (int32_t)value;
    return true;
}

static bool set_received(const struct status_bytes *status, const struct mpilens_status_layout *layout,
                         struct mpilens_status_information *answer)
{
    uint64_t low = 0;
    uint64_t high = 0;
    int32_t cancelled = 0;
    switch (layout->encoding) {
    case MPILENS_STATUS_SEPARATE:
        if (!get(status, layout->count, sizeof(uint64_t), &low) || !get_int(status, layout->cancelled, &cancelled))
            return false;
        answer->bytes = low <= INT64_MAX ? (int64_t)low : -1;
        answer->cancelled = cancelled != 0;
        return true;
    case MPILENS_STATUS_PACKED:
        if (!get(status, layout->count, sizeof(uint32_t), &low) ||
            !get(status, (uint64_t)layout->count + sizeof(uint32_t), sizeof(uint32_t), &high))
            return false;
        answer->bytes = (int64_t)(low | (high >> 1) << 32);
        answer->cancelled = (int32_t)(high & 1);
        return true;
    default:
        return true;
    }
}

int reply_get_status(mqs_process_info *info, mqs_taddr_t address, struct mpilens_status_information *ret_status)
{
    if (!reply_is_possible(ret_status))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = need_layout(info);
    if (code != mqs_ok)
        return code;
    const struct mpilens_process *root = &info->reading.root.process;
    const struct mpilens_status_layout *layout = &root->status_layout[0];
    struct mpilens_status_information answer = {
        .source = -1, .tag = -1, .error = -1, .ignored = 1, .bytes = -1, .cancelled = -1};
    if (address != root->status_ignore && address != root->statuses_ignore) {
        uint8_t bytes[MOST_STATUS_BYTES];
        code = target_read(&info->reading.target, address, layout->bytes, bytes);
        if (code != mqs_ok)
            return code;
        const struct status_bytes status = {bytes, layout->bytes, info->reading.root.offsets.header.big_endian};
        answer.ignored = 0;
        if (!get_int(&status, layout->source, &answer.source) || !get_int(&status, layout->tag, &answer.tag) ||
            !get_int(&status, layout->error, &answer.error) || !set_received(&status, layout, &answer))
            return MPILENS_ERROR_CORRUPT;
    }
    reply_give(ret_status, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_status_bytes(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    return need_layout(info) == mqs_ok ? (int)info->reading.root.process.status_layout[0].bytes : 0;
}
