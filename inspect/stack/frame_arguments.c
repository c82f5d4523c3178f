/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Follows code that was not optimized up to a call. Such code keeps variables in the frame and loads each argument from
 * there before the call, so the values are still to be found while the call lasts. A value counts as unknown where
 * something that comes between its load and the call may have changed the variable.
 */
#include "stack/stack_internal.h"

#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, FIRST_KEPT, REGISTERS = 16 };
enum { REGISTERS_OF_ARGUMENTS = 6, MOST_PUSHED = MOST_ARGUMENTS - REGISTERS_OF_ARGUMENTS };
enum { MOST_CODE = 1 << 14, MOST_TARGETS = 24, FRAME_POINTER_IN_DWARF = 6 };

struct state {
    struct code_value registers[REGISTERS];
    struct code_value pushed[MOST_PUSHED]; /* the last one first */
    bool is_reached;                       /* from the instruction before */
};

/* A jump ahead, and what was known there. */
struct jump {
    uint64_t to;
    struct state state;
};

struct walk {
    struct target *target;
    uint64_t frame_pointer;
    struct state state;
    struct jump jumps[MOST_TARGETS];
    size_t jump_count;
    bool has_too_many;
};

/* Address unknown: anywhere. */
static void lose_stored(struct state *state, const struct code_value *address, unsigned bytes)
{
    for (size_t i = 0; i < REGISTERS; i++)
        code_value_lose(&state->registers[i], address, bytes);
    for (size_t i = 0; i < MOST_PUSHED; i++)
        code_value_lose(&state->pushed[i], address, bytes);
}

static void forget(struct state *state)
{
    const struct code_value frame_pointer = state->registers[RBP];
    *state = (struct state){.is_reached = state->is_reached};
    state->registers[RBP] = frame_pointer;
}

static void join(struct state *state, const struct state *other)
{
    if (!state->is_reached) {
        *state = *other;
        state->is_reached = true;
        return;
    }
    code_values_join(state->registers, other->registers, REGISTERS);
    code_values_join(state->pushed, other->pushed, MOST_PUSHED);
}

/* --- operands --- */

static struct code_value address_of(const struct walk *walk, const struct x86_instruction *instruction, uint64_t end)
{
    struct code_value address =
        code_value_known((uint64_t)instruction->displacement + (instruction->is_relative ? end : 0));
    if (instruction->base >= 0)
        address = code_value_sum(address, &walk->state.registers[instruction->base]);
    if (instruction->index >= 0) {
        struct code_value index = walk->state.registers[instruction->index];
        index.bits *= instruction->scale;
        address = code_value_sum(address, &index);
    }
    return address;
}

static unsigned width_of(const struct x86_instruction *instruction)
{
    return instruction->is_wide ? 8 : 4;
}

static struct code_value load(const struct walk *walk, const struct code_value *address, unsigned bytes)
{
    uint64_t bits = 0;
    if (!address->is_known || !target_peek(walk->target, address->bits, &bits, bytes))
        return code_value_unknown();
    struct code_value value = code_value_depending(code_value_known(bits), address);
    code_value_add_source(&value, (struct code_source){.address = address->bits, .bytes = bytes});
    return value;
}

static struct code_value read_rm(const struct walk *walk, const struct x86_instruction *instruction, uint64_t end,
                                 unsigned bytes)
{
    const struct code_value address = address_of(walk, instruction, end);
    return instruction->is_memory ? load(walk, &address, bytes)
                                  : code_value_cut(walk->state.registers[instruction->rm], bytes);
}

/* Those that outlive calls may hold a variable, which a loop changes. */
static void set_register(struct walk *walk, unsigned number, struct code_value value)
{
    const bool is_followed = number != RSP && number != RBX && number < FIRST_KEPT;
    if (number != RBP)
        walk->state.registers[number] = is_followed ? value : code_value_unknown();
}

/* The register that an operand of this width is part of. */
static unsigned whole_register(const struct x86_instruction *instruction, unsigned number, unsigned bytes)
{
    return bytes == 1 && !instruction->has_rex ? number % 4 : number;
}

/* A value that was unknown is what is there now. */
static void bind_origin(struct walk *walk, const struct code_value *address, unsigned origin)
{
    for (size_t i = 0; i < REGISTERS; i++)
        if (walk->state.registers[i].origin == origin)
            set_register(walk, (unsigned)i, load(walk, address, 8));
}

static bool is_of_stack(const struct x86_instruction *instruction)
{
    return instruction->is_memory && instruction->base == RSP && instruction->index < 0;
}

