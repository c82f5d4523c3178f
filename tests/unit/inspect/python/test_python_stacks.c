/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines and exceptions of Python out of the memory of processes of each version, whole and damaged.
 */
#include "base/base.h"
#include "length.h"
#include "python/python.h"
#include "recorded_python.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

static const char *const versions[] = {"3.9", "3.10", "3.11", "3.12", "3.13", "3.14"};
enum { VERSIONS = sizeof versions / sizeof *versions };
/* Before 3.11 a thread's number is only where the C library keeps it, which depends on the processor: the recordings
 * are of x86-64. */
#if defined(__x86_64__)
enum { RECORDED_HERE = true };
#else
enum { RECORDED_HERE = false };
#endif
/* Bounds the reads of a damaged process, at a multiple of a whole one's. */
enum { MOST_READS = 1 << 17 };

static void open_recording(const char *program, const char *version)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", program, version);
    recorded_python_open(name);
}

static void expect_text(const char *text, const char *expected, const char *version)
{
    cr_expect_str_eq(text != NULL ? text : "(none)", expected, "of %s: %s", version, text != NULL ? text : "(none)");
}

Test(python_stacks, thread_that_waits)
{
    for (size_t i = 0; i < VERSIONS; i++) {
        struct python_stacks stacks;
        open_recording("waiting", versions[i]);
        cr_assert(python_stacks_read(recorded.target, &stacks), "of %s", versions[i]);
        const struct python_thread *thread = python_find_thread(&stacks, recorded.pid);
        cr_assert_not_null(thread, "of %s", versions[i]);
        char *stack = python_describe_stack(thread);
        /* From 3.12 on, a comprehension is no function of its own. */
        expect_text(stack,
                    i < 3 ? "wait (waiting.py:13) < exchange (waiting.py:27) < <listcomp> (waiting.py:36) < solve "
                            "(waiting.py:36) < <module> (waiting.py:40)"
                          : "wait (waiting.py:13) < exchange (waiting.py:27) < solve (waiting.py:36) < <module> "
                            "(waiting.py:40)",
                    versions[i]);
        free(stack);
        expect_text(thread->handling, "NoCell: no cell \u00fc\u4e2d\U0001f600, 1, raised in find (waiting.py:18)",
                    versions[i]);
        cr_expect_null(stacks.uncaught);
        cr_expect_not(stacks.is_ending || stacks.has_ended || thread->is_cut);
        for (size_t j = 0; j + 1 < thread->frame_count; j++)
            cr_expect_eq(thread->frames[j].is_entry, i < 2, "of %s, frame %zu", versions[i], j);
        cr_expect(thread->frames[thread->frame_count - 1].is_entry);
        arena_clear(&stacks.texts.arena);
        recorded_python_close();
    }
}

Test(python_stacks, other_thread)
{
    for (size_t i = 0; i < VERSIONS; i++) {
        struct python_stacks stacks;
        open_recording("waiting", versions[i]);
        cr_assert(python_stacks_read(recorded.target, &stacks));
        cr_assert_eq(stacks.thread_count, 2);
        const struct python_thread *other = &stacks.threads[stacks.threads[0].tid == recorded.pid ? 1 : 0];
        if (i >= 2 || RECORDED_HERE)
            cr_expect_gt(other->tid, recorded.pid);
        const struct python_frame *place = python_find_place(other); /* its callees are in Python's library */
        expect_text(place->function, "idle", versions[i]);
        cr_expect_eq(place->line, 31);
        expect_text(other->frames[0].function, "wait", versions[i]);
        cr_expect_null(other->handling);
        arena_clear(&stacks.texts.arena);
        recorded_python_close();
    }
}

Test(python_stacks, uncaught_exception)
{
    for (size_t i = 0; i < VERSIONS; i++) {
        struct python_stacks stacks;
        open_recording("failing", versions[i]);
        cr_assert(python_stacks_read(recorded.target, &stacks));
        expect_text(stacks.uncaught, "KeyError: north, raised in exchange (failing.py:14)", versions[i]);
        cr_expect(python_has_failed(&stacks, PYTHON_STATUS_UNKNOWN));
        char *end = python_describe_end(&stacks, PYTHON_STATUS_UNKNOWN);
        expect_text(end, "after the uncaught exception KeyError: north, raised in exchange (failing.py:14)",
                    versions[i]);
        free(end);
        arena_clear(&stacks.texts.arena);
        recorded_python_close();
    }
}

/* Named as in Python's own output. */
Test(python_stacks, exception_of_a_module)
{
    static const char *const recorded_versions[] = {"3.9", "3.11", "3.13"};
    for (size_t i = 0; i < sizeof recorded_versions / sizeof *recorded_versions; i++) {
        struct python_stacks stacks;
        open_recording("raising", recorded_versions[i]);
        cr_assert(python_stacks_read(recorded.target, &stacks));
        expect_text(stacks.uncaught, "subprocess.SubprocessError: north, raised in <module> (raising.py:14)",
                    recorded_versions[i]);
        arena_clear(&stacks.texts.arena);
        recorded_python_close();
    }
}

