/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decodes instructions of x86-64 as far as following integers needs it: lengths, operands and immediates. Registers
 * have the numbers of the code, which DWARF does not use.
 */
#include "stack/stack_internal.h"

#include <string.h>

enum { OPERAND_SIZE = 0x66, ADDRESS_SIZE = 0x67, ESCAPE = 0x0f, EVEX = 0x62, VEX_3 = 0xc4, VEX_2 = 0xc5 };
enum { MODE_REGISTER = 3, RM_SIB = 4, RM_RELATIVE = 5, NO_INDEX = 4, NO_BASE = 5 };

/* Code that is still to be decoded. */
struct cursor {
    const unsigned char *at, *end;
};

static bool take_byte(struct cursor *cursor, unsigned *ret_byte)
{
    if (cursor->at == cursor->end)
        return false;
    *ret_byte = *cursor->at++;
    return true;
}

/* Sign-extends. */
static bool take_integer(struct cursor *cursor, size_t bytes, int64_t *ret_value)
{
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->at) < bytes)
        return false;
    memcpy(&value, cursor->at, bytes);
    cursor->at += bytes;
    const unsigned unused = bytes > 0 && bytes < 8 ? (unsigned)(64 - 8 * bytes) : 0;
    *ret_value = (int64_t)(value << unused) >> unused;
    return true;
}

static bool is_legacy_prefix(unsigned byte)
{
    return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e || (byte >= 0x64 && byte <= ADDRESS_SIZE) ||
           byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

/* *ret_rex: 0 without one. */
static bool take_prefixes(struct cursor *cursor, struct x86_instruction *instruction, unsigned *ret_rex,
                          unsigned *ret_byte)
{
    *ret_rex = 0;
    while (take_byte(cursor, ret_byte)) {
        if (!is_legacy_prefix(*ret_byte)) {
            const bool is_rex = *ret_byte >> 4 == 4;
            *ret_rex = is_rex ? *ret_byte : 0;
            return !is_rex || take_byte(cursor, ret_byte);
        }
        instruction->is_short |= *ret_byte == OPERAND_SIZE;
        instruction->is_odd |= *ret_byte != OPERAND_SIZE && *ret_byte != 0x2e && *ret_byte != 0x3e;
    }
    return false;
}

static bool take_sib(struct cursor *cursor, unsigned mode, unsigned rex, struct x86_instruction *instruction)
{
    unsigned byte;
    if (!take_byte(cursor, &byte))
        return false;
    const unsigned index = (byte >> 3 & 7) | (rex & 2) << 2, base = byte & 7;
    instruction->index = index != NO_INDEX ? (int)index : -1;
    instruction->scale = 1u << (byte >> 6);
    instruction->base = base == NO_BASE && mode == 0 ? -1 : (int)(base | (rex & 1) << 3);
    return true;
}

static bool take_operand(struct cursor *cursor, unsigned rex, struct x86_instruction *instruction)
{
    unsigned byte;
    if (!take_byte(cursor, &byte))
        return false;
    const unsigned mode = byte >> 6, low = byte & 7;
    instruction->reg = (byte >> 3 & 7) | (rex & 4) << 1;
    instruction->rm = low | (rex & 1) << 3;
    instruction->is_memory = mode != MODE_REGISTER;
    instruction->base = (int)instruction->rm;
    instruction->index = -1;
    if (!instruction->is_memory)
        return true;
    if (low == RM_SIB && !take_sib(cursor, mode, rex, instruction))
        return false;
    instruction->is_relative = low == RM_RELATIVE && mode == 0;
    if (instruction->is_relative)
        instruction->base = -1;
    const bool is_wide = mode == 2 || (mode == 0 && instruction->base < 0);
    return take_integer(cursor, mode == 1 ? 1 : is_wide ? 4 : 0, &instruction->displacement);
}

/* --- forms by opcode --- */

static bool has_operand(unsigned opcode)
{
    if (opcode < 0x40)
        return (opcode & 7) < 4;
    return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8f) || opcode == 0xc0 ||
           opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 || (opcode >= 0xd0 && opcode <= 0xd3) ||
           (opcode >= 0xd8 && opcode <= 0xdf) || opcode == 0xf6 || opcode == 0xf7 || opcode >= 0xfe;
}

static bool is_valid(unsigned opcode)
{
    static const unsigned char invalid[] = {0x60, 0x61, EVEX, 0x82, 0x9a, 0xc8, 0xce, 0xd4, 0xd5, 0xd6, 0xea};
    return (opcode >= 0x40 || (opcode & 7) < 6) && memchr(invalid, (int)opcode, sizeof invalid) == NULL;
}