static void store(struct walk *walk, const struct x86_instruction *instruction, uint64_t end, struct code_value value,
                  unsigned bytes)
{
    const struct code_value address = address_of(walk, instruction, end);
    const uint64_t place = (uint64_t)instruction->displacement / 8;
    if (is_of_stack(instruction) && instruction->displacement >= 0 && place < MOST_PUSHED) {
        walk->state.pushed[place] = instruction->displacement % 8 == 0 && bytes >= 4 ? value : code_value_unknown();
        return;
    }
    lose_stored(&walk->state, &address, bytes);
    if (!value.is_known && value.origin != 0 && address.is_known && bytes == 8)
        bind_origin(walk, &address, value.origin);
}

static void write_rm(struct walk *walk, const struct x86_instruction *instruction, uint64_t end,
                     struct code_value value, unsigned bytes)
{
    if (instruction->is_memory)
        store(walk, instruction, end, value, bytes);
    else
        set_register(walk, whole_register(instruction, instruction->rm, bytes),
                     bytes >= 4 ? value : code_value_unknown());
}

static void push(struct walk *walk, struct code_value value)
{
    struct code_value *pushed = walk->state.pushed;
    memmove(pushed + 1, pushed, (MOST_PUSHED - 1) * sizeof *pushed);
    pushed[0] = value;
}

static void forget_pushed(struct walk *walk)
{
    memset(walk->state.pushed, 0, sizeof walk->state.pushed);
}

/* --- instructions --- */

/* ADD to CMP: eight operations with the same forms. */
static void take_arithmetic(struct walk *walk, const struct x86_instruction *instruction, uint64_t end)
{
    enum { COMPARE = 7, XOR = 6 };
    const bool has_immediate = instruction->opcode >= 0x80;
    const unsigned operation = has_immediate ? instruction->reg % 8 : instruction->opcode >> 3;
    const unsigned form = has_immediate ? instruction->opcode & 3 : instruction->opcode & 7;
    const unsigned bytes = form % 2 == 0 ? 1 : instruction->is_short ? 2 : width_of(instruction);
    const struct code_value immediate = code_value_known((uint64_t)instruction->immediate);
    if (operation == COMPARE)
        return;
    if (has_immediate || form < 2) {
        const struct code_value rm = read_rm(walk, instruction, end, bytes);
        const struct code_value right = has_immediate ? immediate : walk->state.registers[instruction->reg];
        const bool is_zero =
            !has_immediate && !instruction->is_memory && operation == XOR && instruction->reg == instruction->rm;
        write_rm(walk, instruction, end,
                 is_zero ? code_value_known(0) : code_value_calculate(operation, rm, &right, bytes), bytes);
    } else if (form < 4) {
        const struct code_value rm = read_rm(walk, instruction, end, bytes);
        const struct code_value left = walk->state.registers[instruction->reg];
        set_register(walk, whole_register(instruction, instruction->reg, bytes),
                     bytes >= 4 ? code_value_calculate(operation, left, &rm, bytes) : code_value_unknown());
    } else {
        set_register(walk, RAX,
                     bytes >= 4 ? code_value_calculate(operation, walk->state.registers[RAX], &immediate, bytes)
                                : code_value_unknown());
    }
    if (!instruction->is_memory && whole_register(instruction, instruction->rm, bytes) == RSP)
        forget_pushed(walk);
}

static void take_move(struct walk *walk, const struct x86_instruction *instruction, uint64_t end)
{
    const unsigned bytes = instruction->is_short ? 2 : width_of(instruction);
    struct state *state = &walk->state;
    switch (instruction->opcode) {
    case 0x88:
        write_rm(walk, instruction, end, code_value_unknown(), 1);
        break;
    case 0x89:
        if (!instruction->is_memory && instruction->rm == RBP && instruction->reg == RSP)
            state->registers[RBP] = code_value_known(walk->frame_pointer);
        else
            write_rm(walk, instruction, end, code_value_cut(state->registers[instruction->reg], bytes), bytes);
        break;
    case 0x8a:
        set_register(walk, whole_register(instruction, instruction->reg, 1), code_value_unknown());
        break;
    case 0x8b:
        set_register(walk, instruction->reg,
                     bytes >= 4 ? read_rm(walk, instruction, end, bytes) : code_value_unknown());
        break;
    case 0xc6:
        write_rm(walk, instruction, end, code_value_unknown(), 1);
        break;
    case 0xc7:
        write_rm(walk, instruction, end, code_value_cut(code_value_known((uint64_t)instruction->immediate), bytes),
                 bytes);
        break;
    default: /* 0x63 */
        set_register(walk, instruction->reg, code_value_extended(read_rm(walk, instruction, end, 4)));
    }
}

