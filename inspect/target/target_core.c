/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A core file: memory from its segments and, for what a core leaves out because it is the same on disk, from the files
 * that were mapped.
 */
#include "target/target_core.h"

#include "base/allocation.h"
#include "base/interruption.h"
#include "base/regular_file.h"
#include "debug/debug_file.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_file_at(int file, void *bytes, size_t count, uint64_t offset)
{
    for (size_t done = 0; done < count;) {
        const ssize_t part = pread(file, (char *)bytes + done, count - done, (off_t)(offset + done));
        if (part <= 0)
            return false;
        done += (size_t)part;
    }
    return true;
}

/* How many of the bytes at `address` this delivers, from the file of the module that was mapped there. */
static size_t read_module(struct target *target, uint64_t address, char *bytes, size_t count)
{
    Dwfl_Module *module = dwfl_addrmodule(target->dwfl, address);
    GElf_Addr bias = 0;
    Elf *elf = module != NULL ? dwfl_module_getelf(module, &bias) : NULL;
    size_t header_count = 0;
    if (elf == NULL || elf_getphdrnum(elf, &header_count) != 0)
        return 0;
    size_t file_bytes = 0;
    const char *file = elf_rawfile(elf, &file_bytes);
    const uint64_t inside = address - bias;
    for (size_t i = 0; file != NULL && i < header_count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) == NULL || header.p_type != PT_LOAD || inside < header.p_vaddr ||
            inside - header.p_vaddr >= header.p_filesz || header.p_offset > file_bytes ||
            header.p_filesz > file_bytes - header.p_offset)
            continue;
        const uint64_t start = inside - header.p_vaddr;
        const size_t part = count < header.p_filesz - start ? count : (size_t)(header.p_filesz - start);
        memcpy(bytes, file + header.p_offset + start, part);
        return part;
    }
    return 0;
}

static size_t read_segment(struct target *target, uint64_t address, char *bytes, size_t count)
{
    for (size_t i = 0; i < target->segment_count; i++) {
        const struct core_segment *segment = &target->segments[i];
        if (address < segment->address || address - segment->address >= segment->bytes)
            continue;
        const uint64_t start = address - segment->address;
        const size_t part = count < segment->bytes - start ? count : (size_t)(segment->bytes - start);
        return read_file_at(target->core_file, bytes, part, segment->offset + start) ? part : 0;
    }
    return 0;
}

static int read_core(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        size_t part = read_segment(target, address + done, (char *)ret_bytes + done, count - done);
        if (part == 0)
            part = read_module(target, address + done, (char *)ret_bytes + done, count - done);
        if (part == 0)
            return EFAULT;
        done += part;
    }
    return 0;
}

static void close_core(struct target *target)
{
    if (target->core != NULL)
        elf_end(target->core);
    if (target->core_file >= 0)
        close(target->core_file);
    free(target->segments);
    free(target->core_path);
}

static const struct target_kind core_kind = {.read = read_core, .close = close_core};

static int collect_segments(struct target *target, struct reason *ret_reason)
{
    GElf_Ehdr header;
    size_t count = 0;
    if (elf_kind(target->core) != ELF_K_ELF || gelf_getehdr(target->core, &header) == NULL ||
        elf_getphdrnum(target->core, &count) != 0)
        return reason_set(ret_reason, "%s is not a core file", target->core_path);
    if (header.e_type != ET_CORE)
        return reason_set(ret_reason, "%s is not a core file, but another kind of ELF file", target->core_path);
    target_take_identification(target, header.e_ident);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(target->core, (int)i, &segment) == NULL || segment.p_type != PT_LOAD || segment.p_filesz == 0)
            continue;
        target->segments = array_append(target->segments, &target->segment_count, sizeof *target->segments);
        target->segments[target->segment_count - 1] =
            (struct core_segment){.address = segment.p_vaddr, .bytes = segment.p_filesz, .offset = segment.p_offset};
    }
    return 0;
}

/* NT_FILE: count, page size, count times {start, end, offset}, then the names, in words of the target. The program is
 * the file that is mapped where AT_ENTRY of the auxiliary vector points into. */
