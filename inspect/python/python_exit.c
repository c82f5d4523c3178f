/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Py_RunMain keeps the status in a variable on its stack and returns it when the interpreter is gone. Its last
 * instructions load it, so they say where it is.
 */
#include "python/python.h"

#include "target/target.h"

#include <string.h>

/* As far behind the call of Py_FinalizeEx its end begins, in bytes; its own instructions from there on; a status. */
enum { MOST_BEFORE = 96, MOST_END = 40, MOST_STATUS = 255 };

/* mov OFFSET(%rsp),%eax at the beginning of the code: its length, 0: it is another instruction. */
static size_t match_load(const unsigned char *code, size_t bytes, uint32_t *ret_offset)
{
    if (bytes >= 3 && memcmp(code, "\x8b\x04\x24", 3) == 0) {
        *ret_offset = 0;
        return 3;
    }
    if (bytes >= 4 && memcmp(code, "\x8b\x44\x24", 3) == 0 && code[3] < 0x80) {
        *ret_offset = code[3];
        return 4;
    }
    if (bytes >= 7 && memcmp(code, "\x8b\x84\x24", 3) == 0) {
        memcpy(ret_offset, code + 3, sizeof *ret_offset);
        return *ret_offset < 0x10000 ? 7 : 0;
    }
    return 0;
}

/* test of a register and a short jump, add to the stack pointer, pop: its length, 0: it is another instruction. */
static size_t match_end(const unsigned char *code, size_t bytes)
{
    if (bytes >= 4 && code[0] == 0x85 && code[1] >= 0xc0 && code[2] == 0x75)
        return 4;
    if (bytes >= 5 && code[0] == 0x45 && code[1] == 0x85 && code[2] >= 0xc0 && code[3] == 0x75)
        return 5;
    if (bytes >= 4 && memcmp(code, "\x48\x83\xc4", 3) == 0)
        return 4;
    if (bytes >= 7 && memcmp(code, "\x48\x81\xc4", 3) == 0)
        return 7;
    if (bytes >= 1 && code[0] >= 0x58 && code[0] <= 0x5f)
        return 1;
    return bytes >= 2 && code[0] == 0x41 && code[1] >= 0x58 && code[1] <= 0x5f ? 2 : 0;
}

bool python_find_returned(const unsigned char *code, size_t bytes, uint32_t *ret_offset)
{
    enum { RETURN = 0xc3 };
    for (size_t i = 0; i < bytes; i++) {
        uint32_t offset;
        const size_t load = match_load(code + i, bytes - i, &offset);
        size_t at = i + load;
        for (size_t more = load; more > 0 && at < bytes; at += more)
            more = match_end(code + at, bytes - at);
        if (load == 0 || at >= bytes || code[at] != RETURN)
            continue;
        *ret_offset = offset;
        return true;
    }
    return false;
}

bool python_find_exit_status(struct target *target, uint64_t address, uint64_t stack_pointer, int *ret_status)
{
#if defined(__x86_64__)
    unsigned char code[MOST_BEFORE + MOST_END];
    uint32_t offset;
    int32_t status;
    if (target_pointer_bytes(target) != 8 || stack_pointer == 0 || !target_peek(target, address, code, sizeof code) ||
        !python_find_returned(code, sizeof code, &offset) ||
        !target_peek(target, stack_pointer + offset, &status, sizeof status) || status < 0 || status > MOST_STATUS)
        return false;
    *ret_status = status;
    return true;
#else
    (void)target;
    (void)address;
    (void)stack_pointer;
    (void)ret_status;
    return false;
#endif
}
