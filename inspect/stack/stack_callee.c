/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decodes calls.
 */
#include "stack/stack_internal.h"

#include "debug/debug.h"
#include "target/target_kinds.h"

#include <elf.h>
#include <string.h>

#if defined(__aarch64__)
enum { THIS_MACHINE = EM_AARCH64 };
#elif defined(__x86_64__)
enum { THIS_MACHINE = EM_X86_64 };
#else
enum { THIS_MACHINE = EM_NONE };
#endif

/* --- x86-64 --- */

enum { CALL = 0xe8, INDIRECT = 0xff, OF_CALL = 0x15, OF_JUMP = 0x25, BOUND = 0xf2 };
enum { DISPLACEMENT = 4, DIRECT_BYTES = 5, INDIRECT_BYTES = 6 };

/* Where an operand relative to the end of its instruction lies. */
static uint64_t operand(uint64_t end, const unsigned char *code)
{
    int32_t displacement;
    memcpy(&displacement, code, sizeof displacement);
    return end + (uint64_t)(int64_t)displacement;
}

/* Through the jump by which the program reaches functions of libraries. */
static uint64_t follow_jump_of_x86(struct target *target, uint64_t address)
{
    static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    unsigned char code[sizeof landing + 1 + INDIRECT_BYTES];
    uint64_t callee;
    size_t at = 0;
    if (!target_peek(target, address, code, sizeof code))
        return address;
    at += memcmp(code, landing, sizeof landing) == 0 ? sizeof landing : 0;
    at += code[at] == BOUND ? 1 : 0;
    if (code[at] != INDIRECT || code[at + 1] != OF_JUMP)
        return address;
    const uint64_t entry = operand(address + at + INDIRECT_BYTES, &code[at + 2]);
    return target_peek(target, entry, &callee, sizeof callee) ? callee : 0;
}

static uint64_t find_callee_of_x86(struct target *target, uint64_t return_address)
{
    unsigned char code[INDIRECT_BYTES];
    uint64_t callee;
    if (!target_peek(target, return_address - sizeof code, code, sizeof code))
        return 0;
    const uint64_t where = operand(return_address, &code[INDIRECT_BYTES - DISPLACEMENT]);
    if (code[0] == INDIRECT && code[1] == OF_CALL)
        return target_peek(target, where, &callee, sizeof callee) ? callee : 0;
    return code[INDIRECT_BYTES - DIRECT_BYTES] == CALL ? follow_jump_of_x86(target, where) : 0;
}

/* --- arm64 --- */

/* [count] instructions; also where the target's bytes come in another order than ours: its instructions are always
 * little-endian. */
static bool read_instructions(struct target *target, uint64_t address, uint32_t *instructions, size_t count)
{
    unsigned char bytes[4 * sizeof *instructions];
    if (count > sizeof bytes / 4 || !target_peek(target, address, bytes, 4 * count))
        return false;
    for (size_t i = 0; i < count; i++)
        instructions[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                          (uint32_t)bytes[4 * i + 3] << 24;
    return true;
}

/* Sign-extends the `count` low bits. */
static int64_t signed_bits(uint64_t bits, unsigned count)
{
    const uint64_t sign = UINT64_C(1) << (count - 1);
    return (int64_t)((bits & (2 * sign - 1)) ^ sign) - (int64_t)sign;
}

/* Through what the linker calls functions of libraries by: adrp x16, page; ldr x17, [x16, offset]; add; br x17. There
 * may be a landing pad (bti c) before it. */
static uint64_t follow_jump_of_arm(struct target *target, uint64_t address)
{
    static const uint32_t landing = 0xd503245f, jump = 0xd61f0220;
    uint32_t code[4];
    uint64_t callee;
    if (!read_instructions(target, address, code, 1))
        return address;
    address += code[0] == landing ? sizeof *code : 0;
    if (!read_instructions(target, address, code, 4) || (code[0] & 0x9f00001f) != 0x90000010 ||
        (code[1] & 0xffc003ff) != 0xf9400211 || code[3] != jump)
        return address;
    const int64_t pages = signed_bits((uint64_t)(code[0] >> 5 & 0x7ffff) << 2 | (code[0] >> 29 & 3), 21);
    const uint64_t entry =
        (address & ~UINT64_C(0xfff)) + ((uint64_t)pages << 12) + (uint64_t)(code[1] >> 10 & 0xfff) * 8;
    return target_peek(target, entry, &callee, sizeof callee) ? callee : 0;
}

/* bl; not blr, which calls through a pointer. */
static uint64_t find_callee_of_arm(struct target *target, uint64_t return_address)
{
    uint32_t call;
    if (!read_instructions(target, return_address - sizeof call, &call, 1) || (call & 0xfc000000) != 0x94000000)
        return 0;
    return follow_jump_of_arm(target, return_address - sizeof call + 4 * (uint64_t)signed_bits(call, 26));
}

uint64_t stack_decode_call(struct target *target, int machine, uint64_t return_address)
{
    if (target_pointer_bytes(target) != 8)
        return 0;
    switch (machine) {
    case EM_X86_64:
        return find_callee_of_x86(target, return_address);
    case EM_AARCH64:
        return find_callee_of_arm(target, return_address);
    default:
        return 0;
    }
}

const char *stack_find_callee(struct target *target, uint64_t return_address)
{
    const uint64_t callee = stack_decode_call(target, THIS_MACHINE, return_address);
    Dwfl_Module *module = callee != 0 && target->dwfl != NULL ? dwfl_addrmodule(target->dwfl, callee) : NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = module != NULL ? debug_symbol_at(module, callee, &offset, &symbol) : NULL;
    return name != NULL && offset == 0 ? name : NULL;
}
