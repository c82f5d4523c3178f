/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables. Those to 3.12 are what offsetof says of CPython's headers (pycore_runtime.h, pycore_interp.h, pystate.h,
 * pycore_frame.h, frameobject.h, code.h, unicodeobject.h, tupleobject.h, pyerrors.h); those from 3.13 on say which
 * words of _Py_DebugOffsets (pycore_debug_offsets.h) have them.
 */
#include "python/python.h"

#include <string.h>

static const struct python_offsets tables[] = {
    {
        .minor = 9,
        .runtime_finalizing = 16,
        .runtime_interpreters = 32,
        .runtime_main_thread = 72,
        .interpreter_threads = 8,
        .interpreter_sys = 872,
        .thread_frame = 24,
        .thread_id = 176,
        .thread_handled = 144,
        .handled_exception = 8,
        .handled_previous = 24,
        .frame_previous = 24,
        .frame_code = 32,
        .frame_instruction = 104,
        .code_path = 104,
        .code_name = 112,
        .code_first_line = 40,
        .code_lines = 120,
        .text_ascii_bytes = 48,
        .text_compact_bytes = 72,
        .tuple_items = 24,
        .exception_traceback = 32,
    },
    {
        .minor = 10,
        .runtime_finalizing = 16,
        .runtime_interpreters = 32,
        .runtime_main_thread = 72,
        .interpreter_threads = 8,
        .interpreter_sys = 872,
        .thread_frame = 24,
        .thread_id = 176,
        .thread_handled = 144,
        .handled_exception = 8,
        .handled_previous = 24,
        .frame_previous = 24,
        .frame_code = 32,
        .frame_instruction = 96,
        .code_path = 104,
        .code_name = 112,
        .code_first_line = 40,
        .code_lines = 120,
        .text_ascii_bytes = 48,
        .text_compact_bytes = 72,
        .tuple_items = 24,
        .exception_traceback = 32,
    },
    {
        .minor = 11,
        .runtime_finalizing = 24,
        .runtime_interpreters = 40,
        .runtime_main_thread = 80,
        .interpreter_threads = 16,
        .interpreter_sys = 904,
        .thread_frame = 56,
        .thread_id = 152,
        .thread_native_id = 160,
        .thread_handled = 120,
        .has_c_frame = true,
        .c_frame_frame = 8,
        .handled_previous = 8,
        .frame_previous = 48,
        .frame_code = 32,
        .frame_instruction = 56,
        .frame_is_entry = 68,
        .frame_owner = 69,
        .frame_object_frame = 24,
        .code_path = 112,
        .code_name = 120,
        .code_first_line = 72,
        .code_lines = 136,
        .code_instructions = 184,
        .text_ascii_bytes = 48,
        .text_compact_bytes = 72,
        .tuple_items = 24,
        .exception_traceback = 40,
    },
    {
        .minor = 12,
        .runtime_finalizing = 24,
        .runtime_interpreters = 40,
        .runtime_main_thread = 64,
        .interpreter_threads = 72,
        .interpreter_sys = 352,
        .thread_frame = 56,
        .thread_id = 136,
        .thread_native_id = 144,
        .thread_handled = 104,
        .has_c_frame = true,
        .handled_previous = 8,
        .frame_previous = 8,
        .frame_instruction = 56,
        .frame_owner = 70,
        .frame_object_frame = 24,
        .code_path = 112,
        .code_name = 120,
        .code_first_line = 68,
        .code_lines = 136,
        .code_instructions = 192,
        .text_ascii_bytes = 40,
        .text_compact_bytes = 56,
        .tuple_items = 24,
        .exception_traceback = 40,
    },
};

/* Numbers of words. */
struct word_table {
    uint32_t minor;
    unsigned char finalizing, interpreters, interpreter_next, interpreter_threads, interpreter_sys, thread_next, frame,
        thread_id, native_id, previous, code, instruction, owner, path, name, lines, first_line, instructions, type,
        type_name, type_flags, tuple_items, keys, bytes_content, text_state, text_length, text_ascii_bytes;
};

