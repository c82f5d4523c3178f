/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the interpreter and its threads.
 */
#include "python/python.h"

#include "base/base.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

/* More of a process are not looked at. */
enum { MOST_INTERPRETERS = 64, MOST_THREADS = 4096, MOST_HANDLED = 64 };

/* --- which version --- */

static bool find_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    return target_find_interpreter_symbol(target, name, ret_address);
}

/* By what only newer ones have. 0: older than all that are known. */
static uint32_t find_minor(struct target *target)
{
    uint64_t address;
    uint32_t version;
    if (find_symbol(target, "Py_Version", &address))
        return target_peek(target, address, &version, sizeof version) && version >> 24 == 3 ? version >> 16 & 0xff : 0;
    return find_symbol(target, "PyModule_AddObjectRef", &address) ? 10
           : find_symbol(target, "PyFrame_GetCode", &address)     ? 9
                                                                  : 0;
}

static bool is_readable(const struct target *target)
{
    const uint16_t one = 1;
    const bool is_little_endian = *(const unsigned char *)&one == 1;
    return target_pointer_bytes(target) == 8 && is_little_endian && !target_is_other_byte_order(target);
}

static bool find_offsets(struct target *target, uint64_t runtime, struct python_offsets *ret_offsets)
{
    uint64_t words[PYTHON_WORDS];
    if (target_peek(target, runtime, words, sizeof words) && python_words_are_offsets(words))
        return python_offsets_take(words, ret_offsets);
    const struct python_offsets *offsets = python_offsets_of(find_minor(target));
    if (offsets == NULL)
        return false;
    *ret_offsets = *offsets;
    return true;
}

/* --- threads --- */

static void add_frame(struct python_thread *thread, const struct python_frame *frame)
{
    thread->frames = arena_append(thread->frames, &thread->frame_count, sizeof *thread->frames);
    thread->frames[thread->frame_count - 1] = *frame;
}

static bool find_first_frame(struct python_memory *memory, uint64_t state, uint64_t *ret_frame)
{
    const struct python_offsets *offsets = &memory->offsets;
    if (!python_read_pointer(memory, state + offsets->thread_frame, ret_frame))
        return false;
    return !offsets->has_c_frame || *ret_frame == 0 ||
           python_read_pointer(memory, *ret_frame + offsets->c_frame_frame, ret_frame);
}

/* A second frame for a return in a row stands for no other loop. */
static void note_return(struct python_thread *thread, uint64_t address)
{
    struct python_frame *frame = &thread->frames[thread->frame_count - 1];
    frame->return_frame = frame->is_entry ? frame->return_frame : address;
    frame->is_entry = true;
}

static void read_frames(struct python_memory *memory, uint64_t state, struct text_pool *texts,
                        struct python_thread *thread)
{
    uint64_t address;
    thread->is_cut = !find_first_frame(memory, state, &address);
    for (size_t i = 0; !thread->is_cut && address != 0; i++) {
        struct python_frame frame;
        bool is_real;
        uint64_t previous;
        if (i == (size_t)2 * MOST_PYTHON_FRAMES || thread->frame_count == MOST_PYTHON_FRAMES ||
            !python_read_frame(memory, address, texts, &frame, &is_real, &previous)) {
            thread->is_cut = true;
            break;
        }
        if (is_real)
            add_frame(thread, &frame);
        else if (thread->frame_count > 0)
            note_return(thread, address);
        address = previous;
    }
    if (thread->frame_count > 0 && !thread->is_cut)
        thread->frames[thread->frame_count - 1].is_entry = true;
}

static const char *keep(struct text_pool *texts, char *text)
{
    const char *kept = text != NULL ? text_pool_add(texts, text) : NULL;
    free(text);
    return kept;
}

/* The exception that it handles last. */
static const char *read_handled(struct python_memory *memory, uint64_t state, struct text_pool *texts)
{
    const struct python_offsets *offsets = &memory->offsets;
    uint64_t item, exception;
    if (!python_read_pointer(memory, state + offsets->thread_handled, &item))
        return NULL;
    for (int i = 0; item != 0 && i < MOST_HANDLED; i++) {
        if (!python_read_pointer(memory, item + offsets->handled_exception, &exception))
            return NULL;
        char *text = exception != 0 ? python_describe_exception(memory, exception) : NULL;
        if (text != NULL)
            return keep(texts, text);
        if (!python_read_pointer(memory, item + offsets->handled_previous, &item))
            return NULL;
    }
    return NULL;
}

/* Versions before 3.11 have only the number by which the C library knows the thread: the address of what it has written
 * down of it, its own address among that. */
static pid_t find_tid(struct python_memory *memory, uint64_t thread)
{
#if defined(__x86_64__)
    enum { SELF = 16, TID = 720 }; /* of glibc */
    uint64_t self;
    int32_t tid;
    if (python_read_pointer(memory, thread + SELF, &self) && self == thread &&
        python_read_number(memory, thread + TID, &tid) && tid > 0)
        return tid;
    return 0;
#else
    /* Where glibc keeps the number, if the thread's own part does not begin with what the processor needs. */
    enum { TID = 208 };
    int32_t tid;
    return python_read_number(memory, thread + TID, &tid) && tid > 0 ? tid : 0;
#endif
}

