/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libFuzzer harness: a fake target of the usual state, changed as the input says, is opened and walked through.
 *
 * Input: one byte of options, two bytes that say which read and which allocation fail (0: none), then changes: two
 * bytes of place, one of length, the bytes themselves.
 */
#include "fake_objects.h"
#include "opened_job.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change(struct fake_target *target, const uint8_t *data, size_t size)
{
    while (size > 3) {
        const size_t place = (size_t)(data[0] | data[1] << 8) * 4 % target->used;
        size_t length = data[2] % 16 + 1u;
        if (length > size - 3)
            length = size - 3;
        if (length > target->used - place)
            length = target->used - place;
        memcpy(target->memory + place, data + 3, length);
        data += 3 + length;
        size -= 3 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct opened_job opened;
    if (size < 3)
        return 0;
    opened_job_create(&opened, &(struct fake_options){.big_endian = data[0] & 1,
                                                      .word_size = data[0] & 2 ? 4 : 8,
                                                      .reversed = data[0] & 4,
                                                      .appended_bytes = data[0] & 8 ? 8 : 0,
                                                      .chunk_capacity = data[0] & 16 ? 1 : 4,
                                                      .memory_bytes = (size_t)1 << 17});
    struct fake_objects objects;
    if (data[0] & 64)
        fake_objects_add(&objects, &opened.job);
    fake_job_populate(&opened.job);
    change(opened.job.target, data + 3, size - 3);
    opened.debugger.fail_read = data[1];
    opened.debugger.fail_later_reads = data[0] & 32;
    opened.debugger.fail_allocation = data[2];
    opened.debugger.allocation_limit = (size_t)64 << 20;
    fake_debugger_open(&opened.debugger);
    const struct walk_result result = walk_everything(opened.process, 0);
    if (result.wrong != 0 || opened.debugger.reads > 4000 || opened_job_close(&opened) != 0)
        abort();
    return 0;
}
