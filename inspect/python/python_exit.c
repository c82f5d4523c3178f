/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Py_RunMain keeps the status in a variable on its stack and returns it when the interpreter is gone. Its last
 * instructions load it, so they say where it is.
 */
#include "python/python.h"

#include "target/target.h"

#include <elf.h>
#include <string.h>

/* As far behind the call of Py_FinalizeEx its end begins, in bytes; its own instructions from there on; a status. */
enum { MOST_BEFORE = 96, MOST_END = 40, MOST_STATUS = 255 };

/* Both match the beginning of the code: the length of an instruction, 0: it is another one. A load takes the result
 * from an offset from the stack pointer; an end is an instruction between that and the return. */
struct instructions {
    size_t (*match_load)(const unsigned char *code, size_t bytes, uint32_t *ret_offset);
    size_t (*match_end)(const unsigned char *code, size_t bytes);
    const char *to_return;
    size_t step; /* between addresses of instructions */
};

/* mov OFFSET(%rsp),%eax */
static size_t match_load_x86_64(const unsigned char *code, size_t bytes, uint32_t *ret_offset)
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

/* mov OFFSET(%rsp) to a 64-bit register other than %rax */
static size_t match_restore_x86_64(const unsigned char *code, size_t bytes)
{
    if (bytes < 4 || (code[0] & 0xfb) != 0x48 || code[1] != 0x8b || (code[2] & 0x07) != 0x04 || code[3] != 0x24 ||
        (code[0] == 0x48 && (code[2] & 0x38) == 0))
        return 0;
    static const size_t lengths[] = {4, 5, 8, 0}; /* by the bytes of OFFSET; the last is no load */
    const size_t length = lengths[code[2] >> 6];
    return bytes >= length ? length : 0;
}

/* test of a register and a short jump, add to the stack pointer, pop */
static size_t match_end_x86_64(const unsigned char *code, size_t bytes)
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
    if (bytes >= 2 && code[0] == 0x41 && code[1] >= 0x58 && code[1] <= 0x5f)
        return 2;
    return match_restore_x86_64(code, bytes);
}

enum { WORD = 4 };

static uint32_t word_of(const unsigned char *code, size_t bytes)
{
    return bytes < WORD ? 0 : code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/* ldr w0, [sp, OFFSET] */
static size_t match_load_aarch64(const unsigned char *code, size_t bytes, uint32_t *ret_offset)
{
    const uint32_t word = word_of(code, bytes);
    if ((word & 0xffc003ff) != 0xb94003e0)
        return 0;
    *ret_offset = (word >> 10 & 0xfff) * sizeof(int32_t);
    return WORD;
}

/* ldp and ldr from the stack, also where they move its pointer; add to the stack pointer; autiasp */
static size_t match_end_aarch64(const unsigned char *code, size_t bytes)
{
    static const struct {
        uint32_t mask, value;
    } ends[] = {{0xffc003e0, 0xa94003e0}, {0xffc003e0, 0xa8c003e0}, {0xffe00fe0, 0xf84007e0},
                {0xffc003e0, 0xf94003e0}, {0xff8003ff, 0x910003ff}, {0xffffffff, 0xd50323bf}};
    const uint32_t word = word_of(code, bytes);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((word & ends[i].mask) == ends[i].value)
            return WORD;
    return 0;
}

static const struct instructions *instructions_of(unsigned machine)
{
    static const struct instructions x86_64 = {match_load_x86_64, match_end_x86_64, "\xc3", 1},
                                     aarch64 = {match_load_aarch64, match_end_aarch64, "\xc0\x03\x5f\xd6", WORD};
    return machine == EM_X86_64 ? &x86_64 : machine == EM_AARCH64 ? &aarch64 : NULL;
}

bool python_find_returned(unsigned machine, const unsigned char *code, size_t bytes, uint32_t *ret_offset)
{
    const struct instructions *instructions = instructions_of(machine);
    const size_t return_bytes = instructions != NULL ? strlen(instructions->to_return) : 0;
    for (size_t i = 0; instructions != NULL && i < bytes; i += instructions->step) {
        uint32_t offset;
        const size_t load = instructions->match_load(code + i, bytes - i, &offset);
        size_t at = i + load;
        for (size_t more = load; more > 0 && at < bytes; at += more)
            more = instructions->match_end(code + at, bytes - at);
        if (load == 0 || at + return_bytes > bytes || memcmp(code + at, instructions->to_return, return_bytes) != 0)
            continue;
        *ret_offset = offset;
        return true;
    }
    return false;
}

/* The machine of this program, and of its targets. */
static unsigned own_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#else
    return EM_NONE;
#endif
}

bool python_find_exit_status(struct target *target, uint64_t address, uint64_t stack_pointer, int *ret_status)
{
    unsigned char code[MOST_BEFORE + MOST_END];
    uint32_t offset;
    int32_t status;
    if (target_pointer_bytes(target) != 8 || stack_pointer == 0 || !target_peek(target, address, code, sizeof code) ||
        !python_find_returned(own_machine(), code, sizeof code, &offset) ||
        !target_peek(target, stack_pointer + offset, &status, sizeof status) || status < 0 || status > MOST_STATUS)
        return false;
    *ret_status = status;
    return true;
}
