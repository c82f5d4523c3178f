/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A core file: memory from its segments and, for what a core leaves out because it is the same on disk, from the files
 * that were mapped.
 */
#include "target/target.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/black_box.h"
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
        return read_file_at(segment->file, bytes, part, segment->offset + start) ? part : 0;
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
    if (target->box_file >= 0)
        close(target->box_file);
    free(target->segments);
    free(target->core_path);
}

static const struct target_kind core_kind = {.read = read_core, .close = close_core};

/* The root is known without the file of the runtime, which may have been replaced. */
static bool find_box_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    if (strcmp(name, "mpilens_process") != 0)
        return false;
    *ret_address = target->box_root;
    return true;
}

static const struct target_kind box_kind = {.read = read_core, .close = close_core, .find_symbol = find_box_symbol};

static int collect_segments(struct target *target, struct reason *ret_reason)
{
    GElf_Ehdr header;
    size_t count = 0;
    if (elf_kind(target->core) != ELF_K_ELF || gelf_getehdr(target->core, &header) == NULL ||
        elf_getphdrnum(target->core, &count) != 0)
        return reason_set(ret_reason, "%s is neither a core file nor a snapshot", target->core_path);
    if (header.e_type != ET_CORE)
        return reason_set(ret_reason, "%s is a program or a library, not a core file", target->core_path);
    target_take_identification(target, header.e_ident);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(target->core, (int)i, &segment) == NULL || segment.p_type != PT_LOAD || segment.p_filesz == 0)
            continue;
        target->segments = array_append(target->segments, &target->segment_count, sizeof *target->segments);
        target->segments[target->segment_count - 1] = (struct core_segment){.file = target->core_file,
                                                                            .address = segment.p_vaddr,
                                                                            .bytes = segment.p_filesz,
                                                                            .offset = segment.p_offset};
    }
    return 0;
}

/* Whether that file is the black box of the process. */
static bool open_own_box(struct target *target, const char *path)
{
    const size_t length = strlen(path), suffix = strlen(MPILENS_BOX_SUFFIX);
    struct mpilens_box_process process;
    if (length < suffix || strcmp(path + length - suffix, MPILENS_BOX_SUFFIX) != 0)
        return false;
    if (target->box_file < 0 && black_box_identify_file(path, &process) && (pid_t)process.pid == target->pid)
        target->box_file = regular_file_open(path);
    target->has_lost_box = target->box_file < 0;
    return target->box_file >= 0;
}

static void add_box_segment(struct target *target, uint64_t start, uint64_t end, uint64_t offset)
{
    target->segments = array_append(target->segments, &target->segment_count, sizeof *target->segments);
    target->segments[target->segment_count - 1] =
        (struct core_segment){.file = target->box_file, .address = start, .bytes = end - start, .offset = offset};
}

/* NT_FILE: count, page size, count times {start, end, offset in pages}, then the names, in words of the target. The
 * program is the file that is mapped where AT_ENTRY of the auxiliary vector points into. The kernel leaves shared
 * mappings out of core files, the tables in a black box among them. */
