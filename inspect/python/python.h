/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The Python side of threads: frames, lines and exceptions in the memory of CPython.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_H
#define MPILENS_INSPECT_PYTHON_PYTHON_H

#include "target/target.h"
#include "text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct target;

/* -- python_offsets.c --
 * Where CPython keeps its state, by version: offsets of members in its structs, in bytes.
 */

/* Equal in all versions from 3.9 to 3.14, of builds for processors of 64 bits. */
enum {
    PYTHON_OBJECT_TYPE = 8,
    PYTHON_OBJECT_SIZE = 16, /* of PyVarObject */
    PYTHON_TYPE_NAME = 24,
    PYTHON_TYPE_FLAGS = 168,
    PYTHON_TYPE_DICTIONARY = 264,
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
    /* PyThreadState; with has_c_frame, its frame is in a _PyCFrame. */
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

/* The offsets of version 3.minor, which does not tell them itself; NULL: not known. */
const struct python_offsets *python_offsets_of(uint32_t minor);
/* Whether they begin as the offsets of such a version do. */
bool python_words_are_offsets(const uint64_t words[PYTHON_WORDS]);
/* False: they are of a version that is not known or of a free-threaded build, or make no sense. */
bool python_offsets_take(const uint64_t words[PYTHON_WORDS], struct python_offsets *ret_offsets);

/* -- python_memory.c --
 * Objects of CPython in the memory of a process that may be damaged, or change while it is read: all that is read is
 * bounded, and what is no object of the kind that it should be is not known.
 */

struct python_memory {
    struct target *target;
    struct python_offsets offsets;
    size_t reads;       /* so far */
    uint64_t code_type; /* the type of code; 0: none was seen */
};

/* Classes of objects, by the flags of their types. */
enum python_class {
    PYTHON_INTEGER = 1 << 24,
    PYTHON_TUPLE = 1 << 26,
    PYTHON_BYTES = 1 << 27,
    PYTHON_TEXT = 1 << 28,
    PYTHON_DICTIONARY = 1 << 29,
    PYTHON_EXCEPTION = 1 << 30,
};

/* These return false, or NULL, where that cannot be read; then the output is undefined. */
bool python_read(struct python_memory *memory, uint64_t address, void *ret_bytes, size_t count);
bool python_read_pointer(struct python_memory *memory, uint64_t address, uint64_t *ret_pointer);
bool python_read_number(struct python_memory *memory, uint64_t address, int32_t *ret_number);
bool python_is(struct python_memory *memory, uint64_t object, enum python_class class);
/* The name of the type of an object, as UTF-8. The caller frees it. */
char *python_read_type(struct python_memory *memory, uint64_t object);
/* A text as UTF-8, cut after `most` characters. The caller frees it. */
char *python_read_text(struct python_memory *memory, uint64_t object, size_t most);
/* The content of bytes, which the caller frees. */
unsigned char *python_read_bytes(struct python_memory *memory, uint64_t object, size_t *ret_count);
/* The value of a text in a dictionary. */
bool python_find_key(struct python_memory *memory, uint64_t dictionary, const char *key, uint64_t *ret_value);

/* -- python_frame.c --
 * One frame of Python: the function and the line that it stands in.
 */

struct python_frame {
    const char *function;  /* "<module>" of what stands in none */
    const char *path;      /* of the source file, as it was compiled; "<stdin>", "<frozen runpy>" */
    int line;              /* 0: not known */
    bool is_entry;         /* of the frames that one loop of the interpreter runs it is the outermost */
    uint64_t return_frame; /* of an entry: the frame for its return, a variable of that loop in C; 0: none (to 3.11) */
};

/* The frame at `address` and its caller's, 0: it is the outermost. Skips frames that only return into C: then
 * `ret_is_real` is false, and the frame before is an entry. Texts are of the pool. False: it is no frame. */
bool python_read_frame(struct python_memory *memory, uint64_t address, struct text_pool *texts,
                       struct python_frame *ret_frame, bool *ret_is_real, uint64_t *ret_previous);
/* As python_read_frame, for a call in a traceback, given the address of the traceback object. */
bool python_read_call(struct python_memory *memory, uint64_t traceback, struct text_pool *texts,
                      struct python_frame *ret_frame);
/* "exchange (solver.py:41)"; the caller frees it. */
char *python_describe_frame(const struct python_frame *frame);

/* -- python_stacks.c -- The Python stacks of a process's threads, read from the memory of CPython's interpreter, 3.9 to
 * 3.14, which need not stand still.
 */

/* Frames of one thread; outer frames of a longer stack are left out. */
enum { MOST_PYTHON_FRAMES = 256 };

struct python_thread {
    pid_t tid;                   /* 0: not known */
    struct python_frame *frames; /* innermost first */
    size_t frame_count;
    bool is_cut;          /* outer frames are missing: too many, or they changed while they were read */
    const char *handling; /* the exception that it handles, in words; NULL: none */
};

/* Zero-initialised is empty. */
struct python_stacks {
    struct python_thread *threads;
    size_t thread_count;
    bool is_ending;         /* the interpreter shuts down */
    bool has_ended;         /* and nothing of it is left */
    const char *uncaught;   /* the exception that has ended the program, in words; NULL: none, or not known */
    struct text_pool texts; /* its arena has the rest, too, and is to be cleared */
};

/* False: there is no interpreter in it that can be read. */
bool python_stacks_read(struct target *target, struct python_stacks *ret_stacks);

/* NULL: the thread is in no Python. */
const struct python_thread *python_find_thread(const struct python_stacks *stacks, pid_t tid);
/* Whether the function is of Python's own library, or of mpi4py. */
bool python_is_of_library(const struct python_frame *frame);
/* Where the thread is for its user: the innermost frame that is neither of Python's own library nor of mpi4py, or else
 * the innermost one. NULL: there is none. */
const struct python_frame *python_find_place(const struct python_thread *thread);

/* -- python_end.c --
 * How a Python program ends, in words that follow what its process does: "is in MPI_Finalize, after its Python program
 * has ended with status 2".
 */

/* The exit status, or one of these. */
enum { PYTHON_STATUS_UNKNOWN = -1, PYTHON_STATUS_OF_EXIT = -2 /* a call of sys.exit() */ };

/* "after the uncaught exception ValueError: no cell", "while Python shuts down". NULL: it runs. The caller frees it. */
char *python_describe_end(const struct python_stacks *stacks, int status);
/* Whether nothing has caught an exception. */
bool python_has_failed(const struct python_stacks *stacks, int status);

/* -- python_exception.c --
 * Exceptions of Python in words.
 */

/* "ValueError: no such cell, raised in exchange (solver.py:41)", as much of it as can be read. NULL: it is no
 * exception. The caller frees it. */
char *python_describe_exception(struct python_memory *memory, uint64_t exception);

/* -- python_exit.c --
 * The exit status of a Python program whose interpreter has shut down, while its process still waits for something
 * else, such as MPI_Finalize.
 */

/* The result that Py_RunMain will return, given the `address` and stack pointer at which it continues. False: not
 * known, as on machines other than x86-64 and arm64, or if its code is unknown. */
bool python_find_exit_status(struct target *target, uint64_t address, uint64_t stack_pointer, int *ret_status);

/* The place from which code of a machine (EM_X86_64, EM_AARCH64) that ends its function takes its 32-bit result: offset
 * from the stack pointer. */
bool python_find_returned(unsigned machine, const unsigned char *code, size_t bytes, uint32_t *ret_offset);

/* -- python_line.c --
 * Tables of lines, as CPython's compiler writes them for each code object.
 */

/* The line of the instruction `instruction` bytes behind the first one (negative: before it); `minor`: of version
 * 3.minor. 0: it has none, or the table is damaged. */
int python_line(uint32_t minor, const unsigned char *table, size_t bytes, int first_line, int64_t instruction);

/* -- python_site.c --
 * Frames of Python as places in programs.
 */

/* The place of a frame, of the cache; its module is the source file. */
const struct site *python_site(const struct python_frame *frame, struct site_cache *sites);
/* "exchange (solver.py:41) < <module> (solver.py:60)": the thread's functions from its place on, without Python's own
 * library; long lists are cut. NULL: none. The caller frees it. */
char *python_describe_stack(const struct python_thread *thread);

#endif
