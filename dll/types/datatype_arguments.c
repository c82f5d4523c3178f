/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the arguments of a datatype's constructor.
 */
#include "types/types.h"

#include "layout/layout.h"

uint32_t datatype_combiner(const struct mpilens_datatype *datatype)
{
    return datatype->combiner < MPILENS_COMBINER_COUNT ? datatype->combiner : MPILENS_COMBINER_UNKNOWN;
}

uint64_t datatype_argument_count(const struct mpilens_datatype *datatype)
{
    return (uint64_t)datatype->integer_count + datatype->address_count + datatype->datatype_count;
}

int datatype_arguments_set(const struct mpilens_datatype *datatype, const uint8_t *bytes, bool big_endian,
                           struct datatype_arguments *ret_arguments)
{
    *ret_arguments =
        (struct datatype_arguments){.bytes = bytes,
                                    .big_endian = big_endian,
                                    .number_count = (size_t)datatype->integer_count + datatype->address_count,
                                    .datatype_count = datatype->datatype_count};
    return mqs_ok;
}

int datatype_arguments_read(const struct reading *reading, struct object_block *block,
                            const struct mpilens_datatype *datatype, struct datatype_arguments *ret_arguments)
{
    const uint64_t count = datatype_argument_count(datatype);
    const uint8_t *bytes = NULL;
    if (count > 0 && datatype->arguments == 0)
        return mqs_no_information;
    if (count > 0) {
        int code = object_block_read(block, &reading->target, datatype->arguments, count * sizeof(uint64_t), &bytes);
        if (code != mqs_ok)
            return code;
    }
    return datatype_arguments_set(datatype, bytes, reading->root.offsets.header.big_endian, ret_arguments);
}

int64_t datatype_arguments_number(const struct datatype_arguments *arguments, size_t number)
{
    return (int64_t)decode_integer(arguments->bytes + number * sizeof(uint64_t), sizeof(uint64_t),
                                   arguments->big_endian);
}

uint64_t datatype_arguments_address(const struct datatype_arguments *arguments, size_t number)
{
    return decode_integer(arguments->bytes + (arguments->number_count + number) * sizeof(uint64_t), sizeof(uint64_t),
                          arguments->big_endian);
}