static void take_mapped_files(struct target *target, const char *note, size_t bytes, uint64_t entry)
{
    uint64_t head[2]; /* count, page size */
    if (target->pointer_bytes != 8 || target->other_byte_order || bytes < sizeof head)
        return;
    memcpy(head, note, sizeof head);
    if (head[0] > (bytes - sizeof head) / 24)
        return;
    const char *name = note + sizeof head + head[0] * 24;
    for (uint64_t i = 0; i < head[0]; i++) {
        const size_t left = (size_t)(note + bytes - name);
        const size_t length = strnlen(name, left);
        if (length == left)
            return;
        uint64_t range[3];
        memcpy(range, note + sizeof head + i * 24, sizeof range);
        if (range[0] <= entry && entry < range[1] && length < sizeof target->executable)
            memcpy(target->executable, name, length + 1);
        else if (range[0] < range[1] && head[1] > 0 && range[2] <= INT64_MAX / head[1] && open_own_box(target, name))
            add_box_segment(target, range[0], range[1], range[2] * head[1]);
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
        take_mapped_files(target, files, file_bytes, entry);
}

/* --- black boxes (mpilens/black_box.h) --- */

/* More modules than this are none of a program. */
enum { MOST_BOX_MODULES = 4096, PAGE_BYTES = 4096 };

static bool is_box(struct target *target)
{
    struct mpilens_box_process process;
    if (!black_box_identify(target->core, &process))
        return false;
    target->kind = &box_kind;
    target->pid = (pid_t)process.pid;
    target->box_root = process.root;
    memcpy(target->box_host, process.host, sizeof target->box_host);
    target->box_is_from_here = black_box_is_from_here(&process);
    target->has_ended = !black_box_is_live(&process);
    target->core_time = (struct timespec){.tv_sec = 0}; /* nobody knows when the process died */
    return true;
}

/* Skips files that are not regular, or packed; libdwfl itself skips files of another build. */
static int find_box_file(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **ret_file_name,
                         Elf **ret_elf)
{
    (void)module;
    (void)user_data;
    (void)base;
    (void)ret_elf;
    const int file = name[0] == '/' ? regular_file_open(name) : -1;
    if (file >= 0 && !debug_file_is_plain(file)) {
        close(file);
        return -1;
    }
    if (file >= 0)
        *ret_file_name = strdup(name);
    return file;
}

/* The program stands first. Of two at one place the later one holds: the notes are read from their end. */
static void report_box_module(struct target *target, const struct mpilens_box_module *noted, const char *path)
{
    const uint64_t start = noted->start & ~(uint64_t)(PAGE_BYTES - 1);
    if (start >= noted->end || dwfl_addrmodule(target->dwfl, start) != NULL)
        return;
    Dwfl_Module *module = dwfl_report_module(target->dwfl, path, start, noted->end);
    if (module != NULL && noted->build_id_bytes > 0 && noted->build_id_bytes <= sizeof noted->build_id)
        dwfl_module_report_build_id(module, noted->build_id, noted->build_id_bytes, 0);
}

/* Only what stands whole in the note. */
static void report_box_modules(struct target *target)
{
    size_t bytes = 0, count = 0, at = 0;
    const char *note = black_box_find_note(target->core, MPILENS_BOX_MODULES, &bytes);
    size_t *places = NULL;
    struct mpilens_box_module module;
    while (note != NULL && count < MOST_BOX_MODULES && bytes - at > sizeof module) {
        memcpy(&module, note + at, sizeof module);
        if (module.bytes <= sizeof module || module.bytes > bytes - at ||
            strnlen(note + at + sizeof module, module.bytes - sizeof module) == module.bytes - sizeof module)
            break;
        places = array_append(places, &count, sizeof *places);
        places[count - 1] = at;
        at += module.bytes;
    }
    const size_t length = count > 0 ? strlen(note + sizeof module) : 0;
    if (count > 0 && length < sizeof target->executable)
        memcpy(target->executable, note + sizeof module, length + 1);
    while (count-- > 0) {
        memcpy(&module, note + places[count], sizeof module);
        report_box_module(target, &module, note + places[count] + sizeof module);
    }
    free(places);
}

/* libdwfl opens what the core names as programs and libraries, and does without those that it cannot open. */
static int report_modules(struct target *target, const char *executable)
{
    struct interruption interruption;
    interruption_begin(&interruption);
    int count = 0;
    if (target->box_root != 0)
        report_box_modules(target);
    else
        count = dwfl_core_file_report(target->dwfl, target->core, executable);
    interruption_end(&interruption);
    return count;
}

static int open_core(struct target *target, struct reason *ret_reason)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = debug_file_find,
    };
    static const Dwfl_Callbacks box_callbacks = {.find_elf = find_box_file, .find_debuginfo = debug_file_find};
    target->core_file = regular_file_open(target->core_path);
    struct stat information;
    if (target->core_file < 0 && errno == 0)
        return reason_set(ret_reason, "%s is neither a core file nor a snapshot", target->core_path);
    if (target->core_file < 0 || fstat(target->core_file, &information) != 0)
        return reason_set(ret_reason, "%s: %s", target->core_path, strerror(errno));
    target->core_time = information.st_mtim;
    elf_version(EV_CURRENT);
    target->core = elf_begin(target->core_file, ELF_C_READ_MMAP, NULL);
    if (target->core == NULL)
        return reason_set(ret_reason, "%s is neither a core file nor a snapshot", target->core_path);
    if (collect_segments(target, ret_reason) != 0)
        return -1;
    if (!is_box(target))
        read_notes(target);
    target->dwfl = dwfl_begin(target->box_root != 0 ? &box_callbacks : &callbacks);
    const int program = regular_file_open(target->executable);
    const char *executable = program >= 0 && debug_file_is_plain(program) ? target->executable : NULL;
    if (program >= 0)
        close(program);
    if (target->dwfl == NULL || report_modules(target, executable) < 0)
        return reason_set(ret_reason, "%s: %s", target->core_path, dwfl_errmsg(-1));
    dwfl_report_end(target->dwfl, NULL, NULL);
    return 0;
}

bool target_core_may_be(const char *path)
{
    Elf64_Ehdr header; /* both classes have the type at the same place */
    const int file = regular_file_open(path);
    if (file < 0)
        return errno != 0;
    const bool is_elf = pread(file, &header, sizeof header, 0) >= (ssize_t)(offsetof(Elf64_Ehdr, e_type) + 2) &&
                        memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
    const unsigned char *type = (const unsigned char *)&header.e_type;
    close(file);
    return is_elf && (header.e_ident[EI_DATA] == ELFDATA2MSB ? type[1] : type[0]) == ET_CORE;
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
