/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The common part of the kinds of target.
 */
#include "target/target_kinds.h"

#include "base/base.h"

struct target *target_create(const struct target_kind *kind)
{
    struct target *target = allocate(sizeof *target);
    target->kind = kind;
    target->pointer_bytes = (int)sizeof(void *);
    target->memory_file = -1;
    target->core_file = -1;
    target->box_file = -1;
    return target;
}

void target_take_identification(struct target *target, const unsigned char identification[EI_NIDENT])
{
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    target->pointer_bytes = identification[EI_CLASS] == ELFCLASS32 ? 4 : 8;
    target->other_byte_order = identification[EI_DATA] != (little ? ELFDATA2LSB : ELFDATA2MSB);
}
