/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads frames and their code objects.
 */
#include "python/python.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Characters. */
enum { MOST_NAME = 256, MOST_PATH = 4096 };
/* Owner of a frame that only stands for the return into C, from 3.12 on. */
enum { OWNED_BY_C = 3 };
/* References on the stack of the interpreter have marks in these bits, from 3.14 on. */
static const uint64_t mark_bits = 7;

static const char *keep(struct text_pool *texts, char *text)
{
    const char *kept = text != NULL ? text_pool_add(texts, text) : NULL;
    free(text);
    return kept;
}

static bool is_code(struct python_memory *memory, uint64_t object)
{
    uint64_t type;
    if (object == 0 || !python_read_pointer(memory, object + PYTHON_OBJECT_TYPE, &type))
        return false;
    if (memory->code_type != 0)
        return type == memory->code_type;
    char *name = python_read_type(memory, object);
    if (name != NULL && strcmp(name, "code") == 0)
        memory->code_type = type;
    free(name);
    return memory->code_type != 0;
}

static bool read_code(struct python_memory *memory, uint64_t code, struct text_pool *texts,
                      struct python_frame *ret_frame)
{
    const struct python_offsets *offsets = &memory->offsets;
    uint64_t path, name;
    if (!is_code(memory, code) || !python_read_pointer(memory, code + offsets->code_path, &path) ||
        !python_read_pointer(memory, code + offsets->code_name, &name))
        return false;
    *ret_frame = (struct python_frame){.function = keep(texts, python_read_text(memory, name, MOST_NAME)),
                                       .path = keep(texts, python_read_text(memory, path, MOST_PATH))};
    return ret_frame->function != NULL && ret_frame->path != NULL;
}

/* Bytes from the first instruction of the code to that where the frame stands. */
static bool read_instruction(struct python_memory *memory, uint64_t frame, uint64_t code, int64_t *ret_instruction)
{
    const struct python_offsets *offsets = &memory->offsets;
    int32_t number;
    uint64_t address;
    if (offsets->code_instructions != 0) {
        if (!python_read_pointer(memory, frame + offsets->frame_instruction, &address))
            return false;
        *ret_instruction = (int64_t)(address - (code + offsets->code_instructions));
        return true;
    }
    if (!python_read_number(memory, frame + offsets->frame_instruction, &number))
        return false;
    *ret_instruction = offsets->minor < 10 ? number : 2 * (int64_t)number;
    return true;
}

static int find_line(struct python_memory *memory, uint64_t code, int64_t instruction)
{
    int32_t first_line;
    uint64_t lines;
    size_t bytes;
    if (!python_read_number(memory, code + memory->offsets.code_first_line, &first_line) ||
        !python_read_pointer(memory, code + memory->offsets.code_lines, &lines))
        return 0;
    unsigned char *table = python_read_bytes(memory, lines, &bytes);
    const int line = table != NULL ? python_line(memory->offsets.minor, table, bytes, first_line, instruction) : 0;
    free(table);
    return line;
}

static bool is_owned_by_c(struct python_memory *memory, uint64_t frame)
{
    char owner;
    return memory->offsets.minor >= 12 && python_read(memory, frame + memory->offsets.frame_owner, &owner, 1) &&
           owner == OWNED_BY_C;
}

/* Before 3.11 each frame has a loop of its own; from 3.12 on, a frame for the return into C follows. */
static bool read_is_entry(struct python_memory *memory, uint64_t frame)
{
    bool is_entry = memory->offsets.minor < 11;
    char byte = 0;
    if (memory->offsets.frame_is_entry != 0)
        is_entry = python_read(memory, frame + memory->offsets.frame_is_entry, &byte, 1) && byte != 0;
    return is_entry;
}

static bool read_code_of(struct python_memory *memory, uint64_t frame, uint64_t *ret_code)
{
    if (!python_read_pointer(memory, frame + memory->offsets.frame_code, ret_code))
        return false;
    *ret_code &= ~mark_bits;
    return true;
}

bool python_read_frame(struct python_memory *memory, uint64_t address, struct text_pool *texts,
                       struct python_frame *ret_frame, bool *ret_is_real, uint64_t *ret_previous)
{
    uint64_t code;
    int64_t instruction;
    if (!python_read_pointer(memory, address + memory->offsets.frame_previous, ret_previous))
        return false;
    *ret_is_real = !is_owned_by_c(memory, address);
    if (!*ret_is_real)
        return true;
    if (!read_code_of(memory, address, &code) || !read_code(memory, code, texts, ret_frame))
        return false;
    ret_frame->line = read_instruction(memory, address, code, &instruction) ? find_line(memory, code, instruction) : 0;
    ret_frame->is_entry = read_is_entry(memory, address);
    return true;
}

bool python_read_call(struct python_memory *memory, uint64_t traceback, struct text_pool *texts,
                      struct python_frame *ret_frame)
{
    uint64_t code, frame;
    int32_t line, instruction;
    if (!python_read_pointer(memory, traceback + PYTHON_TRACEBACK_FRAME, &frame) ||
        !python_read_number(memory, traceback + PYTHON_TRACEBACK_LINE, &line) ||
        !python_read_number(memory, traceback + PYTHON_TRACEBACK_INSTRUCTION, &instruction))
        return false;
    if (memory->offsets.frame_object_frame != 0 &&
        !python_read_pointer(memory, frame + memory->offsets.frame_object_frame, &frame))
        return false;
    if (!read_code_of(memory, frame, &code) || !read_code(memory, code, texts, ret_frame))
        return false;
    ret_frame->line = line > 0 ? line : find_line(memory, code, instruction); /* some look it up when asked */
    return true;
}

char *python_describe_frame(const struct python_frame *frame)
{
    return frame->line > 0 ? format_text("%s (%s:%d)", frame->function, file_name(frame->path), frame->line)
                           : format_text("%s (%s)", frame->function, file_name(frame->path));
}