/* --- what cannot be read --- */

static void expect_nothing(const char *version)
{
    struct python_stacks stacks;
    cr_expect_not(python_stacks_read(recorded.target, &stacks), "of %s", version);
    recorded_python_close();
}

Test(python_stacks, versions_that_are_not_known)
{
    static const uint32_t unknown[] = {0x030800f0, 0x030d00f0, 0x020700f0, 0x040b00f0, 0, UINT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        open_recording("waiting", "3.11");
        memcpy(recorded_memory(recorded_symbol("Py_Version"), 4), &unknown[i], 4);
        expect_nothing("3.11");
    }
    open_recording("waiting", "3.9");
    recorded_forget_symbol("PyFrame_GetCode");
    expect_nothing("3.8");
    open_recording("waiting", "3.11");
    recorded_forget_symbol("_PyRuntime");
    expect_nothing("no CPython");
}

/* Number of the word, and what stands there instead. */
Test(python_stacks, words_that_are_not_known)
{
    static const uint64_t changes[][2] = {{1, 0x030f00f0}, {2, 1}, {4, 1 << 24}, {47, 0}, {21, UINT64_MAX}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        open_recording("waiting", "3.13");
        memcpy(recorded_memory(recorded_symbol("_PyRuntime") + 8 * changes[i][0], 8), &changes[i][1], 8);
        expect_nothing("3.13");
    }
}

static void fill(struct recorded_range *range, unsigned char byte)
{
    memset(range->bytes, byte, range->count);
}

static void fill_ff(struct recorded_range *range)
{
    fill(range, 0xff);
}

static void fill_0(struct recorded_range *range)
{
    fill(range, 0);
}

static void fill_7f(struct recorded_range *range)
{
    fill(range, 0x7f);
}

/* Whatever is a pointer points to the object itself. */
static void point_to_itself(struct recorded_range *range)
{
    for (size_t i = 0; i + 8 <= range->count; i += 8)
        memcpy(range->bytes + i, &range->address, 8);
}

static void take_away(struct recorded_range *range)
{
    range->count = 0;
}

static void halve(struct recorded_range *range)
{
    range->count /= 2;
}

static void count_up(struct recorded_range *range)
{
    for (size_t i = 0; i < range->count; i++)
        range->bytes[i] = (unsigned char)(range->bytes[i] + i + 1);
}

static void expect_bounded(void)
{
    struct python_stacks stacks;
    recorded.reads = 0;
    if (python_stacks_read(recorded.target, &stacks)) {
        for (size_t j = 0; j < stacks.thread_count; j++)
            cr_assert_leq(stacks.threads[j].frame_count, MOST_PYTHON_FRAMES);
        arena_clear(&stacks.texts.arena);
    }
    cr_assert_leq(recorded.reads, MOST_READS + 16);
}

static void (*const changes[])(struct recorded_range *) = {fill_ff,   fill_0, fill_7f, point_to_itself,
                                                           take_away, halve,  count_up};
enum { CHANGES = sizeof changes / sizeof *changes };

/* Each range; where the length is not full, each in another way than the one before. */
static void read_changed(const char *program, size_t version, size_t number)
{
    open_recording(program, versions[version]);
    for (size_t i = 0; i < recorded.range_count; i++) {
        if (!length_is_full() && (i + version) % CHANGES != number)
            continue;
        struct recorded_range *range = &recorded.ranges[i];
        const struct recorded_range whole = *range;
        unsigned char *bytes = allocate(whole.count);
        memcpy(bytes, whole.bytes, whole.count);
        changes[number](range);
        expect_bounded();
        memcpy(whole.bytes, bytes, whole.count);
        *range = whole;
        free(bytes);
    }
    recorded_python_close();
}

Test(python_stacks, damaged_memory)
{
    for (size_t i = 0; i < VERSIONS; i++)
        for (size_t j = 0; j < CHANGES; j++) {
            read_changed("waiting", i, j);
            read_changed("failing", i, j);
        }
}

/* --- the end --- */

Test(python_end, words)
{
    const struct python_stacks running = {.thread_count = 0}, ending = {.is_ending = true},
                               ended = {.is_ending = true, .has_ended = true};
    static const struct {
        int status;
        const char *words;
    } ends[] = {
        {PYTHON_STATUS_UNKNOWN, "after its Python program has ended"},
        {PYTHON_STATUS_OF_EXIT, "after its Python program has called sys.exit()"},
        {0, "after its Python program has come to its end"},
        {1, "after an uncaught exception has ended its Python program (the job's output has it)"},
        {3, "after its Python program has ended with status 3"},
    };
    cr_expect_null(python_describe_end(&running, 1));
    char *text = python_describe_end(&ending, 1);
    cr_expect_str_eq(text, "while Python shuts down");
    free(text);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        text = python_describe_end(&ended, ends[i].status);
        cr_expect_str_eq(text, ends[i].words);
        cr_expect_eq(python_has_failed(&ended, ends[i].status), ends[i].status == 1);
        free(text);
    }
}