static bool is_move(unsigned opcode)
{
    return opcode == 0x63 || (opcode >= 0x88 && opcode <= 0x8b) || opcode == 0xc6 || opcode == 0xc7;
}

/* The next instruction is not reached from here. */
static void leave(struct walk *walk)
{
    walk->state.is_reached = false;
    forget(&walk->state);
}

/* Jumps back are to the start of a loop: nothing is there in a register that calls change, nor behind the loop. */
static void take_jump(struct walk *walk, const struct x86_instruction *instruction, uint64_t end, bool is_conditional)
{
    const uint64_t to = end + (uint64_t)instruction->immediate;
    if (to >= end && walk->jump_count == MOST_TARGETS)
        walk->has_too_many = true;
    else if (to >= end)
        walk->jumps[walk->jump_count++] = (struct jump){.to = to, .state = walk->state};
    if (!is_conditional)
        leave(walk);
    else if (to < end)
        forget(&walk->state);
}

/* The called function may change variables, and anything on the stack below. */
static void take_call(struct walk *walk)
{
    static const unsigned char lost[] = {RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11};
    const struct code_value anywhere = code_value_unknown();
    lose_stored(&walk->state, &anywhere, 0);
    for (size_t i = 0; i < sizeof lost; i++)
        walk->state.registers[lost[i]] = code_value_unknown();
    forget_pushed(walk);
}

/* Those that only change registers in ways that are not followed. False: others. */
static bool take_unfollowed(struct walk *walk, const struct x86_instruction *instruction)
{
    const unsigned opcode = instruction->opcode;
    if (opcode == 0x84 || opcode == 0x85 || opcode == 0xa8 || opcode == 0xa9 || opcode == 0x90 || opcode == 0x11e ||
        opcode == 0x11f)
        return true; /* test, nop, a landing pad */
    if (opcode == 0x8b && instruction->is_odd) {
        set_register(walk, instruction->reg, code_value_unknown()); /* from another segment */
        return true;
    }
    if (opcode == 0x99 || (opcode == 0xf7 && instruction->reg % 8 >= 4)) {
        walk->state.registers[RDX] = code_value_unknown(); /* cltd, mul, div */
        if (opcode == 0xf7)
            walk->state.registers[RAX] = code_value_unknown();
        return true;
    }
    if ((opcode >= 0x140 && opcode <= 0x14f) || (opcode >= 0x1b6 && opcode <= 0x1bf && (opcode & 6) == 6)) {
        set_register(walk, instruction->reg, code_value_unknown()); /* a conditional move, from 8 or 16 bits */
        return true;
    }
    if (opcode >= 0x190 && opcode <= 0x19f && !instruction->is_memory && !instruction->is_odd) {
        set_register(walk, whole_register(instruction, instruction->rm, 1), code_value_unknown()); /* a condition */
        return true;
    }
    return false;
}

/* Those that are followed. False: others. */
static bool take_followed(struct walk *walk, const struct x86_instruction *instruction, uint64_t end)
{
    const unsigned opcode = instruction->opcode, bytes = width_of(instruction);
    struct state *state = &walk->state;
    const struct code_value immediate = code_value_known((uint64_t)instruction->immediate);
    if (instruction->is_short && !is_move(opcode) && opcode >= 0x40)
        return false;
    if (opcode < 0x40 || opcode == 0x80 || opcode == 0x81 || opcode == 0x83)
        take_arithmetic(walk, instruction, end);
    else if (is_move(opcode))
        take_move(walk, instruction, end);
    else if (opcode >= 0x50 && opcode <= 0x57)
        push(walk, state->registers[instruction->low]);
    else if (opcode == 0x68 || opcode == 0x6a)
        push(walk, immediate);
    else if (opcode == 0xff && instruction->reg % 8 == 6)
        push(walk, read_rm(walk, instruction, end, 8));
    else if (opcode == 0x8d)
        set_register(walk, instruction->reg, code_value_cut(address_of(walk, instruction, end), bytes));
    else if (opcode >= 0xb8 && opcode <= 0xbf)
        set_register(walk, instruction->low, code_value_cut(immediate, bytes));
    else if (opcode == 0x98)
        set_register(walk, RAX,
                     instruction->is_wide ? code_value_extended(state->registers[RAX]) : code_value_unknown());
    else if (opcode == 0xc1 && !instruction->is_memory)
        set_register(walk, instruction->rm,
                     code_value_shifted(read_rm(walk, instruction, end, bytes), instruction->reg % 8,
                                        (unsigned)instruction->immediate & 0xff, bytes));
    else if (opcode == 0xd1 && !instruction->is_memory)
        set_register(walk, instruction->rm,
                     code_value_shifted(read_rm(walk, instruction, end, bytes), instruction->reg % 8, 1, bytes));
    else if (opcode == 0x1af)
        set_register(
            walk, instruction->reg,
            code_value_product(read_rm(walk, instruction, end, bytes), &state->registers[instruction->reg], bytes));
    else if (opcode == 0x69 || opcode == 0x6b)
        set_register(walk, instruction->reg,
                     code_value_product(read_rm(walk, instruction, end, bytes), &immediate, bytes));
    else if (opcode == 0xe8 || (opcode == 0xff && instruction->reg % 8 == 2))
        take_call(walk);
    else
        return false;
    return true;
}

