/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about topologies.
 */
#include "replies/replies.h"

#include "layout/layout.h"

static bool is_known(const struct mpilens_topology *topology)
{
    return topology->kind > MPILENS_TOPOLOGY_NONE && topology->kind <= MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH;
}

/* How many values there are, by the counts. -1: the counts make no sense. */
static int64_t count_values(const struct mpilens_topology *topology)
{
    const int64_t both = (int64_t)topology->first_count + topology->second_count;
    if (topology->first_count < 0 || topology->second_count < 0)
        return -1;
    switch (topology->kind) {
    case MPILENS_TOPOLOGY_CARTESIAN:
        return 3 * (int64_t)topology->first_count;
    case MPILENS_TOPOLOGY_GRAPH:
        return both;
    default:
        return topology->weighted ? 2 * both : both;
    }
}

int reply_get_topology(mqs_process_info *info, struct mpilens_topology_information *ret_topology)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_COMMUNICATOR, ret_topology, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_communicator *communicator = record;
    const struct mpilens_topology *topology = &communicator->topology[0];
    struct mpilens_topology_information answer = {.kind = MPILENS_TOPOLOGY_NONE};
    if (info->reading.root.offsets.fields[MPILENS_FIELD_communicator_topology].size == 0)
        return mqs_no_information;
    if (is_known(topology))
        answer = (struct mpilens_topology_information){.kind = topology->kind,
                                                       .reordered = topology->reordered != 0,
                                                       .weighted = topology->weighted != 0,
                                                       .first_count = topology->first_count,
                                                       .second_count = topology->second_count,
                                                       .value_count = topology->value_count};
    if (is_known(topology) && topology->value_count > 0 && count_values(topology) != topology->value_count)
        return MPILENS_ERROR_CORRUPT;
    reply_give(ret_topology, &answer, sizeof answer);
    return mqs_ok;
}

/* Whether the values stand in the record itself. */
static bool are_short(const mqs_process_info *info, const struct mpilens_topology *topology)
{
    const struct offsets *offsets = &info->reading.root.offsets;
    const uint64_t address =
        table_copy_address_of(&info->reading.snapshot.tables[MPILENS_TABLE_COMMUNICATORS], info->object);
    return offsets->fields[MPILENS_FIELD_topology_short_values].size > 0 &&
           topology->values == address + offsets->fields[MPILENS_FIELD_communicator_topology].offset +
                                   offsets->fields[MPILENS_FIELD_topology_short_values].offset;
}

int reply_get_topology_values(mqs_process_info *info, int32_t *ret_values, size_t capacity, size_t *ret_count)
{
    const void *record = NULL;
    if (ret_count == NULL || (capacity > 0 && ret_values == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_COMMUNICATOR, &record);
    if (code != mqs_ok)
        return code;
    const struct mpilens_communicator *communicator = record;
    const struct mpilens_topology *topology = &communicator->topology[0];
    if (!is_known(topology) || (topology->value_count == 0 && count_values(topology) != 0))
        return mqs_no_information;
    if (count_values(topology) != topology->value_count)
        return MPILENS_ERROR_CORRUPT;
    const size_t count = topology->value_count < capacity ? topology->value_count : capacity;
    const size_t shorts = sizeof topology->short_values / sizeof topology->short_values[0];
    if (count > 0 && are_short(info, topology)) {
        if (topology->value_count > shorts)
            return MPILENS_ERROR_CORRUPT;
        for (size_t i = 0; i < count; i++)
            ret_values[i] = topology->short_values[i];
    } else if (count > 0) {
        const uint8_t *bytes = NULL;
        code = object_block_read(&info->object_block, &info->reading.target, topology->values,
                                 (uint64_t)topology->value_count * sizeof(int32_t), &bytes);
        if (code != mqs_ok)
            return code;
        for (size_t i = 0; i < count; i++)
            ret_values[i] = (int32_t)decode_integer(bytes + i * sizeof(int32_t), sizeof(int32_t),
                                                    info->reading.root.offsets.header.big_endian);
    }
    *ret_count = count;
    return mqs_ok;
}
