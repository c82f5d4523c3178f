/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds call sites in DWARF and evaluates what they say of arguments. No memory is read for that: the thread may have
 * gone on since its registers were. Code that was not optimized has no call sites, and its arguments are in memory.
 */
#include "stack/stack_internal.h"

#include "debug/debug.h"
#include "target/target_kinds.h"
#include "target/target_unit.h"

#include <dwarf.h>
#include <string.h>

#if REGISTERS_ARE_KNOWN

/* Levels of blocks in a function; callers whose arguments are asked for in turn; values on a stack of DWARF. */
enum { MOST_DEPTH = 32, MOST_CALLERS = 4, MOST_VALUES = 16 };

static const unsigned argument_registers[REGISTER_ARGUMENTS] = {REGISTER_LIST_ARGUMENTS};

/* The frame of a call and what is known there. */
struct caller {
    struct target *target;
    const struct thread_stack *stack;
    const struct stack_frame *frame;
    int depth; /* of callers that were asked so far */
};

struct site_search {
    Dwarf_Addr return_address; /* without bias */
    Dwarf_Die site;
};

/* --- the call site --- */

static bool is_site(Dwarf_Die *die)
{
    return dwarf_tag(die) == DW_TAG_call_site || dwarf_tag(die) == DW_TAG_GNU_call_site;
}

static bool is_of_address(Dwarf_Die *site, Dwarf_Addr return_address)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;
    if (dwarf_attr(site, DW_AT_call_return_pc, &attribute) == NULL &&
        dwarf_attr(site, DW_AT_low_pc, &attribute) == NULL)
        return false;
    return dwarf_formaddr(&attribute, &address) == 0 && address == return_address;
}

static bool search_block(Dwarf_Die *block, struct site_search *search, int depth)
{
    Dwarf_Die die;
    if (depth == 0 || dwarf_child(block, &die) != 0)
        return false;
    do {
        if (is_site(&die) && is_of_address(&die, search->return_address)) {
            search->site = die;
            return true;
        }
        const int tag = dwarf_tag(&die);
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && search_block(&die, search, depth - 1))
            return true;
    } while (debug_next_sibling(&die));
    return false;
}

struct function {
    Dwarf_Die die;
    Dwarf_Die unit;
    Dwarf_Addr bias;
};

/* The function with code of its own that the call is in. */
static bool find_function(const struct caller *caller, struct function *ret_function)
{
    const uint64_t address = caller->frame->address;
    struct debug_scopes scopes = {.count = 0};
    struct source_unit unit;
    if (!target_find_unit(caller->target, address - 1, &unit) ||
        !target_find_content(unit.module, unit.die, &ret_function->unit))
        return false;
    ret_function->bias = unit.bias;
    debug_scopes_of_code(&ret_function->unit, address - 1 - unit.bias, &scopes);
    for (size_t i = 0; i < scopes.count; i++)
        if (dwarf_tag(&scopes.items[i]) == DW_TAG_subprogram) {
            ret_function->die = scopes.items[i];
            return true;
        }
    return false;
}

static bool find_site(const struct caller *caller, struct function *function, Dwarf_Die *ret_site)
{
    struct site_search search = {.return_address = caller->frame->address - function->bias};
    if (!search_block(&function->die, &search, MOST_DEPTH))
        return false;
    *ret_site = search.site;
    return true;
}

/* Compilers that optimize say that they have described all calls; gcc does not always, but names its options, the last
 * of which counts. */
static bool is_optimized(struct function *function)
{
    static const char option[] = " -O";
    Dwarf_Attribute attribute;
    char level = '0';
    const char *rest =
        dwarf_attr(&function->unit, DW_AT_producer, &attribute) != NULL ? dwarf_formstring(&attribute) : NULL;
    while (rest != NULL && (rest = strstr(rest, option)) != NULL) {
        rest += sizeof option - 1;
        level = *rest;
    }
    return level != '0' || dwarf_hasattr(&function->die, DW_AT_call_all_calls) ||
           dwarf_hasattr(&function->die, DW_AT_GNU_all_call_sites);
}

/* --- values --- */

/* The frame of who has called this one; NULL: not known. */
static const struct stack_frame *find_outer(const struct caller *caller)
{
    const struct stack_frame *end = caller->stack->frames + caller->stack->frame_count;
    const struct stack_frame *frame = caller->frame;
    while (frame < end && frame->is_inlined)
        frame++;
    return frame + 1 < end ? frame + 1 : NULL;
}