static void take_instruction(struct walk *walk, const struct x86_instruction *instruction, uint64_t end)
{
    const unsigned opcode = instruction->opcode;
    if (opcode == 0xe9 || opcode == 0xeb)
        take_jump(walk, instruction, end, false);
    else if (opcode == 0xc3)
        leave(walk);
    else if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0x180 && opcode <= 0x18f))
        take_jump(walk, instruction, end, true);
    else if (!take_unfollowed(walk, instruction) && (instruction->is_odd || !take_followed(walk, instruction, end)))
        forget(&walk->state);
}

static void arrive(struct walk *walk, uint64_t address)
{
    for (size_t i = walk->jump_count; i > 0; i--)
        if (walk->jumps[i - 1].to == address) {
            join(&walk->state, &walk->jumps[i - 1].state);
            walk->jumps[i - 1] = walk->jumps[--walk->jump_count];
        }
    walk->state.is_reached = true;
}

/* Whether it has come to the call, and followed all before. */
static bool walk_code(struct walk *walk, const unsigned char *code, uint64_t entry, size_t bytes)
{
    struct x86_instruction instruction;
    for (size_t at = 0; at < bytes && !walk->has_too_many; at += instruction.length) {
        arrive(walk, entry + at);
        if (!x86_decode(code + at, bytes - at, &instruction))
            return false;
        if (at + instruction.length == bytes)
            return instruction.opcode == 0xe8 || (instruction.opcode == 0xff && instruction.reg % 8 == 2);
        take_instruction(walk, &instruction, entry + at + instruction.length);
    }
    return false;
}

static bool find_frame_pointer(const struct stack_frame *frame, uint64_t *ret_value)
{
    for (unsigned i = 0; i < KEPT_REGISTERS; i++)
        if (kept_register(i) == FRAME_POINTER_IN_DWARF) {
            *ret_value = frame->registers.kept[i];
            return (frame->registers.known >> i & 1) != 0;
        }
    return false;
}

static void take_argument(struct call_arguments *arguments, size_t number, const struct code_value *value)
{
    arguments->is_known[number] = value->is_known;
    arguments->values[number] = value->bits;
}

struct call_arguments find_frame_arguments(struct target *target, const struct stack_frame *caller, uint64_t entry)
{
    static const unsigned char registers[REGISTERS_OF_ARGUMENTS] = {RDI, RSI, RDX, RCX, R8, R9};
    unsigned char code[MOST_CODE];
    struct walk walk = {.target = target};
    struct call_arguments arguments = {.is_known = {false}};
    const uint64_t bytes = caller->address - entry;
    for (unsigned i = 0; i < REGISTERS; i++)
        walk.state.registers[i].origin = i + 1;
    if (entry >= caller->address || bytes > sizeof code || !find_frame_pointer(caller, &walk.frame_pointer) ||
        !target_peek(target, entry, code, (size_t)bytes) || !walk_code(&walk, code, entry, (size_t)bytes) ||
        !walk.state.registers[RBP].is_known)
        return arguments;
    for (size_t i = 0; i < REGISTERS_OF_ARGUMENTS; i++)
        take_argument(&arguments, i, &walk.state.registers[registers[i]]);
    for (size_t i = 0; i < MOST_PUSHED; i++)
        take_argument(&arguments, REGISTERS_OF_ARGUMENTS + i, &walk.state.pushed[i]);
    return arguments;
}
