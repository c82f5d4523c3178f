/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds local variables, in the frames of the main thread's stack.
 */
#include "variable/variable_internal.h"

#include "debug/debug.h"
#include "stack/stack_access.h"
#include "target/target_kinds.h"
#include "target/target_unit.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

/* How deep common blocks nest; longer stacks are not looked at. */
enum { MOST_DEPTH = 4, MOST_FRAMES = 512 };

struct frame_search {
    struct variable_search *search;
    bool in_system;
    int frame_count;
};

static bool is_function(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool is_variable(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);
    return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Looks at the children of one scope, and into common blocks there. */
static bool search_scope(struct variable_search *search, const struct location_context *context, Dwarf_Die *scope,
                         bool is_around, int depth)
{
    Dwarf_Die child;
    if (depth == 0 || dwarf_child(scope, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_common_block && search_scope(search, context, &child, is_around, depth - 1))
            return true;
        if (!is_variable(&child) || !search_is_called(&child, search->name->name) ||
            !search_is_in_scope(search, &child, is_around))
            continue;
        if (program_place_of(context, &child, debug_is_of_fortran(&child), &search->found)) {
            search->found_count = 1;
            return true;
        }
        search->is_without_location = true;
    } while (debug_next_sibling(&child));
    return false;
}

/* The function that a scope is in, itself included; NULL: none. */
static Dwarf_Die *function_of(struct debug_scopes *scopes, size_t at)
{
    for (size_t i = at; i < scopes->count; i++)
        if (is_function(&scopes->items[i]))
            return &scopes->items[i];
    return NULL;
}

static void say_where(struct variable_search *search, Dwarf_Die *scope)
{
    char *name = scope != NULL ? debug_function_name(scope) : NULL;
    snprintf(search->place, sizeof search->place, "in %s", name != NULL ? name : "a function");
    free(name);
}

/* Innermost first, up to the function's own declaration: scopes around a nested function belong to another frame. */
static bool search_scopes(struct variable_search *search, struct location_context *context, struct debug_scopes *scopes)
{
    size_t own = 0; /* the function that the frame is of */
    while (own < scopes->count && dwarf_tag(&scopes->items[own]) != DW_TAG_subprogram)
        own++;
    context->function = own < scopes->count ? &scopes->items[own] : NULL;
    for (size_t i = 0; i < scopes->count; i++) {
        const int tag = dwarf_tag(&scopes->items[i]);
        if (i > own && tag != DW_TAG_module && tag != DW_TAG_namespace && tag != DW_TAG_class_type &&
            tag != DW_TAG_structure_type)
            continue;
        Dwarf_Die *around = i <= own ? function_of(scopes, i) : &scopes->items[i];
        const bool is_around = around != NULL && search_is_called(around, search->name->scope);
        if (search_scope(search, context, &scopes->items[i], is_around, MOST_DEPTH)) {
            say_where(search, around);
            return true;
        }
    }
    return false;
}

static bool search_frame(const struct frame_search *frames, Dwfl_Frame *frame)
{
    struct variable_search *search = frames->search;
    Dwarf_Addr pc;
    struct source_unit unit;
    Dwarf_Die content;
    struct debug_scopes scopes;
    bool is_activation;
    if (!dwfl_frame_pc(frame, &pc, &is_activation))
        return false;
    pc -= is_activation ? 0 : 1;
    Dwfl_Module *module = dwfl_addrmodule(search->target->dwfl, pc);
    if (module == NULL || (search_level_of(module) == SEARCH_SYSTEM) != frames->in_system)
        return false;
    if (!target_find_unit(search->target, pc, &unit) || !target_find_content(unit.module, unit.die, &content))
        return false;
    debug_scopes_of_code(&content, pc - unit.bias, &scopes);
    struct location_context context = {
        .target = search->target, .module = module, .bias = unit.bias, .frame = frame, .pc = pc};
    return search_scopes(search, &context, &scopes);
}

static int look_at_frame(Dwfl_Frame *frame, void *argument)
{
    struct frame_search *frames = argument;
    if (++frames->frame_count > MOST_FRAMES || search_frame(frames, frame))
        return DWARF_CB_ABORT;
    return DWARF_CB_OK;
}

void search_stack(struct variable_search *search, bool in_system, bool is_stopped)
{
    struct stack_access access;
    struct reason reason;
    struct frame_search frames = {.search = search, .in_system = in_system};
    if (search->target->pid == 0 || stack_access_begin(search->target, is_stopped, &access, &reason) != 0)
        return; /* variables with an address of their own can be read all the same */
    stack_access_walk(&access, search->target->pid, look_at_frame, &frames);
    stack_access_end(&access);
}