static void find_mapped_file(struct target *target, const char *note, size_t bytes, uint64_t entry)
{
    uint64_t count;
    if (target->pointer_bytes != 8 || target->other_byte_order || bytes < 16)
        return;
    memcpy(&count, note, sizeof count);
    if (count > (bytes - 16) / 24)
        return;
    const char *name = note + 16 + count * 24;
    for (uint64_t i = 0; i < count; i++) {
        const size_t left = (size_t)(note + bytes - name);
        const size_t length = strnlen(name, left);
        if (length == left)
            return;
        uint64_t range[2];
        memcpy(range, note + 16 + i * 24, sizeof range);
        if (range[0] <= entry && entry < range[1] && length < sizeof target->executable) {
            memcpy(target->executable, name, length + 1);
            return;
        }
        name += length + 1;
    }
}

static uint64_t find_entry(const char *note, size_t bytes)
{
    for (size_t at = 0; at + 16 <= bytes; at += 16) {
        uint64_t pair[2];
        memcpy(pair, note + at, sizeof pair);
        if (pair[0] == AT_ENTRY)
            return pair[1];
    }
    return 0;
}

static void read_notes(struct target *target)
{
    size_t count = 0;
    elf_getphdrnum(target->core, &count);
    const char *files = NULL;
    size_t file_bytes = 0;
    uint64_t entry = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(target->core, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(target->core, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
        GElf_Nhdr note;
        size_t name, content;
        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &content)) > 0;) {
            const char *bytes = (const char *)data->d_buf + content;
            prpsinfo_t information;
            if (note.n_type == NT_PRPSINFO && note.n_descsz >= sizeof information && target->pointer_bytes == 8) {
                memcpy(&information, bytes, sizeof information);
                target->pid = information.pr_pid;
            } else if (note.n_type == NT_AUXV && target->pointer_bytes == 8)
                entry = find_entry(bytes, note.n_descsz);
            else if (note.n_type == NT_FILE) {
                files = bytes;
                file_bytes = note.n_descsz;
            }
        }
    }
    if (files != NULL && entry != 0)
        find_mapped_file(target, files, file_bytes, entry);
}

/* libdwfl opens what the core names as programs and libraries, and does without those that it cannot open. */
static int report_modules(struct target *target, const char *executable)
{
    struct interruption interruption;
    interruption_begin(&interruption);
    const int count = dwfl_core_file_report(target->dwfl, target->core, executable);
    interruption_end(&interruption);
    return count;
}

static int open_core(struct target *target, struct reason *ret_reason)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = debug_file_find,
    };
    target->core_file = open(target->core_path, O_RDONLY | O_CLOEXEC);
    struct stat information;
    if (target->core_file < 0 || fstat(target->core_file, &information) != 0)
        return reason_set(ret_reason, "%s: %s", target->core_path, strerror(errno));
    target->core_time = information.st_mtim;
    elf_version(EV_CURRENT);
    target->core = elf_begin(target->core_file, ELF_C_READ_MMAP, NULL);
    if (target->core == NULL)
        return reason_set(ret_reason, "%s is not a core file", target->core_path);
    if (collect_segments(target, ret_reason) != 0)
        return -1;
    read_notes(target);
    target->dwfl = dwfl_begin(&callbacks);
    const int program = regular_file_open(target->executable);
    const char *executable = program >= 0 && debug_file_is_plain(program) ? target->executable : NULL;
    if (program >= 0)
        close(program);
    if (target->dwfl == NULL || report_modules(target, executable) < 0)
        return reason_set(ret_reason, "%s: %s", target->core_path, dwfl_errmsg(-1));
    dwfl_report_end(target->dwfl, NULL, NULL);
    return 0;
}

int target_open_core(const char *path, struct target **ret_target, struct reason *ret_reason)
{
    struct target *target = target_create(&core_kind);
    target->core_path = copy_text(path);
    if (open_core(target, ret_reason) != 0) {
        target_close(target);
        return -1;
    }
    *ret_target = target;
    return 0;
}