static bool get_register(const struct caller *caller, unsigned number, uint64_t *ret_value)
{
    const struct frame_registers *registers = &caller->frame->registers;
    if (number == STACK_POINTER) {
        *ret_value = registers->stack_pointer;
        return registers->stack_pointer != 0;
    }
    for (unsigned i = 0; i < KEPT_REGISTERS; i++)
        if (kept_register(i) == number) {
            *ret_value = registers->kept[i];
            return (registers->known >> i & 1) != 0;
        }
    return false;
}

/* Only of functions whose base is the end of their frame, as compilers that optimize make them. */
static bool get_frame_base(const struct caller *caller, Dwarf_Die *function, uint64_t *ret_value)
{
    const struct stack_frame *outer = find_outer(caller);
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (outer == NULL || outer->registers.stack_pointer == 0 ||
        dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_call_frame_cfa)
        return false;
    *ret_value = outer->registers.stack_pointer;
    return true;
}

static bool call_arguments_find_argument(const struct caller *caller, unsigned wanted_register, uint64_t *ret_value);

/* The value of a register when the function of this frame was called. */
static bool get_entry_value(const struct caller *caller, Dwarf_Attribute *attribute, const Dwarf_Op *operation,
                            uint64_t *ret_value)
{
    Dwarf_Attribute entry;
    Dwarf_Op *operations;
    size_t count;
    struct caller outer = {
        .target = caller->target, .stack = caller->stack, .frame = find_outer(caller), .depth = caller->depth + 1};
    if (outer.frame == NULL || outer.depth > MOST_CALLERS ||
        dwarf_getlocation_attr(attribute, operation, &entry) != 0 ||
        dwarf_getlocation(&entry, &operations, &count) != 0 || count != 1 || operations[0].atom < DW_OP_reg0 ||
        operations[0].atom > DW_OP_reg31)
        return false;
    return call_arguments_find_argument(&outer, operations[0].atom - DW_OP_reg0, ret_value);
}

struct evaluation {
    const struct caller *caller;
    Dwarf_Die *function;
    Dwarf_Attribute *attribute;
    Dwarf_Addr bias;
    uint64_t values[MOST_VALUES];
    size_t count;
};

static bool push(struct evaluation *evaluation, uint64_t value)
{
    if (evaluation->count == MOST_VALUES)
        return false;
    evaluation->values[evaluation->count++] = value;
    return true;
}

static bool calculate(struct evaluation *evaluation, unsigned atom)
{
    if (evaluation->count < 2)
        return false;
    const uint64_t right = evaluation->values[--evaluation->count];
    uint64_t *left = &evaluation->values[evaluation->count - 1];
    switch (atom) {
    case DW_OP_plus:
        *left += right;
        return true;
    case DW_OP_minus:
        *left -= right;
        return true;
    case DW_OP_mul:
        *left *= right;
        return true;
    case DW_OP_and:
        *left &= right;
        return true;
    case DW_OP_or:
        *left |= right;
        return true;
    case DW_OP_shl:
        *left = right < 64 ? *left << right : 0;
        return true;
    default:
        return false;
    }
}

static bool take_operation(struct evaluation *evaluation, const Dwarf_Op *operation)
{
    const unsigned atom = operation->atom;
    uint64_t value;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push(evaluation, atom - DW_OP_lit0);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return get_register(evaluation->caller, atom - DW_OP_breg0, &value) &&
               push(evaluation, value + operation->number);
    switch (atom) {
    case DW_OP_addr:
        return push(evaluation, operation->number + evaluation->bias);
    case DW_OP_const1u:
    case DW_OP_const2u:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu:
    case DW_OP_const1s:
    case DW_OP_const2s:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_consts:
        return push(evaluation, operation->number);
    case DW_OP_fbreg:
        return get_frame_base(evaluation->caller, evaluation->function, &value) &&
               push(evaluation, value + operation->number);
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value:
        return get_entry_value(evaluation->caller, evaluation->attribute, operation, &value) && push(evaluation, value);
    case DW_OP_plus_uconst:
        if (evaluation->count == 0)
            return false;
        evaluation->values[evaluation->count - 1] += operation->number;
        return true;
    case DW_OP_stack_value:
    case DW_OP_nop:
        return true;
    default:
        return calculate(evaluation, atom);
    }
}

static bool evaluate(const struct caller *caller, Dwarf_Die *function, Dwarf_Addr bias, Dwarf_Attribute *attribute,
                     uint64_t *ret_value)
{
    struct evaluation evaluation = {
        .caller = caller, .function = function, .attribute = attribute, .bias = bias, .count = 0};
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_getlocation(attribute, &operations, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!take_operation(&evaluation, &operations[i]))
            return false;
    if (evaluation.count != 1)
        return false;
    *ret_value = evaluation.values[0];
    return true;
}