static const struct word_table word_tables[] = {
    {
        .minor = 13,
        .finalizing = 4,
        .interpreters = 5,
        .interpreter_next = 8,
        .interpreter_threads = 9,
        .interpreter_sys = 12,
        .thread_next = 21,
        .frame = 23,
        .thread_id = 24,
        .native_id = 25,
        .previous = 29,
        .code = 30,
        .instruction = 31,
        .owner = 33,
        .path = 35,
        .name = 36,
        .lines = 38,
        .first_line = 39,
        .instructions = 43,
        .type = 45,
        .type_name = 47,
        .type_flags = 49,
        .tuple_items = 51,
        .keys = 57,
        .bytes_content = 66,
        .text_state = 68,
        .text_length = 69,
        .text_ascii_bytes = 70,
    },
    {
        .minor = 14,
        .finalizing = 4,
        .interpreters = 5,
        .interpreter_next = 8,
        .interpreter_threads = 9,
        .interpreter_sys = 13,
        .thread_next = 24,
        .frame = 26,
        .thread_id = 27,
        .native_id = 28,
        .previous = 32,
        .code = 33,
        .instruction = 34,
        .owner = 36,
        .path = 40,
        .name = 41,
        .lines = 43,
        .first_line = 44,
        .instructions = 48,
        .type = 51,
        .type_name = 53,
        .type_flags = 55,
        .tuple_items = 57,
        .keys = 67,
        .bytes_content = 76,
        .text_state = 78,
        .text_length = 79,
        .text_ascii_bytes = 80,
    },
};

enum { COOKIE, VERSION, FREE_THREADED };
/* Members lie within so much of their struct. */
enum { MOST_OFFSET = 1 << 20 };

const struct python_offsets *python_offsets_of(uint32_t minor)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].minor == minor)
            return &tables[i];
    return NULL;
}

bool python_words_are_offsets(const uint64_t words[PYTHON_WORDS])
{
    return memcmp(&words[COOKIE], "xdebugpy", 8) == 0;
}

static const struct word_table *find_words(const uint64_t words[PYTHON_WORDS])
{
    for (size_t i = 0; i < sizeof word_tables / sizeof *word_tables; i++)
        if (words[VERSION] >> 24 == 3 && (words[VERSION] >> 16 & 0xff) == word_tables[i].minor)
            return &word_tables[i];
    return NULL;
}

/* Whether the offsets that no version has changed so far have their usual values. */
static bool is_as_ever(const uint64_t words[PYTHON_WORDS], const struct word_table *at)
{
    return words[at->type] == PYTHON_OBJECT_TYPE && words[at->type_name] == PYTHON_TYPE_NAME &&
           words[at->type_flags] == PYTHON_TYPE_FLAGS && words[at->thread_next] == PYTHON_THREAD_NEXT &&
           words[at->keys] == PYTHON_DICTIONARY_KEYS && words[at->bytes_content] == PYTHON_BYTES_CONTENT &&
           words[at->text_state] == PYTHON_TEXT_STATE && words[at->text_length] == PYTHON_TEXT_LENGTH;
}

bool python_offsets_take(const uint64_t words[PYTHON_WORDS], struct python_offsets *ret_offsets)
{
    const struct word_table *at = find_words(words);
    if (at == NULL || words[FREE_THREADED] != 0 || !is_as_ever(words, at))
        return false;
    for (size_t i = FREE_THREADED; i <= at->text_ascii_bytes; i++)
        if (words[i] > MOST_OFFSET)
            return false;
    *ret_offsets = (struct python_offsets){
        .minor = at->minor,
        .runtime_finalizing = (uint32_t)words[at->finalizing],
        .runtime_interpreters = (uint32_t)words[at->interpreters],
        .interpreter_next = (uint32_t)words[at->interpreter_next],
        .interpreter_threads = (uint32_t)words[at->interpreter_threads],
        .interpreter_sys = (uint32_t)words[at->interpreter_sys],
        .thread_frame = (uint32_t)words[at->frame],
        .thread_id = (uint32_t)words[at->thread_id],
        .thread_native_id = (uint32_t)words[at->native_id],
        .thread_handled = (uint32_t)words[at->frame] + 48, /* behind two functions, their objects, one exception */
        .handled_previous = 8,
        .frame_previous = (uint32_t)words[at->previous],
        .frame_code = (uint32_t)words[at->code],
        .frame_instruction = (uint32_t)words[at->instruction],
        .frame_owner = (uint32_t)words[at->owner],
        .frame_object_frame = 24,
        .code_path = (uint32_t)words[at->path],
        .code_name = (uint32_t)words[at->name],
        .code_first_line = (uint32_t)words[at->first_line],
        .code_lines = (uint32_t)words[at->lines],
        .code_instructions = (uint32_t)words[at->instructions],
        .text_ascii_bytes = (uint32_t)words[at->text_ascii_bytes],
        .text_compact_bytes = (uint32_t)words[at->text_ascii_bytes] + 16,
        .tuple_items = (uint32_t)words[at->tuple_items],
        .exception_traceback = 40,
    };
    return true;
}