static pid_t read_tid(struct python_memory *memory, uint64_t runtime, uint64_t state)
{
    const struct python_offsets *offsets = &memory->offsets;
    uint64_t number, main_number;
    if (offsets->thread_native_id != 0)
        return python_read_pointer(memory, state + offsets->thread_native_id, &number) && number <= INT32_MAX
                   ? (pid_t)number
                   : 0;
    if (!python_read_pointer(memory, state + offsets->thread_id, &number))
        return 0;
    const pid_t tid = find_tid(memory, number);
    const bool is_main =
        python_read_pointer(memory, runtime + offsets->runtime_main_thread, &main_number) && main_number == number;
    return tid != 0 || !is_main ? tid : target_pid(memory->target);
}

static void read_threads(struct python_memory *memory, uint64_t runtime, uint64_t interpreter,
                         struct python_stacks *stacks)
{
    uint64_t state;
    if (!python_read_pointer(memory, interpreter + memory->offsets.interpreter_threads, &state))
        return;
    while (state != 0 && stacks->thread_count < MOST_THREADS) {
        struct python_thread thread = {.tid = read_tid(memory, runtime, state)};
        read_frames(memory, state, &stacks->texts, &thread);
        thread.handling = read_handled(memory, state, &stacks->texts);
        stacks->threads = arena_append(stacks->threads, &stacks->thread_count, sizeof *stacks->threads);
        stacks->threads[stacks->thread_count - 1] = thread;
        if (!python_read_pointer(memory, state + PYTHON_THREAD_NEXT, &state))
            return;
    }
}

/* --- the end of the program --- */

/* Whether the thread still runs what the program consists of: not what is called when that is over. */
static bool runs_program(const struct python_thread *thread)
{
    const char *outermost =
        thread != NULL && thread->frame_count > 0 ? thread->frames[thread->frame_count - 1].function : "";
    return strcmp(outermost, "<module>") == 0;
}

/* An exception that nothing has caught stands here from when it was printed until modules are taken down. */
static const char *read_uncaught(struct python_memory *memory, uint64_t interpreter, struct text_pool *texts)
{
    uint64_t dictionary, exception;
    if (!python_read_pointer(memory, interpreter + memory->offsets.interpreter_sys, &dictionary) ||
        !python_find_key(memory, dictionary, "last_value", &exception))
        return NULL;
    return keep(texts, python_describe_exception(memory, exception));
}

/* Interpreters, the newest first; the program runs in the oldest. */
static void read_interpreters(struct python_memory *memory, uint64_t runtime, struct python_stacks *stacks)
{
    uint64_t finalizing = 0, interpreter = 0, oldest = 0;
    python_read_pointer(memory, runtime + memory->offsets.runtime_finalizing, &finalizing);
    if (!python_read_pointer(memory, runtime + memory->offsets.runtime_interpreters, &interpreter))
        return;
    stacks->is_ending = finalizing != 0;
    stacks->has_ended = finalizing != 0 && interpreter == 0;
    for (int i = 0; interpreter != 0 && i < MOST_INTERPRETERS; i++) {
        oldest = interpreter;
        read_threads(memory, runtime, interpreter, stacks);
        if (!python_read_pointer(memory, interpreter + memory->offsets.interpreter_next, &interpreter))
            break;
    }
    if (oldest != 0 && !runs_program(python_find_thread(stacks, target_pid(memory->target))))
        stacks->uncaught = read_uncaught(memory, oldest, &stacks->texts);
}

bool python_stacks_read(struct target *target, struct python_stacks *ret_stacks)
{
    struct python_memory memory = {.target = target};
    uint64_t runtime;
    if (!is_readable(target) || !find_symbol(target, "_PyRuntime", &runtime) ||
        !find_offsets(target, runtime, &memory.offsets))
        return false;
    *ret_stacks = (struct python_stacks){.thread_count = 0};
    struct arena *outer = arena_use(&ret_stacks->texts.arena);
    read_interpreters(&memory, runtime, ret_stacks);
    arena_use(outer);
    return true;
}

const struct python_thread *python_find_thread(const struct python_stacks *stacks, pid_t tid)
{
    for (size_t i = 0; i < stacks->thread_count; i++)
        if (stacks->threads[i].tid == tid && tid != 0)
            return &stacks->threads[i];
    return NULL;
}

bool python_is_of_library(const struct python_frame *frame)
{
    const char *path = frame->path;
    const char *library = strstr(path, "/lib/python3");
    if (strncmp(path, "<frozen ", strlen("<frozen ")) == 0)
        return true;
    if (strstr(path, "/mpi4py/") != NULL)
        return true;
    return library != NULL && strstr(library, "/site-packages/") == NULL && strstr(library, "/dist-packages/") == NULL;
}

const struct python_frame *python_find_place(const struct python_thread *thread)
{
    for (size_t i = 0; i < thread->frame_count; i++)
        if (!python_is_of_library(&thread->frames[i]))
            return &thread->frames[i];
    return thread->frame_count > 0 ? &thread->frames[0] : NULL;
}
