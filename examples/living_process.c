/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The callbacks: memory by process_vm_readv, symbols by libdw of elfutils.
 */
#include "living_process.h"

#include <elfutils/libdwfl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

bool living_process_open(pid_t pid, struct mqs_process_ *ret_process)
{
    *ret_process = (struct mqs_process_){.image.pid = pid};
    return kill(pid, 0) == 0;
}

/* --- where the library keeps what it knows --- */

static void put_image_information(mqs_image *image, mqs_image_info *information)
{
    image->information = information;
}

static mqs_image_info *get_image_information(mqs_image *image)
{
    return image->information;
}

static void put_process_information(mqs_process *process, mqs_process_info *information)
{
    process->information = information;
}

static mqs_process_info *get_process_information(mqs_process *process)
{
    return process->information;
}

const mqs_basic_callbacks living_basic_callbacks = {
    .mqs_malloc_fp = malloc,
    .mqs_free_fp = free,
    .mqs_put_image_info_fp = put_image_information,
    .mqs_get_image_info_fp = get_image_information,
    .mqs_put_process_info_fp = put_process_information,
    .mqs_get_process_info_fp = get_process_information,
};

/* --- the image: symbols and types --- */

/* Sizes of this host: a debugger that reads 32-bit processes, too, looks which this one is. */
static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *ret_sizes)
{
    (void)process;
    *ret_sizes = (mqs_target_type_sizes){.short_size = sizeof(short),
                                         .int_size = sizeof(int),
                                         .long_size = sizeof(long),
                                         .long_long_size = sizeof(long long),
                                         .pointer_size = sizeof(void *)};
}

struct symbol {
    const char *name;
    mqs_taddr_t address; /* 0: not found yet */
};

/* The program and each of its libraries is a module: the runtime of mpilens is one of the libraries. */
static int look_into_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start, void *wanted)
{
    (void)data;
    (void)name;
    (void)start;
    struct symbol *symbol = wanted;
    const int count = dwfl_module_getsymtab(module);
    for (int i = 0; i < count; i++) {
        GElf_Sym entry;
        GElf_Addr address;
        const char *found = dwfl_module_getsym_info(module, i, &entry, &address, NULL, NULL, NULL);
        if (found != NULL && entry.st_shndx != SHN_UNDEF && strcmp(found, symbol->name) == 0) {
            symbol->address = (mqs_taddr_t)address;
            return DWARF_CB_ABORT; /* no need to look further */
        }
    }
    return DWARF_CB_OK;
}

/* All symbols are in .dynsym, so no debug information is needed. */
static int no_debug_information(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                                const char *link, GElf_Word checksum, char **ret_file)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)checksum, (void)ret_file;
    return -1;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = no_debug_information};
    struct symbol symbol = {.name = name};
    Dwfl *modules = dwfl_begin(&callbacks);
    if (modules != NULL && dwfl_linux_proc_report(modules, image->pid) == 0 &&
        dwfl_report_end(modules, NULL, NULL) == 0)
        dwfl_getmodules(modules, look_into_module, &symbol, 0);
    dwfl_end(modules);
    if (symbol.address == 0)
        return mqs_no_information;
    *ret_address = symbol.address;
    return mqs_ok;
}

static int find_function(mqs_image *image, char *name, mqs_lang_code language, mqs_taddr_t *ret_address)
{
    (void)language;
    return find_symbol(image, name, ret_address);
}

/* libmpilens_dll.so asks for no types: the runtime says in memory what it keeps and how. The library of an MPI does; a
 * debugger has the answers in the debug information of the process. */
static mqs_type *find_type(mqs_image *image, char *name, mqs_lang_code language)
{
    (void)image;
    (void)name;
    (void)language;
    return NULL;
}

static int field_offset(mqs_type *type, char *field)
{
    (void)type;
    (void)field;
    return -1;
}

static int size_of(mqs_type *type)
{
    (void)type;
    return -1;
}

const mqs_image_callbacks living_image_callbacks = {
    .mqs_get_type_sizes_fp = get_type_sizes,
    .mqs_find_function_fp = find_function,
    .mqs_find_symbol_fp = find_symbol,
    .mqs_find_type_fp = find_type,
    .mqs_field_offset_fp = field_offset,
    .mqs_sizeof_fp = size_of,
};

/* --- the process: its memory --- */

/* A debugger that has started the job may know it. */
static int get_global_rank(mqs_process *process)
{
    (void)process;
    return MQS_INVALID_PROCESS;
}

static mqs_image *get_image(mqs_process *process)
{
    return &process->image;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_data)
{
    const struct iovec here = {.iov_base = ret_data, .iov_len = (size_t)bytes};
    const struct iovec there = {.iov_base = (void *)address, .iov_len = (size_t)bytes};
    return process_vm_readv(process->image.pid, &here, 1, &there, 1, 0) == bytes ? mqs_ok : mqs_no_information;
}

/* The byte order is this host's. */
static void target_to_host(mqs_process *process, const void *in, void *ret_out, int bytes)
{
    (void)process;
    memmove(ret_out, in, (size_t)bytes);
}

const mqs_process_callbacks living_process_callbacks = {
    .mqs_get_global_rank_fp = get_global_rank,
    .mqs_get_image_fp = get_image,
    .mqs_fetch_data_fp = fetch_data,
    .mqs_target_to_host_fp = target_to_host,
};
