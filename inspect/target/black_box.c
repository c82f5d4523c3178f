/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the notes of a black box, and the process that it is of.
 */
#include "target/black_box.h"

#include "base/base.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *black_box_find_note(Elf *core, enum mpilens_box_note type, size_t *ret_bytes)
{
    size_t count = 0;
    if (elf_getphdrnum(core, &count) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(core, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(core, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
        GElf_Nhdr note;
        size_t name, content;
        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &content)) > 0;)
            if (note.n_type == (GElf_Word)type && note.n_namesz == sizeof MPILENS_BOX_NAME &&
                memcmp((const char *)data->d_buf + name, MPILENS_BOX_NAME, sizeof MPILENS_BOX_NAME) == 0) {
                *ret_bytes = note.n_descsz;
                return (const char *)data->d_buf + content;
            }
    }
    return NULL;
}

static bool is_of_this_byte_order(Elf *core)
{
    GElf_Ehdr header;
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    return gelf_getehdr(core, &header) != NULL && header.e_type == ET_CORE &&
           header.e_ident[EI_DATA] == (little ? ELFDATA2LSB : ELFDATA2MSB);
}

bool black_box_identify(Elf *core, struct mpilens_box_process *ret_process)
{
    size_t bytes = 0;
    const char *note = is_of_this_byte_order(core) ? black_box_find_note(core, MPILENS_BOX_PROCESS, &bytes) : NULL;
    struct mpilens_box_process process = {.launcher_started = 0};
    if (note == NULL || bytes < offsetof(struct mpilens_box_process, launcher_started)) /* the first ones ended here */
        return false;
    memcpy(&process, note, bytes < sizeof process ? bytes : sizeof process);
    process.boot_id[sizeof process.boot_id - 1] = '\0';
    process.host[sizeof process.host - 1] = '\0';
    process.job_identity[sizeof process.job_identity - 1] = '\0';
    if (process.root == 0)
        return false;
    *ret_process = process;
    return true;
}

bool black_box_identify_file(const char *path, struct mpilens_box_process *ret_process)
{
    const int file = regular_file_open(path);
    if (file < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *core = elf_begin(file, ELF_C_READ, NULL);
    const bool is_box = core != NULL && elf_kind(core) == ELF_K_ELF && black_box_identify(core, ret_process);
    if (core != NULL)
        elf_end(core);
    close(file);
    return is_box;
}

bool black_box_is_from_here(const struct mpilens_box_process *process)
{
    char boot_id[sizeof process->boot_id] = "";
    struct stat namespace;
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, boot_id, sizeof boot_id - 1) : -1;
    if (file >= 0)
        close(file);
    boot_id[count > 0 ? count : 0] = '\0';
    boot_id[strcspn(boot_id, "\n")] = '\0';
    return boot_id[0] != '\0' && strcmp(boot_id, process->boot_id) == 0 && stat("/proc/self/ns/pid", &namespace) == 0 &&
           namespace.st_ino == process->pid_namespace;
}

bool black_box_is_live(const struct mpilens_box_process *process)
{
    return black_box_is_from_here(process) && process_is_alive("/proc", (pid_t)process->pid, process->started);
}
