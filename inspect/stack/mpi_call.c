/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the outermost MPI function of a stack.
 */
#include "stack/stack_internal.h"

#include "debug/debug.h"

/* Users may write functions named like Fortran bindings; only participants in MPI's profiling interface have functions
 * with the C names. */
static bool may_be_entry(const struct site *site)
{
    return is_mpi_module(site->module) || site->line == 0 || mpi_symbol_is_of_c(site->function);
}

/* Puts the function with this symbol and its facts into the call; `is_of_mpi`: whatever is not in the table is MPI's if
 * it is called so. */
static bool take_symbol(const char *symbol, bool is_of_mpi, struct mpi_call *call)
{
    call->facts = mpi_function_of_symbol(symbol);
    call->function = call->facts != NULL                       ? call->facts->name
                     : is_of_mpi && mpi_symbol_is_of_c(symbol) ? symbol + (symbol[0] == 'P' ? 1 : 0)
                                                               : NULL;
    call->is_of_c = mpi_symbol_is_of_c(symbol);
    call->is_of_fortran = call->facts != NULL && !call->is_of_c;
    return call->function != NULL;
}

static bool take_function(const struct site *site, struct mpi_call *call)
{
    return site != NULL && site->function != NULL && may_be_entry(site) &&
           take_symbol(site->function, is_mpi_module(site->module), call);
}

/* Takes a function that only one function of MPI calls, and that may have taken its place on the stack. */
static bool take_helper(const struct site *site, struct mpi_call *call)
{
    call->facts = site != NULL && site->function != NULL ? mpi_function_of_helper(site->function) : NULL;
    call->function = call->facts != NULL ? call->facts->name : NULL;
    call->is_of_c = false;
    call->is_of_fortran = false;
    return call->facts != NULL;
}

static bool is_mpi_frame(const struct stack_frame *frame)
{
    return frame->site != NULL && is_mpi_module(frame->site->module);
}

/* The call that has entered MPI at frame `entry`, or the outermost one that is known further in. */
static bool find_entered(const struct thread_stack *stack, size_t entry, struct target *target, struct mpi_call *call)
{
    const bool has_caller = entry + 1 < stack->frame_count;
    const char *callee =
        has_caller && target != NULL ? stack_find_callee(target, stack->frames[entry + 1].address) : NULL;
    call->frame = &stack->frames[entry];
    call->caller = has_caller ? &stack->frames[entry + 1] : NULL;
    if (callee != NULL && take_symbol(callee, is_mpi_frame(call->frame), call))
        return true;
    for (size_t i = entry + 1; i > 0 && (i == entry + 1 || is_mpi_frame(&stack->frames[i - 1])); i--)
        if (take_function(stack->frames[i - 1].site, call)) {
            call->frame = &stack->frames[i - 1];
            return true;
        }
    return is_mpi_frame(call->frame) && take_helper(call->frame->site, call);
}

bool stack_find_mpi_call(const struct thread_stack *stack, struct target *target, struct mpi_call *ret_call)
{
    for (size_t i = stack->frame_count; i > 0; i--) {
        struct mpi_call call = {.function = NULL};
        const struct stack_frame *frame = &stack->frames[i - 1];
        const bool is_entry = is_mpi_frame(frame) && (i == stack->frame_count || !is_mpi_frame(frame + 1));
        if ((is_entry || take_function(frame->site, &call)) && find_entered(stack, i - 1, target, &call)) {
            *ret_call = call;
            return true;
        }
    }
    return false;
}
