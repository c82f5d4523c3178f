/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A living process: memory through process_vm_readv or, where the kernel does not offer that, /proc/PID/mem; modules
 * through /proc/PID/maps.
 */
#include "target/target.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int read_memory_file(struct target *target, uint64_t address, char *bytes, size_t count)
{
    if (target->memory_file < 0) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/mem", (long)target->pid);
        target->memory_file = open(path, O_RDONLY | O_CLOEXEC);
        if (target->memory_file < 0)
            return errno == EACCES ? EPERM : errno == ENOENT ? ESRCH : errno;
    }
    for (size_t done = 0; done < count;) {
        const ssize_t part = pread(target->memory_file, bytes + done, count - done, (off_t)(address + done));
        if (part <= 0)
            return part == 0 ? ESRCH : errno == EIO ? EFAULT : errno;
        done += (size_t)part;
    }
    return 0;
}

static int read_memory(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    char *bytes = ret_bytes;
    for (size_t done = 0; done < count && target->memory_file < 0;) {
        const struct iovec local = {.iov_base = bytes + done, .iov_len = count - done};
        const struct iovec remote = {.iov_base = (void *)(uintptr_t)(address + done), .iov_len = count - done};
        const ssize_t part = process_vm_readv(target->pid, &local, 1, &remote, 1, 0);
        if (part < 0 && (errno == ENOSYS || errno == EPERM)) /* EPERM: also from seccomp filters of containers */
            return read_memory_file(target, address, bytes, count);
        if (part <= 0)
            return part == 0 ? EFAULT : errno;
        done += (size_t)part;
        if (done == count)
            return 0;
    }
    return count == 0 ? 0 : read_memory_file(target, address, bytes, count);
}

static int read_live(struct target *target, uint64_t address, void *ret_bytes, size_t count)
{
    blocked_read_begin(target->pid);
    const int error = read_memory(target, address, ret_bytes, count);
    blocked_read_end();
    return error;
}

static void close_live(struct target *target)
{
    if (target->memory_file >= 0)
        close(target->memory_file);
}

static const struct target_kind live_kind = {.is_live = true, .read = read_live, .close = close_live};

/* The file that is mapped at an address, even if its name has another file by now. The kernel gives the program's file
 * to any reader of the process, other files only to root. */
static int open_mapped_file(pid_t pid, const char *name, Dwarf_Addr start)
{
    char path[64], executable[PATH_MAX], line[PATH_MAX + 128];
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
    const ssize_t length = readlink(path, executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    if (strcmp(executable, name) == 0)
        return regular_file_open(path);
    int file = -1;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *maps = fopen(path, "re");
    while (maps != NULL && file < 0 && fgets(line, sizeof line, maps) != NULL) {
        char *end;
        if (strtoull(line, &end, 16) != start || *end != '-')
            continue;
        snprintf(path, sizeof path, "/proc/%ld/map_files/%.*s", (long)pid, (int)strcspn(line, " "), line);
        file = regular_file_open(path);
        break;
    }
    if (maps != NULL)
        fclose(maps);
    return file;
}

/* If the process is gone meanwhile, the file of that name is as good as any. */
static int open_named_file(pid_t pid, const char *name)
{
    char path[PATH_MAX];
    struct stat information;
    const int needed = snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, name);
    const int file = needed < (int)sizeof path ? regular_file_open(path) : -1;
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    return file < 0 && stat(path, &information) != 0 ? regular_file_open(name) : file;
}

static bool is_deleted(const char *name)
{
    static const char suffix[] = " (deleted)";
    const size_t length = strlen(name);
    return length >= strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
}

/* Files of the process are seen as it sees them, also when it runs in a container. Of what cannot be opened any more
 * the callback of libdwfl reads memory, as soon as it may. It opens what it is given, so it gets a name that nobody can
 * make a file of. */
