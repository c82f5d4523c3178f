/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Holds a process once more after its stacks were read, to read what a call of it is about.
 */
#include "stack/stack_internal.h"

#include <string.h>

static bool are_same(const struct frame_registers *left, const struct frame_registers *right)
{
    return left->stack_pointer == right->stack_pointer && left->known == right->known &&
           memcmp(left->kept, right->kept, sizeof left->kept) == 0;
}

struct frame_search {
    const struct stack_frame *wanted;
    bool is_found;
};

/* Frames that come further out have a higher stack pointer. */
static int compare_frame(Dwfl_Frame *frame, void *argument)
{
    struct frame_search *search = argument;
    struct frame_registers registers = {0};
    Dwarf_Addr address;
    stack_take_registers(frame, &registers);
    if (registers.stack_pointer == 0 || registers.stack_pointer > search->wanted->registers.stack_pointer ||
        !dwfl_frame_pc(frame, &address, NULL))
        return DWARF_CB_ABORT;
    search->is_found = address == search->wanted->address && are_same(&registers, &search->wanted->registers);
    return search->is_found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

bool frame_hold_begin(struct frame_hold *hold)
{
    struct reason reason;
    struct frame_search search = {.wanted = hold->frame};
    if (hold->is_tried)
        return hold->is_same;
    hold->is_tried = true;
    if (stack_access_begin(hold->target, false, &hold->access, &reason) != 0)
        return false;
    stack_access_walk(&hold->access, hold->thread, compare_frame, &search);
    hold->is_same = search.is_found;
    return hold->is_same;
}

void frame_hold_end(struct frame_hold *hold)
{
    stack_access_end(&hold->access);
}
