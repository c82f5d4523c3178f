/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of a whole job that knows the DLL only by declarations of its own: it sets up all processes, living ones
 * or core files, and prints the third queue of each.
 *
 *     job_debugger LIBRARY PID-OR-CORE...
 *     process 1
 *     queue MPI_COMM_WORLD
 *     message 0 0 42 12             sender in the communicator and in MPI_COMM_WORLD, tag, bytes; -1: not known
 *     text MPI_Send, blocking
 */
#include "declarations_mqs.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int status;
    mqs_tword_t desired_local_rank;
    mqs_tword_t desired_global_rank;
    int tag_wild;
    mqs_tword_t desired_tag;
    mqs_tword_t desired_length;
    int system_buffer;
    mqs_taddr_t buffer;
    mqs_tword_t actual_local_rank;
    mqs_tword_t actual_global_rank;
    mqs_tword_t actual_tag;
    mqs_tword_t actual_length;
    char extra_text[5][64];
} mqs_pending_operation;

struct mqs_image_ {
    mqs_image_info *info;
    Dwfl *modules;
};

struct mqs_process_ {
    mqs_process_info *info;
    mqs_image image;
    Elf *core; /* NULL: it lives, and `memory` is its memory */
    int memory;
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    image->info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return image->info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    process->info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return process->info;
}

struct symbol {
    char *name;
    mqs_taddr_t address;
};

static int look_into(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start, void *wanted)
{
    (void)data, (void)name, (void)start;
    struct symbol *symbol = wanted;
    const int count = dwfl_module_getsymtab(module);
    for (int i = 0; i < count; i++) {
        GElf_Sym entry;
        GElf_Addr address;
        const char *found = dwfl_module_getsym_info(module, i, &entry, &address, NULL, NULL, NULL);
        if (found != NULL && entry.st_shndx != SHN_UNDEF && strcmp(found, symbol->name) == 0) {
            symbol->address = (mqs_taddr_t)address;
            return DWARF_CB_ABORT;
        }
    }
    return DWARF_CB_OK;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is a callback */
static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    struct symbol symbol = {.name = name};
    dwfl_getmodules(image->modules, look_into, &symbol, 0);
    *ret_address = symbol.address;
    return symbol.address != 0 ? 0 : 1;
}

static mqs_image *get_image(mqs_process *process)
{
    return &process->image;
}

struct mapped_range {
    uint64_t begin, end, page; /* addresses; where the file's part begins, in pages */
};

/* Reads the file that was mapped at the address, by its name in the note NT_FILE: {count, bytes of a page, ranges,
 * names}. */
static int fetch_from_mapped_file(const char *note, mqs_taddr_t address, size_t bytes, void *ret_bytes)
{
    uint64_t head[2];
    memcpy(head, note, sizeof head);
    const struct mapped_range *ranges = (const struct mapped_range *)(const void *)(note + sizeof head);
    const char *name = (const char *)(ranges + head[0]);
    for (uint64_t i = 0; i < head[0]; i++, name += strlen(name) + 1) {
        if (address < ranges[i].begin || address + bytes > ranges[i].end)
            continue;
        const int file = open(name, O_RDONLY | O_CLOEXEC);
        const ssize_t count =
            pread(file, ret_bytes, bytes, (off_t)(ranges[i].page * head[1] + address - ranges[i].begin));
        close(file);
        return count == (ssize_t)bytes ? 0 : 1;
    }
    return 1;
}

static int fetch_from_files(Elf *core, mqs_taddr_t address, size_t bytes, void *ret_bytes)
{
    GElf_Phdr segment;
    size_t count = 0;
    elf_getphdrnum(core, &count);
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(core, (int)i, &segment) == NULL || segment.p_type != PT_NOTE)
            continue;
        Elf_Data *notes = elf_getdata_rawchunk(core, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_NHDR);
        GElf_Nhdr note;
        size_t name, content;
        for (size_t at = 0; notes != NULL && (at = gelf_getnote(notes, at, &note, &name, &content)) > 0;)
            if (note.n_type == NT_FILE)
                return fetch_from_mapped_file((const char *)notes->d_buf + content, address, bytes, ret_bytes);
    }
    return 1;
}

/* Reads the core file at the address, or, for parts that it leaves out, the file that was mapped there, as gdb does. */
static int fetch_from_core(mqs_process *process, mqs_taddr_t address, size_t bytes, void *ret_bytes)
{
    GElf_Phdr segment;
    size_t count = 0;
    elf_getphdrnum(process->core, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(process->core, (int)i, &segment) != NULL && segment.p_type == PT_LOAD &&
            address >= segment.p_vaddr && address + bytes <= segment.p_vaddr + segment.p_filesz)
            return pread(process->memory, ret_bytes, bytes, (off_t)(segment.p_offset + address - segment.p_vaddr)) ==
                           (ssize_t)bytes
                       ? 0
                       : 1;
    return fetch_from_files(process->core, address, bytes, ret_bytes);
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_bytes)
{
    if (process->core != NULL)
        return fetch_from_core(process, address, (size_t)bytes, ret_bytes);
    return pread(process->memory, ret_bytes, (size_t)bytes, (off_t)address) == bytes ? 0 : 1;
}

static const mqs_basic_callbacks basic_callbacks = {
    malloc, free, NULL, NULL, put_image_info, get_image_info, put_process_info, get_process_info};
static const mqs_image_callbacks image_callbacks = {.find_symbol_fp = find_symbol};
static const mqs_process_callbacks process_callbacks = {.get_image_fp = get_image, .fetch_data_fp = fetch_data};

