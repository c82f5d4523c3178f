/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads exceptions as the ABI of C++ has them (Itanium C++ ABI: Exception Handling), of GCC's and LLVM's libraries, on
 * processors of 64 bits. While one unwinds the stack, the function that cleans up keeps its address in a register.
 */
#include "stack/stack_internal.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layout around an exception's header for the unwinder, in bytes. */
enum { REFERENCES_BEFORE = 96, TYPE_BEFORE = 80, HANDLERS_BEFORE = 40, OBJECT_BEHIND = 32 };
/* In a type: its name, and the type that it is derived from where it is derived from one. */
enum { TYPE_NAME = 8, TYPE_BASE = 16 };
/* Where an exception of the standard library has the address of its text. */
enum { OBJECT_TEXT = 8 };
enum { MOST_NAME = 200, MOST_TEXT = 400, MOST_BASES = 8, MOST_REFERENCES = 1000 };

/* Ends with 0, or where no more can be read. */
static char *read_characters(struct target *target, uint64_t address, size_t most)
{
    char *text = allocate(most + 1);
    size_t length = 0;
    while (length < most && target_peek(target, address + length, &text[length], 1) && text[length] != '\0')
        length++;
    text[length] = '\0';
    return text;
}

/* By the class of the header, which no other memory has; freed exceptions have lost their references. */
static bool is_exception(struct target *target, uint64_t header)
{
    static const char of_gcc[] = "\0++CCUNG", of_llvm[] = "\0++CGNLC";
    char class[8];
    int32_t references, handlers;
    return header != 0 && (header & 15) == 0 && target_glance(target, header, class, sizeof class) &&
           (memcmp(class, of_gcc, sizeof class) == 0 || memcmp(class, of_llvm, sizeof class) == 0) &&
           target_peek(target, header, class, sizeof class) &&
           target_peek(target, header - REFERENCES_BEFORE, &references, sizeof references) && references > 0 &&
           references < MOST_REFERENCES && target_peek(target, header - HANDLERS_BEFORE, &handlers, sizeof handlers) &&
           handlers >= 0;
}

static char *read_type_name(struct target *target, uint64_t type)
{
    uint64_t name;
    if (!target_peek(target, type + TYPE_NAME, &name, sizeof name))
        return copy_text("");
    char *symbol = read_characters(target, name, MOST_NAME);
    /* one that is not to be compared by its text has a star in front */
    char *plain = type_symbol_name(symbol[0] == '*' ? symbol + 1 : symbol);
    free(symbol);
    return plain;
}

/* Whether the class has a text like the classes of <stdexcept>: it is one of them, or derived from one as its first
 * base. */
static bool has_text(struct target *target, uint64_t type)
{
    static const char *const standard[] = {"std::runtime_error", "std::logic_error"};
    bool has = false;
    for (int i = 0; i < MOST_BASES && !has; i++) {
        char *name = read_type_name(target, type);
        for (size_t j = 0; j < sizeof standard / sizeof *standard; j++)
            has = has || strcmp(name, standard[j]) == 0;
        const bool is_end = name[0] == '\0' || !target_peek(target, type + TYPE_BASE, &type, sizeof type);
        free(name);
        if (is_end)
            break;
    }
    return has;
}

static char *describe_exception(struct target *target, uint64_t header)
{
    uint64_t type, text;
    if (!target_peek(target, header - TYPE_BEFORE, &type, sizeof type))
        return NULL;
    char *name = read_type_name(target, type);
    char *said = has_text(target, type) && target_peek(target, header + OBJECT_BEHIND + OBJECT_TEXT, &text, sizeof text)
                     ? read_characters(target, text, MOST_TEXT)
                     : copy_text("");
    char *both = name[0] == '\0' ? NULL : format_text("%s%s%s", name, said[0] != '\0' ? ": " : "", said);
    free(name);
    free(said);
    return both;
}

char *describe_thrown(struct target *target, const uint64_t *addresses, size_t count)
{
    if (target_pointer_bytes(target) != 8 || target_is_other_byte_order(target))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_exception(target, addresses[i]))
            return describe_exception(target, addresses[i]);
    return NULL;
}

/* "" where it is none of the system's. The caller frees it. */
static char *name_of_system(const struct stack_frame *frame)
{
    return frame->site != NULL && frame->site->function != NULL && is_system_module(frame->site->module)
               ? system_function_name(frame->site->function)
               : copy_text("");
}

/* Functions by which std::terminate is called, or that call it themselves: no other function of the program is called
 * from within these. */
static bool terminates(const char *name)
{
    static const char *const names[] = {"std::terminate", "cxa_throw", "cxa_rethrow", "cxa_call_terminate"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* By the functions that have called exit(), from number `caller` on. */
static char *describe_exit(const struct thread_stack *stack, size_t caller)
{
    const struct stack_frame *frames = stack->frames;
    while (caller < stack->frame_count &&
           (frames[caller].site == NULL || is_system_module(frames[caller].site->module)))
        caller++;
    if (caller == stack->frame_count)
        return stack->is_cut ? copy_text("in exit()") : copy_text("after main has returned");
    char *place = site_describe_function(frames[caller].site);
    char *text = format_text("in exit(), which %s has called", place);
    free(place);
    return text;
}

char *describe_stack_end(const struct thread_stack *stack, bool *ret_is_terminated)
{
    *ret_is_terminated = false;
    for (size_t i = 1; i < stack->frame_count; i++) {
        char *name = name_of_system(&stack->frames[i]);
        const bool is_exit = strcmp(name, "exit") == 0;
        *ret_is_terminated = terminates(name);
        free(name);
        if (*ret_is_terminated)
            return copy_text("in std::terminate");
        if (is_exit)
            return describe_exit(stack, i + 1);
    }
    return NULL;
}
