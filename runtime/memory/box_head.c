/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the head of the black box. Growing parts are written before their byte counts.
 */
#include "memory/memory.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Nhdr note_header;
#else
typedef Elf32_Nhdr note_header;
#endif

struct note {
    note_header header;
    char name[sizeof MPILENS_BOX_NAME];
};

_Static_assert(sizeof(struct note) % 4 == 0, "what follows a note's name is aligned");
_Static_assert(sizeof(ElfW(Ehdr)) + BOX_SEGMENTS * sizeof(ElfW(Phdr)) <= BOX_NOTES_OFFSET, "segments end before notes");

struct head {
    ElfW(Ehdr) elf;
    ElfW(Phdr) segments[BOX_SEGMENTS]; /* the first: notes */
};

struct notes {
    uint32_t gap; /* so that nothing is padded behind the first note's header */
    struct note of_process;
    struct mpilens_box_process process;
    struct note of_modules;
    char modules[];
};

enum { NOTES_GAP = offsetof(struct notes, of_process) };

_Static_assert(offsetof(struct notes, process) == NOTES_GAP + sizeof(struct note), "notes have no gaps");
enum { NOTES_BYTES = offsetof(struct notes, modules) };
_Static_assert(BOX_NOTES_OFFSET + NOTES_BYTES <= BOX_FIRST_BYTES, "there is room for it from the beginning");

static struct notes *notes_of(void *head)
{
    return (struct notes *)((char *)head + BOX_NOTES_OFFSET);
}

static void write_note(struct note *note, uint32_t type, size_t bytes)
{
    note->header.n_namesz = sizeof note->name;
    note->header.n_descsz = (ElfW(Word))bytes;
    note->header.n_type = type;
    memcpy(note->name, MPILENS_BOX_NAME, sizeof note->name);
}

static ElfW(Half) own_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__i386__)
    return EM_386;
#elif defined(__aarch64__)
    return EM_AARCH64;
#elif defined(__powerpc64__)
    return EM_PPC64;
#elif defined(__s390x__)
    return EM_S390;
#elif defined(__riscv)
    return EM_RISCV;
#else
    return EM_NONE;
#endif
}

void box_head_write(void *memory, const struct mpilens_box_process *process)
{
    struct head *head = memory;
    struct notes *notes = notes_of(memory);
    write_note(&notes->of_process, MPILENS_BOX_PROCESS, sizeof notes->process);
    notes->process = *process;
    write_note(&notes->of_modules, MPILENS_BOX_MODULES, 0);
    head->segments[0] = (ElfW(Phdr)){.p_type = PT_NOTE,
                                     .p_offset = BOX_NOTES_OFFSET + NOTES_GAP,
                                     .p_filesz = NOTES_BYTES - NOTES_GAP,
                                     .p_flags = PF_R,
                                     .p_align = 4};
    head->elf = (ElfW(Ehdr)){.e_type = ET_CORE,
                             .e_machine = own_machine(),
                             .e_version = EV_CURRENT,
                             .e_phoff = offsetof(struct head, segments),
                             .e_ehsize = sizeof head->elf,
                             .e_phentsize = sizeof head->segments[0],
                             .e_phnum = BOX_SEGMENTS};
    head->elf.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    head->elf.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    head->elf.e_ident[EI_VERSION] = EV_CURRENT;
    PUBLISH_BARRIER();
    memcpy(head->elf.e_ident, ELFMAG, SELFMAG);
}

bool box_head_add_segment(void *memory, const void *address, uint64_t offset, size_t bytes)
{
    struct head *head = memory;
    size_t place = 1;
    while (place < BOX_SEGMENTS && head->segments[place].p_type != PT_NULL)
        place++;
    if (place == BOX_SEGMENTS)
        return false;
    head->segments[place] = (ElfW(Phdr)){.p_offset = offset,
                                         .p_vaddr = (ElfW(Addr))address,
                                         .p_filesz = bytes,
                                         .p_memsz = bytes,
                                         .p_flags = PF_R | PF_W,
                                         .p_align = 1};
    PUBLISH_BARRIER();
    __atomic_store_n(&head->segments[place].p_type, PT_LOAD, __ATOMIC_RELEASE);
    return true;
}

void box_head_resize_segment(void *memory, const void *address, size_t bytes)
{
    struct head *head = memory;
    for (size_t i = 1; i < BOX_SEGMENTS; i++)
        if (head->segments[i].p_type == PT_LOAD && head->segments[i].p_vaddr == (ElfW(Addr))address) {
            head->segments[i].p_memsz = bytes;
            __atomic_store_n(&head->segments[i].p_filesz, bytes, __ATOMIC_RELEASE);
        }
}

bool box_head_find_first(int file, uint64_t *ret_offset)
{
    struct head head;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head.elf.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.segments[1].p_type != PT_LOAD)
        return false;
    *ret_offset = head.segments[1].p_offset;
    return true;
}

static size_t modules_bytes(const void *memory)
{
    return notes_of((void *)(uintptr_t)memory)->of_modules.header.n_descsz;
}

size_t box_head_bytes(const void *memory)
{
    return BOX_NOTES_OFFSET + NOTES_BYTES + modules_bytes(memory);
}

bool box_head_add_module(void *memory, size_t room, const struct mpilens_box_module *module, const char *path)
{
    struct head *head = memory;
    struct notes *notes = notes_of(memory);
    const size_t before = modules_bytes(memory);
    struct mpilens_box_module written = *module;
    const size_t bytes = (sizeof written + strlen(path) + 1 + 7) / 8 * 8;
    if (box_head_bytes(memory) + bytes > room)
        return false;
    written.bytes = (uint32_t)bytes;
    memcpy(notes->modules + before, &written, sizeof written);
    memcpy(notes->modules + before + sizeof written, path, strlen(path) + 1);
    PUBLISH_BARRIER();
    __atomic_store_n(&notes->of_modules.header.n_descsz, (ElfW(Word))(before + bytes), __ATOMIC_RELEASE);
    __atomic_store_n(&head->segments[0].p_filesz, NOTES_BYTES - NOTES_GAP + before + bytes, __ATOMIC_RELEASE);
    return true;
}

bool box_head_has_module(const void *memory, uint64_t start, const char *path)
{
    const struct notes *notes = notes_of((void *)(uintptr_t)memory);
    bool has = false;
    for (size_t at = 0; at < modules_bytes(memory);) {
        struct mpilens_box_module module;
        memcpy(&module, notes->modules + at, sizeof module);
        if (module.start == start)
            has = strcmp(notes->modules + at + sizeof module, path) == 0;
        at += module.bytes;
    }
    return has;
}
