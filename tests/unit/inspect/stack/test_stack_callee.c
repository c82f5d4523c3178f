/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that calls enter, by the code of x86-64 and of arm64, which this process has as data.
 */
#include "stack/stack_internal.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>
#include <unistd.h>

static struct target *target;
/* As linkers make it: code, and in the next page the table of addresses of functions. */
static _Alignas(4096) unsigned char memory[2 * 4096];

static uint64_t address_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

static void begin(void)
{
    struct reason reason;
    cr_assert_eq(target_open_process(getpid(), &target, &reason), 0, "%s", reason.text);
}

static void end(void)
{
    target_close(target);
}

TestSuite(stack_callee, .init = begin, .fini = end);

static void put(size_t offset, const uint32_t *instructions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t byte = 0; byte < 4; byte++)
            memory[offset + 4 * i + byte] = (unsigned char)(instructions[i] >> 8 * byte);
}

static const uint64_t function = 0x123456789abcdef0;
enum { TABLE = 4096 + 0x58, STUB = 0x200, CALLER = 0x100 };

/* From a program that Debian 12's gcc has linked for arm64, but for the distances. */
static void put_arm(bool has_landing)
{
    static const uint32_t call[] = {0x94000000 + (STUB - CALLER) / 4};
    static const uint32_t landing[] = {0xd503245f};
    static const uint32_t stub[] = {0xb0000010, 0xf9402e11, 0x91016210, 0xd61f0220};
    memset(memory, 0, sizeof memory);
    put(CALLER, call, 1);
    if (has_landing)
        put(STUB, landing, 1);
    put(STUB + (has_landing ? 4 : 0), stub, 4);
    memcpy(&memory[TABLE], &function, sizeof function);
}

Test(stack_callee, of_arm_through_the_table_of_the_linker)
{
    const uint64_t behind = address_of(&memory[CALLER + 4]);
    for (int i = 0; i < 2; i++) {
        put_arm(i == 1);
        cr_expect_eq(stack_decode_call(target, EM_AARCH64, behind), function);
    }
    cr_expect_eq(stack_decode_call(target, EM_X86_64, behind), 0);
    cr_expect_eq(stack_decode_call(target, EM_PPC64, behind), 0);
}

Test(stack_callee, of_arm_directly_backwards_and_through_a_pointer)
{
    static const uint32_t back[] = {0x97fffff0}; /* bl, 16 instructions back */
    static const uint32_t through[] = {0xd63f0020};
    memset(memory, 0, sizeof memory);
    put(CALLER, back, 1);
    cr_expect_eq(stack_decode_call(target, EM_AARCH64, address_of(&memory[CALLER + 4])),
                 address_of(&memory[CALLER - 64]));
    put(CALLER, through, 1);
    cr_expect_eq(stack_decode_call(target, EM_AARCH64, address_of(&memory[CALLER + 4])), 0);
    cr_expect_eq(stack_decode_call(target, EM_AARCH64, 4), 0, "no memory");
}

Test(stack_callee, of_x86_through_the_table_of_the_linker)
{
    static const unsigned char stub[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25};
    const int32_t distance = STUB - (CALLER + 5), to_table = TABLE - (STUB + (int)sizeof stub + 4);
    memset(memory, 0, sizeof memory);
    memory[CALLER] = 0xe8;
    memcpy(&memory[CALLER + 1], &distance, sizeof distance);
    memcpy(&memory[STUB], stub, sizeof stub);
    memcpy(&memory[STUB + sizeof stub], &to_table, sizeof to_table);
    memcpy(&memory[TABLE], &function, sizeof function);
    cr_expect_eq(stack_decode_call(target, EM_X86_64, address_of(&memory[CALLER + 5])), function);
}