static int find_elf(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base, char **ret_file_name,
                    Elf **ret_elf)
{
    int file = -1;
    if (name[0] != '/')
        return dwfl_linux_proc_find_elf(module, user_data, name, base, ret_file_name, ret_elf);
    if (*user_data != NULL) {
        const pid_t pid = *(const pid_t *)*user_data;
        file = is_deleted(name) ? -1 : open_named_file(pid, name);
        if (file < 0)
            file = open_mapped_file(pid, name, base);
    }
    if (file >= 0 && !debug_file_is_plain(file)) {
        close(file);
        return -1;
    }
    if (file >= 0)
        *ret_file_name = strdup(name);
    if (file >= 0 || !is_deleted(name))
        return file;
    return dwfl_linux_proc_find_elf(module, user_data, "/proc/ (deleted)", base, ret_file_name, ret_elf);
}

/* Reports the loaded programs and libraries, as dwfl_linux_proc_report(), which would read the mappings again. */
static void report_files(struct target *target)
{
    for (size_t i = 0; i < target->files.count; i++) {
        const struct mapped_file *file = &target->files.files[i];
        if (file->name[0] == '/' && !file->is_data) {
            dwfl_report_module(target->dwfl, file->name, file->start, file->end);
        } else if (strcmp(file->name, "[vdso]") == 0) {
            char *name = format_text("[vdso: %ld]", (long)target->pid); /* as dwfl_linux_proc_find_elf() knows it */
            dwfl_report_module(target->dwfl, name, file->start, file->end);
            free(name);
        }
    }
}

static int give_pid(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    (void)module;
    (void)name;
    (void)start;
    *user_data = argument;
    return DWARF_CB_OK;
}

static int report_modules(struct target *target, struct reason *ret_reason)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = find_elf,
        .find_debuginfo = debug_file_find,
    };
    struct arena *outer = arena_use(&target->names.arena);
    const int error = mapped_files_read(target->pid, &target->files);
    arena_use(outer);
    if (error == E2BIG)
        return reason_set(ret_reason, "process %ld has more files mapped than can be looked at", (long)target->pid);
    if (error == EACCES || error == EPERM)
        return reason_set(ret_reason, "process %ld must not be read by this user: run mpilens as its owner or as root",
                          (long)target->pid);
    if (error != 0 && error != ENOENT && error != ESRCH)
        return reason_set(ret_reason, "/proc/%ld/maps: %s", (long)target->pid, strerror(error));
    if (error != 0)
        return reason_set(ret_reason, "process %ld is gone", (long)target->pid);
    target->dwfl = dwfl_begin(&callbacks);
    if (target->dwfl == NULL)
        return reason_set(ret_reason, "libdwfl: %s", dwfl_errmsg(-1));
    report_files(target);
    dwfl_report_end(target->dwfl, NULL, NULL);
    dwfl_getmodules(target->dwfl, give_pid, &target->pid, 0);
    return 0;
}

static void identify_executable(struct target *target)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)target->pid);
    const ssize_t length = readlink(link, target->executable, sizeof target->executable - 1);
    target->executable[length > 0 ? length : 0] = '\0';
    unsigned char identification[EI_NIDENT];
    const int file = open(link, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (pread(file, identification, sizeof identification, 0) == sizeof identification)
        target_take_identification(target, identification);
    close(file);
}

int target_open_process(pid_t pid, struct target **ret_target, struct reason *ret_reason)
{
    struct process_status status;
    if (pid <= 0 || !read_process_status("/proc", pid, &status))
        return reason_set(ret_reason, "there is no such process on this host: %ld", (long)pid);
    if (blocked_read_is_noted(pid))
        return reason_set(ret_reason,
                          "the memory of process %ld does not answer: it may be mapped from a file system that hangs",
                          (long)pid);
    struct target *target = target_create(&live_kind);
    target->pid = pid;
    target->user = status.user;
    if (report_modules(target, ret_reason) != 0) {
        target_close(target);
        return -1;
    }
    identify_executable(target);
    *ret_target = target;
    return 0;
}