static int no_debug_information(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                                const char *link, GElf_Word checksum, char **ret_file)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)checksum, (void)ret_file;
    return -1;
}

static void open_target(const char *name, mqs_process *process)
{
    static const Dwfl_Callbacks of_living = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = no_debug_information};
    static const Dwfl_Callbacks of_core = {.find_elf = dwfl_build_id_find_elf, .find_debuginfo = no_debug_information};
    char path[64];
    char *end;
    const long pid = strtol(name, &end, 10);
    const bool is_living = *end == '\0';
    snprintf(path, sizeof path, "/proc/%ld/mem", pid);
    process->memory = open(is_living ? path : name, O_RDONLY | O_CLOEXEC);
    if (process->memory < 0)
        fail(name, "cannot be opened");
    process->image.modules = dwfl_begin(is_living ? &of_living : &of_core);
    if (!is_living)
        process->core = elf_begin(process->memory, ELF_C_READ_MMAP, NULL);
    if (is_living ? dwfl_linux_proc_report(process->image.modules, (pid_t)pid) != 0
                  : dwfl_core_file_report(process->image.modules, process->core, NULL) < 0)
        fail(name, "its modules are not found");
    dwfl_report_end(process->image.modules, NULL, NULL);
}

static void close_target(mqs_process *process)
{
    dwfl_end(process->image.modules);
    if (process->core != NULL)
        elf_end(process->core);
    close(process->memory);
}

static struct {
    void (*setup_basic_callbacks)(const mqs_basic_callbacks *);
    int (*setup_image)(mqs_image *, const mqs_image_callbacks *);
    int (*setup_process)(mqs_process *, const mqs_process_callbacks *);
    int (*update_communicator_list)(mqs_process *);
    int (*setup_communicator_iterator)(mqs_process *);
    int (*get_communicator)(mqs_process *, mqs_communicator *);
    int (*next_communicator)(mqs_process *);
    int (*setup_operation_iterator)(mqs_process *, int);
    int (*next_operation)(mqs_process *, mqs_pending_operation *);
    int (*destroy_process_info)(mqs_process_info *);
    int (*destroy_image_info)(mqs_image_info *);
    char *(*error_string)(int);
} dll;

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(path, dlerror());
#define LOAD(function)                                                                                                 \
    *(void **)&dll.function = dlsym(library, "mqs_" #function);                                                        \
    if (dll.function == NULL)                                                                                          \
        fail(path, "it has no mqs_" #function);
    LOAD(setup_basic_callbacks)
    LOAD(setup_image)
    LOAD(setup_process)
    LOAD(update_communicator_list)
    LOAD(setup_communicator_iterator)
    LOAD(get_communicator)
    LOAD(next_communicator)
    LOAD(setup_operation_iterator)
    LOAD(next_operation)
    LOAD(destroy_process_info)
    LOAD(destroy_image_info)
    *(void **)&dll.error_string = dlsym(library, "mqs_dll_error_string");
}

static void must_be_ok(int code, const char *what)
{
    if (code != 0)
        fail(what, dll.error_string(code));
}

static void print_queue(mqs_process *process)
{
    enum { UNEXPECTED = 2, PENDING = 0 };
    mqs_pending_operation message;
    if (dll.setup_operation_iterator(process, UNEXPECTED) != 0)
        return;
    while (dll.next_operation(process, &message) == 0) {
        if (message.status != PENDING || message.system_buffer != 1)
            fail("message", "it is not pending in a system buffer");
        printf("message %ld %ld %ld %ld\n", message.actual_local_rank, message.actual_global_rank, message.actual_tag,
               message.actual_length);
        for (int i = 0; i < 5 && message.extra_text[i][0] != '\0'; i++)
            printf("text %s\n", message.extra_text[i]);
    }
}

static void print_process(mqs_process *process, int number)
{
    enum { ATTEMPTS = 100 };
    mqs_communicator communicator;
    printf("process %d\n", number);
    int updated = dll.update_communicator_list(process);
    for (int i = 1; i < ATTEMPTS && updated != 0; i++) /* it runs: another moment is better */
        updated = dll.update_communicator_list(process);
    must_be_ok(updated, "update");
    for (int code = dll.setup_communicator_iterator(process); code == 0; code = dll.next_communicator(process)) {
        must_be_ok(dll.get_communicator(process, &communicator), "communicator");
        printf("queue %s\n", communicator.name);
        print_queue(process);
    }
}

int main(int argument_count, char **arguments)
{
    const int count = argument_count - 2;
    if (count < 1)
        fail("usage", "job_debugger LIBRARY PID-OR-CORE...");
    elf_version(EV_CURRENT);
    load(arguments[1]);
    dll.setup_basic_callbacks(&basic_callbacks);
    mqs_process *processes = calloc((size_t)count, sizeof *processes);
    if (processes == NULL)
        fail("memory", "there is none");
    for (int i = 0; i < count; i++) {
        open_target(arguments[2 + i], &processes[i]);
        must_be_ok(dll.setup_image(&processes[i].image, &image_callbacks), "image");
        must_be_ok(dll.setup_process(&processes[i], &process_callbacks), "process");
    }
    for (int i = 0; i < count; i++)
        print_process(&processes[i], i);
    for (int i = 0; i < count; i++) {
        dll.destroy_process_info(processes[i].info);
        dll.destroy_image_info(processes[i].image.info);
        close_target(&processes[i]);
    }
    free(processes);
    return 0;
}
