/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the system call of a thread: in /proc of living threads, in the registers of dead ones.
 */
#include "stack/stack.h"

#include "base/base.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <gelf.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

/* Numbers and registers mean something where the target is of this machine. */
static bool is_of_this_machine(const struct target *target)
{
    return target->pointer_bytes == (int)sizeof(void *) && !target->other_byte_order;
}

static bool read_numbers(const char *text, struct system_call *ret_call)
{
    char *end;
    struct system_call call = {.is_known = true, .number = strtoll(text, &end, 10)};
    if (end == text) /* "running" */
        return false;
    for (size_t i = 0; call.number >= 0 && i < sizeof call.arguments / sizeof *call.arguments; i++) {
        const char *begin = end;
        call.arguments[i] = strtoull(begin, &end, 16);
        if (end == begin)
            return false;
    }
    *ret_call = call;
    return true;
}

#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
enum { THIS_MACHINE = EM_X86_64 };
#else
enum { THIS_MACHINE = EM_AARCH64 };
#endif

#if defined(__aarch64__)
enum { SUPERVISOR_CALL_BYTES = 4 };

/* `held`: a thread that this one holds, or 0. A process whose main thread has ended gives its memory only through such
 * a thread. */
static bool peek_instruction(struct target *target, pid_t held, uint64_t address, uint8_t *ret_bytes)
{
    if (target_peek(target, address, ret_bytes, SUPERVISOR_CALL_BYTES))
        return true;
    if (held == 0)
        return false;
    blocked_read_begin(target->pid);
    errno = 0;
    const long word = ptrace(PTRACE_PEEKTEXT, held, (void *)(uintptr_t)address, NULL);
    const bool is_read = errno == 0;
    blocked_read_end();
    memcpy(ret_bytes, &word, SUPERVISOR_CALL_BYTES);
    return is_read;
}

static bool is_supervisor_call(struct target *target, pid_t held, uint64_t address)
{
    static const uint8_t supervisor_call[SUPERVISOR_CALL_BYTES] = {0x01, 0x00, 0x00, 0xd4};
    uint8_t instruction[SUPERVISOR_CALL_BYTES];
    return peek_instruction(target, held, address, instruction) &&
           memcmp(instruction, supervisor_call, sizeof instruction) == 0;
}
#endif

static bool is_core_of_this_machine(const struct target *target)
{
    GElf_Ehdr header;
    return gelf_getehdr(target->core, &header) != NULL && header.e_machine == THIS_MACHINE &&
           is_of_this_machine(target);
}

static struct system_call system_call_in_registers(struct target *target, pid_t held,
                                                   const struct user_regs_struct *registers)
{
#if defined(__aarch64__)
    /* Behind the call, where its first argument may have become its result; or before it: a signal or a tracer has
     * taken the thread out of a call that begins anew. */
    if (!is_supervisor_call(target, held, registers->pc) &&
        !is_supervisor_call(target, held, registers->pc - SUPERVISOR_CALL_BYTES))
        return (struct system_call){0};
    return (struct system_call){.is_known = true,
                                .number = (int64_t)registers->regs[8],
                                .arguments = {registers->regs[0], registers->regs[1], registers->regs[2],
                                              registers->regs[3], registers->regs[4], registers->regs[5]}};
#else
    (void)target;
    (void)held;
    return (struct system_call){
        .is_known = true,
        .number = (int64_t)registers->orig_rax,
        .arguments = {registers->rdi, registers->rsi, registers->rdx, registers->r10, registers->r8, registers->r9}};
#endif
}

struct system_call system_call_in_core(struct target *target, pid_t thread)
{
    size_t count = 0;
    if (!is_core_of_this_machine(target) || elf_getphdrnum(target->core, &count) != 0)
        return (struct system_call){0};
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        GElf_Nhdr note;
        size_t name, content;
        struct elf_prstatus status;
        if (gelf_getphdr(target->core, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(target->core, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &content)) > 0;) {
            if (note.n_type != NT_PRSTATUS || note.n_descsz < sizeof status)
                continue;
            memcpy(&status, (const char *)data->d_buf + content, sizeof status);
            if (status.pr_pid != thread)
                continue;
            struct user_regs_struct registers;
            _Static_assert(sizeof registers == sizeof status.pr_reg, "cores have the registers as ptrace gives them");
            memcpy(&registers, status.pr_reg, sizeof registers);
            return system_call_in_registers(target, 0, &registers);
        }
    }
    return (struct system_call){0};
}
#else
struct system_call system_call_in_core(struct target *target, pid_t thread)
{
    (void)target;
    (void)thread;
    return (struct system_call){0}; /* other machines' registers do not tell whether they belong to a call */
}
#endif

#if defined(__aarch64__)
/* The kernel says that a thread is in no call while this one holds it. */
static void look_into_held(struct target *target, pid_t thread, struct system_call *call)
{
    struct user_regs_struct registers;
    struct iovec part = {.iov_base = &registers, .iov_len = sizeof registers};
    if (ptrace(PTRACE_GETREGSET, thread, (void *)(intptr_t)NT_PRSTATUS, &part) != 0)
        return;
    const struct system_call held = system_call_in_registers(target, thread, &registers);
    *call = held.is_known ? held : *call;
}
#endif

struct word {
    uint64_t address;
    bool is_shared;
};

static void look_at_mapping(void *context, const struct mapping *mapping)
{
    struct word *word = context;
    if (word->address >= mapping->start && word->address < mapping->end && strchr(mapping->permissions, 's') != NULL)
        word->is_shared = true;
}

/* pthread_join() waits for a shared futex: only such a one is woken by the kernel when a thread ends. */
static bool is_unshared_wait(const char *proc, pid_t pid, const struct system_call *call)
{
    struct word word = {.address = call->arguments[0]};
    return is_endless_futex_wait(call) && !is_private_futex(call) &&
           process_maps_visit(proc, pid, look_at_mapping, &word) == 0 && !word.is_shared;
}

struct system_call system_call_of_thread(const char *proc, struct target *target, pid_t thread)
{
    struct system_call call = {0};
    char file[64];
    size_t bytes;
    if (!is_of_this_machine(target))
        return call;
    snprintf(file, sizeof file, "task/%ld/syscall", (long)thread);
    char *text = read_process_file(proc, target->pid, file, &bytes);
    if (text != NULL)
        read_numbers(text, &call);
    free(text);
#if defined(__aarch64__)
    if (call.is_known && call.number < 0)
        look_into_held(target, thread, &call);
#endif
    call.is_unshared = is_unshared_wait(proc, target->pid, &call);
    return call;
}

bool is_endless_futex_wait(const struct system_call *system_call)
{
    if (!system_call->is_known || system_call->number != SYS_futex)
        return false;
    switch ((int)system_call->arguments[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
        return system_call->arguments[3] == 0;
    default:
        return false;
    }
}

bool is_private_futex(const struct system_call *system_call)
{
    return system_call->is_unshared || (system_call->arguments[1] & FUTEX_PRIVATE_FLAG) != 0;
}
