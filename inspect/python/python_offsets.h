/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where CPython keeps its state, by version: offsets of members in its structs, in bytes.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_OFFSETS_H
#define MPILENS_INSPECT_PYTHON_PYTHON_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Equal in all versions from 3.9 to 3.14, of builds for processors of 64 bits. */
enum {
    PYTHON_OBJECT_TYPE = 8,
    PYTHON_OBJECT_SIZE = 16, /* of PyVarObject */
    PYTHON_TYPE_NAME = 24,
    PYTHON_TYPE_FLAGS = 168,
    PYTHON_TEXT_LENGTH = 16,
    PYTHON_TEXT_STATE = 32,
    PYTHON_BYTES_CONTENT = 32,
    PYTHON_DICTIONARY_KEYS = 32,
    PYTHON_EXCEPTION_ARGUMENTS = 24,
    PYTHON_TRACEBACK_NEXT = 16,
    PYTHON_TRACEBACK_FRAME = 24,
    PYTHON_TRACEBACK_INSTRUCTION = 32,
    PYTHON_TRACEBACK_LINE = 36,
    PYTHON_THREAD_NEXT = 8,
};

/* Where a version has no such member it is 0. */
struct python_offsets {
    uint32_t minor; /* of version 3.minor */
    /* _PyRuntimeState */
    uint32_t runtime_finalizing, runtime_interpreters, runtime_main_thread; /* the last one before 3.13 */
    /* PyInterpreterState */
    uint32_t interpreter_next, interpreter_threads, interpreter_sys;
    /* PyThreadState; its frame is that of a _PyCFrame where has_c_frame is true */
    uint32_t thread_frame, thread_id, thread_native_id, thread_handled;
    bool has_c_frame;
    uint32_t c_frame_frame;
    /* _PyErr_StackItem */
    uint32_t handled_exception, handled_previous;
    /* _PyInterpreterFrame, before 3.11 PyFrameObject */
    uint32_t frame_previous, frame_code, frame_instruction, frame_is_entry, frame_owner;
    /* PyFrameObject from 3.11 on: its _PyInterpreterFrame */
    uint32_t frame_object_frame;
    /* PyCodeObject */
    uint32_t code_path, code_name, code_first_line, code_lines, code_instructions;
    /* sizes of PyASCIIObject and PyCompactUnicodeObject */
    uint32_t text_ascii_bytes, text_compact_bytes;
    /* PyTupleObject, PyBaseExceptionObject */
    uint32_t tuple_items, exception_traceback;
};

/* The first version that tells its offsets itself, in words at the beginning of _PyRuntime (_Py_DebugOffsets); as many
 * of those are looked at. */
enum { PYTHON_FIRST_WITH_WORDS = 13, PYTHON_WORDS = 81 };

/* Of version 3.minor, which tells none itself; NULL: not known. */
const struct python_offsets *python_offsets_of(uint32_t minor);
/* Whether they begin as those of such a version do. */
bool python_words_are_offsets(const uint64_t words[PYTHON_WORDS]);
/* False: they are of a version that is not known or of a free-threaded build, or make no sense. */
bool python_offsets_take(const uint64_t words[PYTHON_WORDS], struct python_offsets *ret_offsets);

#endif
