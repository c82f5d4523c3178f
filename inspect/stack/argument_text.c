/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names arguments by their roles in the table of MPI functions.
 */
#include "stack/stack_internal.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum argument_form {
    ARGUMENT_IS_HIDDEN, /* addresses of the program, which say nothing */
    ARGUMENT_IS_NUMBER,
    ARGUMENT_IS_HANDLE,
};

static bool is_any(const char *word, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(word, words[i], length) == 0)
            return true;
    return false;
}
#define IS_ANY(word, length, words) is_any(word, length, words, sizeof(words) / sizeof *(words))

static enum argument_form form_of(const char *role, size_t length)
{
    static const char *const numbers[] = {
        "count",    "array_count", "peer",      "tag",      "root",      "send_count", "send_peer",
        "send_tag", "recv_count",  "recv_peer", "recv_tag", "partition", "lock_type",  "partition_count"};
    static const char *const handles[] = {"communicator", "datatype", "send_datatype", "recv_datatype", "op",
                                          "window",       "file",     "parent",        "group"};
    return IS_ANY(role, length, numbers)   ? ARGUMENT_IS_NUMBER
           : IS_ANY(role, length, handles) ? ARGUMENT_IS_HANDLE
                                           : ARGUMENT_IS_HIDDEN;
}

static void write_number(FILE *stream, uint64_t value)
{
    fprintf(stream, "0x%" PRIx64, (int64_t)value == (int32_t)value ? value & UINT32_MAX : value);
}

/* Integers, or addresses of objects of the library, which may have names. */
static void write_handle(FILE *stream, struct target *target, uint64_t value)
{
    Dwfl_Module *module = target->dwfl != NULL ? dwfl_addrmodule(target->dwfl, value) : NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = module != NULL ? debug_symbol_at(module, value, &offset, &symbol) : NULL;
    char *predefined = name != NULL && offset == 0 ? predefined_handle_of_symbol(name) : NULL;
    if (predefined != NULL)
        fputs(predefined, stream);
    else if (name != NULL && offset == 0)
        fputs(name, stream);
    else if (predefined_handle_of_integer(value) != NULL)
        fputs(predefined_handle_of_integer(value), stream);
    else
        write_number(stream, value);
    free(predefined);
}

static bool is_of_open_mpi(struct target *target)
{
    static const char object[] = "ompi_mpi_comm_world";
    uint64_t address;
    return target_find_symbol(target, object, &address) || target_find_program_symbol(target, object, &address);
}

static void write_handle_of_fortran(FILE *stream, struct target *target, const char *role, size_t length,
                                    uint64_t value)
{
    const char *name = predefined_handle_of_fortran(role, length, value, is_of_open_mpi(target));
    if (name != NULL)
        fputs(name, stream);
    else
        write_number(stream, value);
}

/* The large-count functions have wider counts. */
static bool is_wide(const struct mpi_function *facts, const char *role, size_t length)
{
    static const char of_function[] = "_c", of_role[] = "count";
    const size_t bytes = strlen(facts->name), ending = sizeof of_role - 1;
    return bytes >= 2 && strcmp(facts->name + bytes - 2, of_function) == 0 && length >= ending &&
           strncmp(role + length - ending, of_role, ending) == 0;
}

static void write_argument(FILE *stream, struct target *target, const struct mpi_call *call, const char *role,
                           size_t length, uint64_t value)
{
    if (form_of(role, length) == ARGUMENT_IS_NUMBER)
        fprintf(stream, "%" PRId64, is_wide(call->facts, role, length) ? (int64_t)value : (int32_t)value);
    else if (call->is_of_fortran)
        write_handle_of_fortran(stream, target, role, length, (uint32_t)value);
    else
        write_handle(stream, target, value);
}

/* Fortran passes the addresses of its arguments. */
static void follow_references(struct frame_hold *hold, struct call_arguments *arguments)
{
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        const uint64_t address = arguments->values[i];
        uint64_t value = 0;
        if (arguments->is_known[i])
            arguments->is_known[i] =
                frame_hold_begin(hold) && (target_peek(hold->target, address, &value, sizeof value) ||
                                           target_peek(hold->target, address, &value, sizeof(int32_t)));
        arguments->values[i] = value;
    }
}

char *describe_arguments(struct target *target, const struct thread_stack *stack, const struct mpi_call *call)
{
    if (call->facts == NULL || call->caller == NULL || (!call->is_of_c && !call->is_of_fortran))
        return NULL;
    struct frame_hold hold = {.target = target, .thread = stack->tid, .frame = call->caller};
    struct call_arguments arguments = find_call_arguments(stack, &hold);
    if (call->is_of_fortran)
        follow_references(&hold, &arguments);
    frame_hold_end(&hold);
    char *text;
    FILE *stream = open_text(&text);
    size_t shown = 0, known = 0, number = 0;
    for (const char *role = call->facts->roles; *role != '\0' && number < MOST_ARGUMENTS; number++) {
        const size_t length = strcspn(role, " "), bytes = length - (length > 0 && role[length - 1] == '?' ? 1 : 0);
        if (form_of(role, bytes) != ARGUMENT_IS_HIDDEN) {
            fputs(shown++ > 0 ? ", " : "", stream);
            for (size_t i = 0; i < bytes; i++)
                fputc(role[i] == '_' ? ' ' : role[i], stream);
            fputc(' ', stream);
            if (arguments.is_known[number])
                write_argument(stream, target, call, role, bytes, arguments.values[number]);
            else
                fputc('?', stream);
            known += arguments.is_known[number];
        }
        role += length + strspn(role + length, " ");
    }
    fclose(stream);
    if (known > 0)
        return text;
    free(text);
    return NULL;
}
