/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Digests stacks of callers.
 */
#include "stack/stack_internal.h"

#include <string.h>

/* Stack of the innermost callers; arguments of functions that are not in the table. */
enum { MOST_BYTES = 1 << 15, CALLER_MEMORY_MOST_ARGUMENTS = 24 };

/* FNV-1a by words; never 0. */
static uint64_t digest_of(const uint64_t *words, size_t count)
{
    uint64_t digest = 14695981039346656037u;
    for (size_t i = 0; i < count; i++) {
        digest = (digest ^ words[i]) * 1099511628211u;
        digest ^= digest >> 29;
    }
    return digest | 1;
}

/* A function may use the place of its arguments on the stack as it likes. One more: bindings have a status. */
static size_t argument_bytes(const struct mpi_function *facts)
{
    size_t count = 1;
    for (const char *role = facts != NULL ? facts->roles : ""; *role != '\0'; role += strspn(role, " ")) {
        role += strcspn(role, " ");
        count++;
    }
    if (facts == NULL)
        count = CALLER_MEMORY_MOST_ARGUMENTS;
    return count > REGISTER_ARGUMENTS ? (count - REGISTER_ARGUMENTS) * sizeof(uint64_t) : 0;
}

static uint64_t end_of(const struct thread_stack *stack)
{
    return stack->start_pointer != 0 ? stack->start_pointer
                                     : stack->frames[stack->frame_count - 1].registers.stack_pointer;
}

void caller_memory_read(struct target *target, const struct thread_stack *stack, const struct mpi_call *call,
                        struct seen_thread *thread)
{
    uint64_t words[MOST_BYTES / sizeof(uint64_t)];
    const struct stack_frame *caller = call->frame + 1;
    if (caller >= stack->frames + stack->frame_count || caller->registers.stack_pointer == 0)
        return;
    const uint64_t begin = caller->registers.stack_pointer + argument_bytes(call->facts), end = end_of(stack);
    const uint64_t bytes = end > begin ? (end - begin) / sizeof *words * sizeof *words : 0;
    const size_t read = bytes < sizeof words ? (size_t)bytes : sizeof words;
    if (read > 0 && target_peek(target, begin, words, read))
        thread->caller_stack = digest_of(words, read / sizeof *words);
    if (caller->registers.known == (1u << KEPT_REGISTERS) - 1)
        thread->caller_registers = digest_of(caller->registers.kept, KEPT_REGISTERS);
}

static bool differ(uint64_t left, uint64_t right)
{
    return left != 0 && right != 0 && left != right;
}

bool caller_memory_differs(const struct seen_thread *before, const struct seen_thread *later)
{
    return differ(before->caller_stack, later->caller_stack) ||
           differ(before->caller_registers, later->caller_registers);
}
