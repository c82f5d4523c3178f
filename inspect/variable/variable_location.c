/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Evaluates DWARF expressions. The program is not trusted: stack, steps and depth are bounded.
 */
#include "variable/variable_internal.h"

#include <dwarf.h>
#include <stdlib.h>

enum { STACK_SIZE = 32, MOST_DEPTH = 4 };

struct machine {
    const struct location_context *context;
    Dwarf_Attribute *attribute; /* which has the expression; NULL: none, it is a rule for a frame */
    uint64_t stack[STACK_SIZE];
    size_t count;
    bool is_value;
    int depth; /* of expressions that expressions use */
};

static bool run(struct machine *machine, const Dwarf_Op *operations, size_t count);

static bool push(struct machine *machine, uint64_t value)
{
    if (machine->count == STACK_SIZE)
        return false;
    machine->stack[machine->count++] = value;
    return true;
}

static bool pop(struct machine *machine, uint64_t *ret_value)
{
    if (machine->count == 0)
        return false;
    *ret_value = machine->stack[--machine->count];
    return true;
}

static bool push_register(struct machine *machine, unsigned number, int64_t offset)
{
    Dwarf_Word value;
    return machine->context->frame != NULL && dwfl_frame_reg(machine->context->frame, number, &value) == 0 &&
           push(machine, value + (uint64_t)offset);
}

/* An expression of its own: its result is pushed. */
static bool push_nested(struct machine *machine, Dwarf_Attribute *attribute, const Dwarf_Op *operations, size_t count)
{
    struct machine nested = {.context = machine->context, .attribute = attribute, .depth = machine->depth + 1};
    uint64_t value;
    return nested.depth < MOST_DEPTH && run(&nested, operations, count) && pop(&nested, &value) && push(machine, value);
}

static bool push_frame_address(struct machine *machine)
{
    const struct location_context *context = machine->context;
    Dwarf_Addr bias = 0;
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *operations;
    size_t count;
    if (context->frame == NULL)
        return false;
    Dwarf_CFI *rules = dwfl_module_eh_cfi(context->module, &bias);
    if (rules == NULL || dwarf_cfi_addrframe(rules, context->pc - bias, &frame) != 0) {
        rules = dwfl_module_dwarf_cfi(context->module, &bias);
        if (rules == NULL || dwarf_cfi_addrframe(rules, context->pc - bias, &frame) != 0)
            return false;
    }
    const bool done = dwarf_frame_cfa(frame, &operations, &count) == 0 && push_nested(machine, NULL, operations, count);
    free(frame);
    return done;
}

static bool push_frame_base(struct machine *machine, int64_t offset)
{
    const struct location_context *context = machine->context;
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (context->function == NULL || dwarf_attr_integrate(context->function, DW_AT_frame_base, &attribute) == NULL ||
        dwarf_getlocation_addr(&attribute, context->pc - context->bias, &operations, &count, 1) != 1)
        return false;
    if (count == 1 && operations[0].atom >= DW_OP_reg0 && operations[0].atom <= DW_OP_reg31)
        return push_register(machine, operations[0].atom - DW_OP_reg0, offset); /* its content is the base */
    return push_nested(machine, &attribute, operations, count) &&
           (machine->stack[machine->count - 1] += (uint64_t)offset, true);
}

/* An address in the table of the unit. */
static bool push_address(struct machine *machine, const Dwarf_Op *operation)
{
    Dwarf_Attribute entry;
    Dwarf_Addr address;
    return machine->attribute != NULL && dwarf_getlocation_attr(machine->attribute, operation, &entry) == 0 &&
           dwarf_formaddr(&entry, &address) == 0 && push(machine, address + machine->context->bias);
}

static bool dereference(struct machine *machine, size_t bytes)
{
    uint64_t address, value = 0;
    if (!pop(machine, &address) || bytes == 0 || bytes > sizeof value ||
        target_is_other_byte_order(machine->context->target) ||
        target_read(machine->context->target, address, &value, bytes) != 0)
        return false;
    return push(machine, value);
}

