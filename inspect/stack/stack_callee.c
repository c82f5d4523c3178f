/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decodes calls.
 */
#include "stack/stack_callee.h"

#include "debug/debug_bounds.h"
#include "target/target_kinds.h"

#include <string.h>

#if defined(__x86_64__)

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
static uint64_t follow_jump(struct target *target, uint64_t address)
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

static uint64_t find_callee(struct target *target, uint64_t return_address)
{
    unsigned char code[INDIRECT_BYTES];
    uint64_t callee;
    if (target_pointer_bytes(target) != (int)sizeof callee ||
        !target_peek(target, return_address - sizeof code, code, sizeof code))
        return 0;
    const uint64_t where = operand(return_address, &code[INDIRECT_BYTES - DISPLACEMENT]);
    if (code[0] == INDIRECT && code[1] == OF_CALL)
        return target_peek(target, where, &callee, sizeof callee) ? callee : 0;
    return code[INDIRECT_BYTES - DIRECT_BYTES] == CALL ? follow_jump(target, where) : 0;
}

#else

static uint64_t find_callee(struct target *target, uint64_t return_address)
{
    (void)target;
    (void)return_address;
    return 0;
}

#endif

const char *stack_find_callee(struct target *target, uint64_t return_address)
{
    const uint64_t callee = find_callee(target, return_address);
    Dwfl_Module *module = callee != 0 && target->dwfl != NULL ? dwfl_addrmodule(target->dwfl, callee) : NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = module != NULL ? debug_symbol_at(module, callee, &offset, &symbol) : NULL;
    return name != NULL && offset == 0 ? name : NULL;
}