static bool has_byte(unsigned opcode)
{
    static const unsigned char others[] = {0x6a, 0x6b, 0x80, 0x83, 0xa8, 0xc0, 0xc1, 0xc6, 0xcd, 0xeb};
    return (opcode < 0x40 && (opcode & 7) == 4) || (opcode >= 0x70 && opcode <= 0x7f) ||
           (opcode >= 0xb0 && opcode <= 0xb7) || (opcode >= 0xe0 && opcode <= 0xe7) ||
           memchr(others, (int)opcode, sizeof others) != NULL;
}

static size_t immediate_bytes(unsigned opcode, const struct x86_instruction *instruction)
{
    const size_t usual = instruction->is_short ? 2 : 4;
    const bool is_test = instruction->reg % 8 < 2;
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return instruction->is_wide ? 8 : usual;
    if (opcode >= 0xa0 && opcode <= 0xa3)
        return 8;
    if (has_byte(opcode) || (opcode == 0xf6 && is_test))
        return 1;
    if (opcode == 0xe8 || opcode == 0xe9)
        return 4;
    if (opcode == 0xc2 || opcode == 0xca)
        return 2;
    const bool is_usual = (opcode < 0x40 && (opcode & 7) == 5) || opcode == 0x68 || opcode == 0x69 || opcode == 0x81 ||
                          opcode == 0xa9 || opcode == 0xc7 || (opcode == 0xf7 && is_test);
    return is_usual ? usual : 0;
}

static bool has_operand_after_escape(unsigned opcode)
{
    static const unsigned char without[] = {0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x31,
                                            0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9};
    return memchr(without, (int)opcode, sizeof without) == NULL && !(opcode >= 0x80 && opcode <= 0x8f) &&
           !(opcode >= 0xc8 && opcode <= 0xcf);
}

static size_t immediate_bytes_after_escape(unsigned opcode)
{
    static const unsigned char with[] = {0x70, 0x71, 0x72, 0x73, 0xa4, 0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6};
    return opcode >= 0x80 && opcode <= 0x8f ? 4 : memchr(with, (int)opcode, sizeof with) != NULL ? 1 : 0;
}

/* Behind 0x0f, or one of a vector unit with that map. */
static bool take_escaped(struct cursor *cursor, unsigned rex, unsigned map, struct x86_instruction *instruction)
{
    unsigned opcode;
    if (!take_byte(cursor, &opcode))
        return false;
    if (map == 1 && (opcode == 0x38 || opcode == 0x3a)) {
        map = opcode == 0x38 ? 2 : 3;
        if (!take_byte(cursor, &opcode))
            return false;
    }
    instruction->opcode = map << 8 | opcode;
    if ((map != 1 || has_operand_after_escape(opcode)) && !take_operand(cursor, rex, instruction))
        return false;
    const size_t bytes = map == 1 ? immediate_bytes_after_escape(opcode) : map == 3 ? 1 : 0;
    return take_integer(cursor, bytes, &instruction->immediate);
}

static bool take_vector(struct cursor *cursor, unsigned form, struct x86_instruction *instruction)
{
    unsigned first, second;
    unsigned map = 1;
    instruction->is_odd = true;
    if (!take_byte(cursor, &first))
        return false;
    if (form == VEX_3) {
        map = first & 0x1f;
        if (!take_byte(cursor, &second) || map == 0 || map > 3)
            return false;
    }
    return take_escaped(cursor, 0, map, instruction);
}

static bool take_plain(struct cursor *cursor, unsigned rex, unsigned opcode, struct x86_instruction *instruction)
{
    instruction->opcode = opcode;
    instruction->low = (opcode & 7) | (rex & 1) << 3;
    if (!is_valid(opcode) || (has_operand(opcode) && !take_operand(cursor, rex, instruction)))
        return false;
    return take_integer(cursor, immediate_bytes(opcode, instruction), &instruction->immediate);
}

bool x86_decode(const unsigned char *code, size_t bytes, struct x86_instruction *ret_instruction)
{
    struct x86_instruction instruction = {.index = -1, .base = -1, .scale = 1};
    struct cursor cursor = {.at = code, .end = code + bytes};
    unsigned rex, byte;
    if (!take_prefixes(&cursor, &instruction, &rex, &byte))
        return false;
    instruction.is_wide = (rex & 8) != 0;
    instruction.has_rex = rex != 0;
    const bool is_taken = byte == ESCAPE                   ? take_escaped(&cursor, rex, 1, &instruction)
                          : byte == VEX_2 || byte == VEX_3 ? take_vector(&cursor, byte, &instruction)
                                                           : take_plain(&cursor, rex, byte, &instruction);
    instruction.length = (size_t)(cursor.at - code);
    if (is_taken)
        *ret_instruction = instruction;
    return is_taken;
}