static bool calculate(struct machine *machine, unsigned atom)
{
    uint64_t right, left;
    if (!pop(machine, &right) || !pop(machine, &left))
        return false;
    const int64_t first = (int64_t)left, second = (int64_t)right;
    switch (atom) {
    case DW_OP_plus:
        return push(machine, left + right);
    case DW_OP_minus:
        return push(machine, left - right);
    case DW_OP_mul:
        return push(machine, left * right);
    case DW_OP_and:
        return push(machine, left & right);
    case DW_OP_or:
        return push(machine, left | right);
    case DW_OP_xor:
        return push(machine, left ^ right);
    case DW_OP_shl:
        return push(machine, right < 64 ? left << right : 0);
    case DW_OP_shr:
        return push(machine, right < 64 ? left >> right : 0);
    case DW_OP_eq:
        return push(machine, left == right);
    case DW_OP_ne:
        return push(machine, left != right);
    case DW_OP_lt:
        return push(machine, first < second);
    case DW_OP_le:
        return push(machine, first <= second);
    case DW_OP_gt:
        return push(machine, first > second);
    case DW_OP_ge:
        return push(machine, first >= second);
    default:
        return false;
    }
}

static bool rearrange(struct machine *machine, unsigned atom)
{
    uint64_t top = 0, below = 0;
    if (!pop(machine, &top))
        return false;
    switch (atom) {
    case DW_OP_drop:
        return true;
    case DW_OP_dup:
        machine->count++; /* it stands there still */
        return push(machine, top);
    case DW_OP_neg:
        return push(machine, 0 - top);
    case DW_OP_not:
        return push(machine, ~top);
    case DW_OP_swap:
        return pop(machine, &below) && push(machine, top) && push(machine, below);
    case DW_OP_over:
        return pop(machine, &below) && push(machine, below) && push(machine, top) && push(machine, below);
    default:
        return false;
    }
}

static bool step(struct machine *machine, const Dwarf_Op *operation)
{
    const struct location_context *context = machine->context;
    const unsigned atom = operation->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push(machine, atom - DW_OP_lit0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return push_register(machine, atom - DW_OP_breg0, (int64_t)operation->number);
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
        machine->is_value = true;
        return push_register(machine, atom - DW_OP_reg0, 0);
    }
    switch (atom) {
    case DW_OP_addr:
        return push(machine, operation->number + context->bias);
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
        return push_address(machine, operation);
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu:
    case DW_OP_const1s: /* libdw extends the sign */
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_consts:
        return push(machine, operation->number);
    case DW_OP_bregx:
        return push_register(machine, (unsigned)operation->number, (int64_t)operation->number2);
    case DW_OP_regx:
        machine->is_value = true;
        return push_register(machine, (unsigned)operation->number, 0);
    case DW_OP_fbreg:
        return push_frame_base(machine, (int64_t)operation->number);
    case DW_OP_call_frame_cfa:
        return push_frame_address(machine);
    case DW_OP_push_object_address:
        return context->object != 0 && push(machine, context->object);
    case DW_OP_plus_uconst:
        return machine->count > 0 && (machine->stack[machine->count - 1] += operation->number, true);
    case DW_OP_deref:
        return dereference(machine, (size_t)target_pointer_bytes(context->target));
    case DW_OP_deref_size:
        return dereference(machine, operation->number);
    case DW_OP_stack_value:
        machine->is_value = true;
        return true;
    case DW_OP_nop:
        return true;
    case DW_OP_drop:
    case DW_OP_dup:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_swap:
    case DW_OP_over:
        return rearrange(machine, atom);
    default:
        return calculate(machine, atom);
    }
}

static bool run(struct machine *machine, const Dwarf_Op *operations, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!step(machine, &operations[i]))
            return false;
    return machine->count > 0;
}

bool location_evaluate(const struct location_context *context, Dwarf_Die *die, unsigned name,
                       struct location *ret_location)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    Dwarf_Word constant;
    if (dwarf_attr_integrate(die, name, &attribute) == NULL)
        return false;
    const unsigned form = dwarf_whatform(&attribute);
    if (name != DW_AT_location && form != DW_FORM_exprloc && form != DW_FORM_block1 && form != DW_FORM_block) {
        Dwarf_Sword number;
        const bool is_signed = dwarf_formsdata(&attribute, &number) == 0;
        if (!is_signed && dwarf_formudata(&attribute, &constant) != 0)
            return false;
        *ret_location = (struct location){.is_value = true, .number = is_signed ? (uint64_t)number : constant};
        return true;
    }
    const int found = context->frame != NULL
                          ? dwarf_getlocation_addr(&attribute, context->pc - context->bias, &operations, &count, 1)
                      : dwarf_getlocation(&attribute, &operations, &count) == 0 ? 1
                                                                                : 0;
    struct machine machine = {.context = context, .attribute = &attribute};
    if (found != 1 || !run(&machine, operations, count))
        return false;
    *ret_location = (struct location){.is_value = machine.is_value, .number = machine.stack[machine.count - 1]};
    return true;
}
