/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded into the command: counts what it reads of the memory of other processes, and how often it has the kernel
 * list their mappings. At the end, the file that MPILENS_TEST_READS names gets a line for each of them: pid, reads,
 * bytes, lists.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1 << 12 };

static struct counted {
    pid_t pid;
    unsigned long reads, bytes, lists;
} processes[MOST_PROCESSES];
static size_t process_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(pid_t pid, struct counted more)
{
    size_t i = 0;
    pthread_mutex_lock(&lock);
    while (i < process_count && processes[i].pid != pid)
        i++;
    if (i == process_count && process_count < MOST_PROCESSES)
        processes[process_count++].pid = pid;
    if (i < process_count) {
        processes[i].reads += more.reads;
        processes[i].bytes += more.bytes;
        processes[i].lists += more.lists;
    }
    pthread_mutex_unlock(&lock);
}

static void count(pid_t pid, ssize_t bytes)
{
    if (bytes > 0)
        add(pid, (struct counted){.reads = 1, .bytes = (unsigned long)bytes});
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long local_count, const struct iovec *remote,
                         unsigned long remote_count, unsigned long flags)
{
    ssize_t (*real)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);
    memcpy(&real, &(void *){dlsym(RTLD_NEXT, "process_vm_readv")}, sizeof real);
    const ssize_t bytes = real(pid, local, local_count, remote, remote_count, flags);
    count(pid, bytes);
    return bytes;
}

/* /proc/PID/mem */
static void count_file(int file, ssize_t bytes)
{
    char link[64], name[64] = "", end[8] = "";
    int pid;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, name, sizeof name - 1) > 0 && sscanf(name, "/proc/%d/%7s", &pid, end) == 2 &&
        strcmp(end, "mem") == 0)
        count(pid, bytes);
}

/* Meson has all of the project read files by 64-bit offsets. */
ssize_t pread(int file, void *ret_bytes, size_t wanted, off_t offset)
{
    ssize_t (*real)(int, void *, size_t, off_t);
    memcpy(&real, &(void *){dlsym(RTLD_NEXT, "pread64")}, sizeof real);
    const ssize_t bytes = real(file, ret_bytes, wanted, offset);
    count_file(file, bytes);
    return bytes;
}

static void count_list(const char *path)
{
    char end[8] = "";
    int pid;
    if (sscanf(path, "/proc/%d/%7s", &pid, end) == 2 && strcmp(end, "maps") == 0)
        add(pid, (struct counted){.lists = 1});
}

/* /proc/PID/maps, by the command and by libraries */
int open64(const char *path, int flags, ...)
{
    int (*real)(const char *, int, mode_t);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    memcpy(&real, &(void *){dlsym(RTLD_NEXT, "open64")}, sizeof real);
    count_list(path);
    return real(path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);
    memcpy(&real, &(void *){dlsym(RTLD_NEXT, "fopen64")}, sizeof real);
    count_list(path);
    return real(path, mode);
}

/* Every request counts, with the bytes of a word: a traced process is more than only read. */
long ptrace(enum __ptrace_request request, ...)
{
    long (*real)(enum __ptrace_request, pid_t, void *, void *);
    va_list arguments;
    va_start(arguments, request);
    const pid_t pid = va_arg(arguments, pid_t);
    void *address = va_arg(arguments, void *);
    void *data = va_arg(arguments, void *);
    va_end(arguments);
    memcpy(&real, &(void *){dlsym(RTLD_NEXT, "ptrace")}, sizeof real);
    count(pid, sizeof(long));
    return real(request, pid, address, data);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("MPILENS_TEST_READS");
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    for (size_t i = 0; file != NULL && i < process_count; i++)
        fprintf(file, "%ld %lu %lu %lu\n", (long)processes[i].pid, processes[i].reads, processes[i].bytes,
                processes[i].lists);
    if (file != NULL)
        fclose(file);
}
