/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads records so that one that is being written is seen as such.
 */
#include "layout/layout.h"

#include "target/target.h"

#include <string.h>

/* Where loads have no order, the serials of the first and the last count, of the rest those between. */
enum { COPIES = LOADS_ARE_ORDERED ? 1 : 3, MOST_RECORD_BYTES = 256 };

static uint64_t serial_of(const struct root *root, enum mpilens_struct number, const uint8_t *bytes)
{
    _Alignas(uint64_t) uint8_t record[MOST_RECORD_BYTES];
    uint64_t serial;
    decode_struct(&root->offsets, number, bytes, record);
    memcpy(&serial, record, sizeof serial);
    return serial;
}

int serial_records_read(const struct target *target, const struct root *root, enum mpilens_struct number,
                        uint64_t address, size_t count, void *ret_records, size_t record_bytes)
{
    const size_t size = root->offsets.struct_size[number];
    struct object_block blocks[COPIES] = {{.bytes = NULL}};
    const uint8_t *copies[COPIES] = {NULL};
    int code = size != 0 && record_bytes <= MOST_RECORD_BYTES ? mqs_ok : mqs_no_information;
    for (size_t i = 0; code == mqs_ok && i < COPIES; i++)
        code = object_block_read(&blocks[i], target, address, count * (uint64_t)size, &copies[i]);
    for (size_t i = 0; code == mqs_ok && i < count; i++) {
        uint8_t *record = (uint8_t *)ret_records + i * record_bytes;
        decode_struct(&root->offsets, number, copies[COPIES / 2] + i * size, record);
        if (COPIES > 1 &&
            serial_of(root, number, copies[0] + i * size) != serial_of(root, number, copies[COPIES - 1] + i * size))
            memset(record, 0, sizeof(uint64_t));
    }
    for (size_t i = 0; i < COPIES; i++)
        object_block_free(&blocks[i]);
    return code;
}