/* The code of Py_RunMain behind its call of Py_FinalizeEx, of Debian's 3.11 and 3.14, and of a 3.9 in a library. */
Test(python_exit, code_that_returns)
{
    static const unsigned char of_debian[] =
        "\x85\xc0\x0f\x88\xbe\x1f\xe1\xff\xe8\xdf\xbf\xfd\xff\x83\x3d\x90\x5a\x47\x00\x00\x0f\x85\x94\x20\xe1\xff"
        "\x8b\x44\x24\x14\x48\x81\xc4\xd8\x00\x00\x00\x5b\x5d\x41\x5c\x41\x5d\x41\x5e\x41\x5f\xc3\x48\x89\xef";
    static const unsigned char of_library[] =
        "\x85\xc0\x79\x07\xc7\x04\x24\x78\x00\x00\x00\xe8\x6b\x5c\xe2\xff\x8b\x38\x8b\x04\x24\x85\xff\x75\x34"
        "\x48\x81\xc4\xa8\x00\x00\x00\x5b\x5d\xc3";
    unsigned char of_debian_14[] =
        "\x83\xc0\x01\x0f\x84\x10\x08\x00\x00\xe8\xec\xa4\xfa\xff\x83\x3d\x3d\xdb\x45\x00\x00\x0f\x85\xc6\xe2\xd4\xff"
        "\x8b\x44\x24\x38\x48\x8b\x9c\x24\x08\x01\x00\x00\x48\x8b\xac\x24\x10\x01\x00\x00\x48\x81\xc4\x38\x01\x00\x00"
        "\xc3";
    uint32_t offset = 77;
    cr_assert(python_find_returned(EM_X86_64, of_debian, sizeof of_debian, &offset));
    cr_expect_eq(offset, 0x14);
    cr_assert(python_find_returned(EM_X86_64, of_debian_14, sizeof of_debian_14 - 1, &offset));
    cr_expect_eq(offset, 0x38);
    for (size_t bytes = 0; bytes < sizeof of_debian_14 - 1; bytes++)
        cr_expect_not(python_find_returned(EM_X86_64, of_debian_14, bytes, &offset), "%zu bytes", bytes);
    of_debian_14[33] = 0x84; /* not %rbx but %rax: the result is another one */
    cr_assert(python_find_returned(EM_X86_64, of_debian_14, sizeof of_debian_14 - 1, &offset));
    cr_expect_eq(offset, 0x108);
    of_debian_14[32] = 0x89; /* a store */
    cr_expect_not(python_find_returned(EM_X86_64, of_debian_14, sizeof of_debian_14 - 1, &offset));
    cr_assert(python_find_returned(EM_X86_64, of_library, sizeof of_library, &offset));
    cr_expect_eq(offset, 0);
    for (size_t bytes = 0; bytes < sizeof of_debian - 5; bytes++) /* up to where the return begins */
        cr_expect_not(python_find_returned(EM_X86_64, of_debian, bytes < 49 ? bytes : 48, &offset), "%zu bytes", bytes);
    static const unsigned char another[] = "\x85\xc0\x89\xd8\x5b\x5d\xc3\x90\x90\x90\x90";
    cr_expect_not(python_find_returned(EM_X86_64, another, sizeof another, &offset));
}

/* Debian's 3.11 for arm64 ends the function so. */
Test(python_exit, code_that_returns_on_arm64)
{
    static const unsigned char code[] =
        "\x80\x1d\xf8\x37\x17\x3f\xff\x97\xc0\x24\x00\xb0\x00\x80\x43\xb9\xe0\x1e\x00\x35\xf3\x53\x41\xa9"
        "\xf5\x5b\x42\xa9\xe0\x47\x40\xb9\xfd\x7b\xcf\xa8\xc0\x03\x5f\xd6\xe0\x03\x14\xaa";
    uint32_t offset = 77;
    cr_assert(python_find_returned(EM_AARCH64, code, sizeof code - 1, &offset));
    cr_expect_eq(offset, 68);
    for (size_t bytes = 0; bytes < 40; bytes++) /* up to the end of the return */
        cr_expect_not(python_find_returned(EM_AARCH64, code, bytes, &offset), "%zu bytes", bytes);
    cr_expect_not(python_find_returned(EM_X86_64, code, sizeof code - 1, &offset));
    cr_expect_not(python_find_returned(EM_PPC64, code, sizeof code - 1, &offset));
}
