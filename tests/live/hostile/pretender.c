/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that looks like one of an MPI job to those who look from outside, and is none: the argument says how, the
 * second is a directory of its own. It says "ready" and waits to be killed.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, JOBS = 100, MAPPINGS = 20000 };

static char directory[PATH_MAX / 2];

static void path_of(const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", directory, name);
}

static void map_file(const char *name)
{
    char path[PATH_MAX];
    path_of(name, path);
    const int file = open(path, O_RDWR | O_CREAT, 0755);
    if (file < 0 || ftruncate(file, PAGE) != 0 ||
        mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED)
        exit(1);
    close(file);
}

/* A FIFO now has the name from which the runtime was loaded. */
static void fifo(void)
{
    char path[PATH_MAX];
    map_file("libmpi.so");
    map_file("libmpilens-mpich.so");
    path_of("libmpilens-mpich.so", path);
    unlink(path);
    path_of("libmpilens-mpich.so (deleted)", path);
    if (mkfifo(path, 0666) != 0)
        exit(1);
}

/* As fifo(), with a device: /dev/zero, which never ends. */
static void device(void)
{
    char path[PATH_MAX];
    map_file("libmpi.so");
    path_of("libmpilens-mpich.so", path);
    if (mknod(path, S_IFCHR | 0666, makedev(1, 5)) != 0)
        exit(77);
    const int file = open(path, O_RDWR);
    if (file < 0 || mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED)
        exit(77);
}

/* Started with PMI_SIZE of billions by the test. */
static void library_without_mpi(void)
{
    map_file("libmpi.so");
}

static void runtime_without_mpi(void)
{
    map_file("libmpi.so");
    map_file("libmpilens-mpich.so");
}

/* Tens of thousands of mappings with long names. */
static void mappings(void)
{
    char name[NAME_MAX + 1];
    memset(name, 'm', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    map_file("libmpi.so");
    map_file("libmpilens-mpich.so");
    map_file(name);
    char path[PATH_MAX];
    path_of(name, path);
    const int file = open(path, O_RDONLY);
    for (int i = 0; i < MAPPINGS; i++)
        mmap(NULL, PAGE, i % 2 == 0 ? PROT_READ : PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    close(file);
}

/* fork() of a child that ends with its parent, be that before the child has run. */
static pid_t fork_bound(void)
{
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent))
        _exit(1);
    return pid;
}

static void many_jobs(void)
{
    map_file("libmpi.so");
    for (int i = 0; i < JOBS; i++)
        if (fork_bound() == 0)
            for (;;)
                pause();
}

/* A library that is now this long, now that. */
static void shrinking(void)
{
    char path[PATH_MAX], bytes[PAGE];
    map_file("libmpi.so");
    map_file("libmpilens-mpich.so");
    path_of("libmpilens-mpich.so", path);
    const int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_RDWR);
    ssize_t part;
    while ((part = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)part) != part)
            exit(77);
    const off_t whole = lseek(to, 0, SEEK_CUR);
    if (fork_bound() != 0)
        return;
    for (;;) {
        usleep(200);
        if (ftruncate(to, PAGE) != 0 || ftruncate(to, whole) != 0)
            exit(1);
    }
}

struct entry {
    const char *host;
    const char *executable;
    int pid;
};

/* Not exported, as in launchers that were not made for debuggers. */
static const struct entry entries[] = {{"n01", "/home/ann/app", 4711}, {"n02", "/home/ann/app", 4712}};
__attribute__((used)) static const struct entry *volatile MPIR_proctable = entries;
__attribute__((used)) static volatile int MPIR_proctable_size = 2;

/* In the file of a launcher. */
static void launcher(void)
{
    if (MPIR_proctable == NULL || MPIR_proctable_size == 0)
        exit(1);
}

static const struct {
    const char *name;
    void (*pretend)(void);
} kinds[] = {{"fifo", fifo},
             {"device", device},
             {"library_without_mpi", library_without_mpi},
             {"runtime_without_mpi", runtime_without_mpi},
             {"mappings", mappings},
             {"many_jobs", many_jobs},
             {"shrinking", shrinking},
             {"launcher", launcher}};

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    snprintf(directory, sizeof directory, "%s", argv[2]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].pretend();
            puts("ready");
            fflush(stdout);
            for (;;)
                pause();
        }
    return 1;
}