/* --- parameters --- */

static bool is_parameter(Dwarf_Die *die)
{
    return dwarf_tag(die) == DW_TAG_call_site_parameter || dwarf_tag(die) == DW_TAG_GNU_call_site_parameter;
}

/* Calls `take` with where each argument of the call is and the attribute that has its value. */
static void visit_parameters(Dwarf_Die *site,
                             void (*take)(void *context, const Dwarf_Op *where, Dwarf_Attribute *value), void *context)
{
    Dwarf_Die die;
    if (dwarf_child(site, &die) != 0)
        return;
    do {
        Dwarf_Attribute location, value;
        Dwarf_Op *operations;
        size_t count;
        if (is_parameter(&die) && dwarf_attr(&die, DW_AT_location, &location) != NULL &&
            dwarf_getlocation(&location, &operations, &count) == 0 && count == 1 &&
            (dwarf_attr(&die, DW_AT_call_value, &value) != NULL ||
             dwarf_attr(&die, DW_AT_GNU_call_site_value, &value) != NULL))
            take(context, &operations[0], &value);
    } while (debug_next_sibling(&die));
}

struct parameter_search {
    const struct caller *caller;
    Dwarf_Die function;
    Dwarf_Addr bias;
    unsigned wanted_register;
    bool is_found;
    uint64_t value;
};

static void take_wanted(void *context, const Dwarf_Op *where, Dwarf_Attribute *value)
{
    struct parameter_search *search = context;
    if (where->atom == DW_OP_reg0 + search->wanted_register && !search->is_found)
        search->is_found = evaluate(search->caller, &search->function, search->bias, value, &search->value);
}

static bool call_arguments_find_argument(const struct caller *caller, unsigned wanted_register, uint64_t *ret_value)
{
    struct parameter_search search = {.caller = caller, .wanted_register = wanted_register};
    struct function function;
    Dwarf_Die site;
    if (!find_function(caller, &function) || !find_site(caller, &function, &site))
        return false;
    search.function = function.die;
    search.bias = function.bias;
    visit_parameters(&site, take_wanted, &search);
    if (search.is_found)
        *ret_value = search.value;
    return search.is_found;
}

struct all_parameters {
    const struct caller *caller;
    Dwarf_Die function;
    Dwarf_Addr bias;
    struct call_arguments arguments;
};

/* Which argument it is; MOST_ARGUMENTS: none. */
static size_t number_of(const Dwarf_Op *where)
{
    for (size_t i = 0; i < REGISTER_ARGUMENTS; i++)
        if (where->atom == DW_OP_reg0 + argument_registers[i])
            return i;
    const bool is_on_stack = where->atom == DW_OP_breg0 + STACK_POINTER && where->number % 8 == 0;
    const size_t number = REGISTER_ARGUMENTS + where->number / 8;
    return is_on_stack && number < MOST_ARGUMENTS ? number : MOST_ARGUMENTS;
}

static void take_any(void *context, const Dwarf_Op *where, Dwarf_Attribute *value)
{
    struct all_parameters *all = context;
    const size_t number = number_of(where);
    if (number < MOST_ARGUMENTS)
        all->arguments.is_known[number] =
            evaluate(all->caller, &all->function, all->bias, value, &all->arguments.values[number]);
}

struct call_arguments find_call_arguments(const struct thread_stack *stack, struct frame_hold *hold)
{
    const struct caller asked = {.target = hold->target, .stack = stack, .frame = hold->frame};
    struct all_parameters all = {.caller = &asked};
    struct function function;
    Dwarf_Die site;
    Dwarf_Addr entry;
    if (!find_function(&asked, &function))
        return all.arguments;
    if (find_site(&asked, &function, &site)) {
        all.function = function.die;
        all.bias = function.bias;
        visit_parameters(&site, take_any, &all);
    } else if (!is_optimized(&function) && dwarf_lowpc(&function.die, &entry) == 0 && frame_hold_begin(hold)) {
        return find_frame_arguments(hold->target, hold->frame, entry + function.bias);
    }
    return all.arguments;
}

#else

struct call_arguments find_call_arguments(const struct thread_stack *stack, struct frame_hold *hold)
{
    (void)stack;
    (void)hold;
    return (struct call_arguments){.is_known = {false}};
}

#endif
