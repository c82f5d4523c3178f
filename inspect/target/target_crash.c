/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads from a core file why it was written.
 */
#include "target/target.h"

#include "target/target_kinds.h"

#include <gelf.h>
#include <signal.h>
#include <string.h>
#include <sys/procfs.h>

/* Notes of the thread that the signal came for, which the kernel writes first. */
struct first_notes {
    bool has_status, has_signal;
    struct elf_prstatus status;
    siginfo_t signal;
};

static void take_note(struct first_notes *notes, const GElf_Nhdr *note, const char *content)
{
    if (note->n_type == NT_PRSTATUS && note->n_descsz >= sizeof notes->status && !notes->has_status) {
        memcpy(&notes->status, content, sizeof notes->status);
        notes->has_status = true;
    } else if (note->n_type == NT_SIGINFO && note->n_descsz >= sizeof notes->signal && !notes->has_signal) {
        memcpy(&notes->signal, content, sizeof notes->signal);
        notes->has_signal = true;
    }
}

static void read_first_notes(const struct target *target, struct first_notes *notes)
{
    size_t count = 0;
    elf_getphdrnum(target->core, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        GElf_Nhdr note;
        size_t name, content;
        if (gelf_getphdr(target->core, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(target->core, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &content)) > 0;)
            take_note(notes, &note, (const char *)data->d_buf + content);
    }
}

/* SIGTRAP is what debuggers leave. */
static bool is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE || number == SIGILL ||
           number == SIGSYS || number == SIGXCPU || number == SIGXFSZ;
}

bool target_find_crash(const struct target *target, struct crash *ret_crash)
{
    struct first_notes notes = {.has_status = false};
    if (target->core == NULL || target->other_byte_order || target->pointer_bytes != (int)sizeof(void *))
        return false;
    read_first_notes(target, &notes);
    if (!notes.has_status || !is_fault(notes.status.pr_cursig))
        return false;
    if (notes.has_signal && notes.signal.si_code == SI_USER && notes.signal.si_pid != target->pid)
        return false;
    *ret_crash = (struct crash){.signal = notes.status.pr_cursig, .thread = notes.status.pr_pid};
    return true;
}
