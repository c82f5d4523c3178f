/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that uses dlsym in every way, with the runtime preloaded, or without: then it shows that the program itself
 * is right. The C library's own dlsym, called by address, has the right answers.
 *
 * dlsym_user FAKE PLUGIN VERSIONED OTHER LAYER COPY: paths of the libraries, see modules.c; COPY is a copy of FAKE.
 */
#include "mpilens/layout.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Most instructions of the runtime before the next dlsym has a name. */
enum { MOST_STEPS_OF_OTHERS = 16, MOST_STEPS_OF_LIKE_NAMES = 24 };

enum { THREADS = 8, LOOK_UPS = 1000 };

typedef int send_function(const void *, int, int, int, int, int);

extern void *ask_in_first(void *handle, const char *name);
extern void *ask_in_first_version(void *handle, const char *name, const char *version);
extern void *ask_in_second(void *handle, const char *name);

static struct {
    const char *fake, *plugin, *versioned, *other, *layer, *copy;
} paths;

static const struct mpilens_process *runtime; /* NULL: it is not loaded */
static void *(*plain)(void *, const char *);
static void *(*plain_version)(void *, const char *, const char *);
static bool right = true;

static void expect(bool so, const char *what, const char *name)
{
    if (!so)
        printf("not so: %s: %s\n", name, what);
    right = right && so;
}

static void *load(const char *path, int flags)
{
    void *library = dlopen(path, RTLD_NOW | flags);
    if (library == NULL) {
        printf("%s\n", dlerror());
        exit(2);
    }
    return library;
}

static bool is_of_runtime(const void *function)
{
    Dl_info of_function, of_runtime;
    return runtime != NULL && function != NULL && dladdr(function, &of_function) && dladdr(runtime, &of_runtime) &&
           of_function.dli_fbase == of_runtime.dli_fbase;
}

/* Whether it is the runtime's where that is loaded, else the library's. */
static bool is_handed_out(const void *found, const void *in_library)
{
    return in_library != NULL && (runtime != NULL ? is_of_runtime(found) : found == in_library);
}

static void finds_other_names(void)
{
    const char *const names[] = {"malloc", "memcpy", "mmap", "mprotect", "printf", "pipe", "puts", "cos",
                                 "m",      "mp",     "mpi",  "mpi_",     "p",      "pm",   "P",    ""};
    void *library = load("libc.so.6", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(dlsym(library, names[i]) == plain(library, names[i]), "as the C library finds it", names[i]);
}

/* Behind each of them is nothing that may be read. */
static void reads_no_further_than_names(void)
{
    const char *const names[] = {"M", "MP", "MPI", "MPI_", "P", "PM", "PMP", "PMPI", ""};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    void *library = load(paths.fake, RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = pages + page - strlen(names[i]) - 1;
        memcpy(name, names[i], strlen(names[i]) + 1);
        expect(dlsym(library, name) == NULL, "there is none", names[i]);
    }
}

/* RTLD_NEXT is what comes behind the caller, whatever the name looks like. */
static void knows_who_asks(void)
{
    const char *const names[] = {"in_chain", "MPI_in_chain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int (*from_first)(void);
        int (*by_version)(void);
        void *address = ask_in_first(RTLD_NEXT, names[i]);
        memcpy(&from_first, &address, sizeof address);
        address = ask_in_first_version(RTLD_NEXT, names[i], "CHAIN_1");
        memcpy(&by_version, &address, sizeof address);
        expect(from_first != NULL && from_first() == 2, "the next one", names[i]);
        expect(by_version != NULL && by_version() == 2, "the next one by version", names[i]);
        expect(ask_in_second(RTLD_NEXT, names[i]) == NULL, "there is no other", names[i]);
        expect(ask_in_second(RTLD_DEFAULT, names[i]) == ask_in_first(RTLD_DEFAULT, names[i]), "the first", names[i]);
    }
    void *plugin = load(paths.plugin, RTLD_LOCAL);
    void *(*ask_in_plugin)(void *, const char *);
    void *address = dlsym(plugin, "ask_in_plugin");
    memcpy(&ask_in_plugin, &address, sizeof address);
    expect(ask_in_plugin(RTLD_DEFAULT, "only_in_plugin") != NULL, "a plugin sees it", "only_in_plugin");
    expect(dlsym(RTLD_DEFAULT, "only_in_plugin") == NULL, "the program does not", "only_in_plugin");
}

static void knows_versions(void)
{
    void *library = load("libc.so.6", 0);
    const char *const versions[] = {"GLIBC_2.2.5", "GLIBC_2.14", "GLIBC_0"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        expect(dlvsym(library, "memcpy", versions[i]) == plain_version(library, "memcpy", versions[i]), versions[i],
               "memcpy");
    void *versioned = load(paths.versioned, RTLD_LOCAL);
    expect(dlvsym(versioned, "MPI_Init", "FAKE_3") == NULL, "there is no such version", "MPI_Init");
    expect(dlerror() != NULL, "which is an error", "MPI_Init");
    expect(is_handed_out(dlvsym(versioned, "MPI_Init", "FAKE_2"), plain(versioned, "MPI_Init")), "the default version",
           "MPI_Init");
    expect(plain_version(versioned, "MPI_Init", "FAKE_1") != plain(versioned, "MPI_Init"), "the other is another",
           "MPI_Init");
}

static void leaves_errors_as_they_are(void)
{
    const char *const names[] = {"nothing", "MPI_Nothing", "PMPI_Nothing", "mpi_nothing_"};
    void *library = load(paths.fake, RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char expected[512];
        plain(library, names[i]);
        snprintf(expected, sizeof expected, "%s", dlerror());
        expect(dlsym(library, names[i]) == NULL, "there is none", names[i]);
        const char *text = dlerror();
        expect(text != NULL && strcmp(text, expected) == 0, "the same text", names[i]);
        expect(dlerror() == NULL, "said once", names[i]);
    }
    dlsym(library, "MPI_Nothing");
    expect(dlsym(library, "MPI_Init") != NULL && dlerror() == NULL, "success is no error", "MPI_Init");
    expect(dlsym(library, "MPI_Send") != NULL && dlerror() == NULL, "nor is the second one", "MPI_Send");
}

static uint64_t count_sent(void)
{
    uint64_t sent = 0;
    const struct mpilens_table *table = &runtime->tables[MPILENS_TABLE_CHANNELS];
    const struct mpilens_chunk *chunks = (const struct mpilens_chunk *)(uintptr_t)table->directory;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        for (uint32_t k = 0; chunks[i].in_use > 0 && k < chunks[i].high_water; k++) {
            const struct mpilens_channel *channel =
                (const void *)(uintptr_t)(chunks[i].records + (uint64_t)k * table->record_bytes);
            sent += channel->state != 0 ? channel->sent : 0;
        }
    return sent;
}

/* Initializes MPI by `init`, sends by `send`, and expects the runtime to have seen that once. */
static void send_once(void *init, void *send, const char *name)
{
    int (*initialize)(int *, char ***);
    send_function *function;
    memcpy(&initialize, &init, sizeof init);
    memcpy(&function, &send, sizeof send);
    initialize(NULL, NULL);
    expect(function(NULL, 0, MPI_BYTE, 1, 7, MPI_COMM_WORLD) == MPI_SUCCESS, "can be called", name);
    expect(runtime == NULL || count_sent() == 1, "is seen once", name);
}

static void hands_out_wrappers(void)
{
    const char *const names[] = {"MPI_Init", "MPI_Send", "PMPI_Init", "PMPI_Send"};
    void *library = load(paths.fake, RTLD_LOCAL | RTLD_DEEPBIND);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *found = dlsym(library, names[i]);
        expect(is_handed_out(found, plain(library, names[i])), "the wrapper", names[i]);
        expect(dlvsym(library, names[i], "FAKE_1") == NULL, "it has no version", names[i]);
    }
    expect(dlsym(library, "MPI_Get_version") == plain(library, "MPI_Get_version"), "no wrapper", "MPI_Get_version");
    expect(dlsym(library, "fake") == plain(library, "fake"), "data", "fake");
    send_once(dlsym(library, "MPI_Init"), dlsym(library, "MPI_Send"), "MPI_Send");
}

/* The address of a function is one, as without the runtime. */
static void gives_one_address(void)
{
    void *library = load(paths.fake, RTLD_GLOBAL);
    void *first = dlsym(RTLD_DEFAULT, "MPI_Send");
    expect(first != NULL && dlsym(library, "MPI_Send") == first, "by handle as by default", "MPI_Send");
    first = dlsym(RTLD_DEFAULT, "PMPI_Send");
    expect(first != NULL && dlsym(library, "PMPI_Send") == first, "by handle as by default", "PMPI_Send");
}

static void leaves_other_interfaces_alone(void)
{
    void *other = load(paths.other, RTLD_LOCAL);
    void *layer = load(paths.layer, RTLD_LOCAL);
    expect(dlsym(other, "MPI_Init") == plain(other, "MPI_Init"), "its own", "another interface");
    expect(dlsym(layer, "MPI_Init") == plain(layer, "MPI_Init"), "its own", "a library of any interface");
    void *library = load(paths.fake, RTLD_LOCAL);
    expect(is_handed_out(dlsym(library, "MPI_Init"), plain(library, "MPI_Init")), "the wrapper", "beside these");
}

/* A program that tries several libraries gets wrappers of the first that stays, and its functions are called. */
static void follows_the_library_that_stays(void)
{
    void *first = load(paths.copy, RTLD_LOCAL);
    expect(is_handed_out(dlsym(first, "MPI_Init"), plain(first, "MPI_Init")), "the wrapper", "the first library");
    dlclose(first);
    void *second = load(paths.fake, RTLD_LOCAL);
    expect(is_handed_out(dlsym(second, "MPI_Init"), plain(second, "MPI_Init")), "the wrapper", "the second library");
    void *third = load(paths.copy, RTLD_LOCAL);
    expect(dlsym(third, "MPI_Init") == plain(third, "MPI_Init"), "its own", "a library beside that");
    send_once(dlsym(second, "MPI_Init"), dlsym(second, "MPI_Send"), "the second library");
    unsigned (*calls)(void);
    void *address = plain(second, "fake_calls");
    memcpy(&calls, &address, sizeof address);
    expect(calls() > 0, "is called", "the second library");
    expect(dlsym(third, "MPI_Send") == plain(third, "MPI_Send"), "its own", "a library beside that, afterwards");
}

/* A library with MPI's functions, with which nothing is linked, calls another one's functions: seen there, once. */
static void sees_what_a_layer_calls(void)
{
    void *layer = load(paths.layer, RTLD_LOCAL);
    int (*load_below)(const char *);
    void *address = plain(layer, "load_below");
    memcpy(&load_below, &address, sizeof address);
    expect(load_below(paths.fake), "loads its library", "layer");
    void *below = load(paths.fake, RTLD_LOCAL);
    send_once(dlsym(below, "MPI_Init"), plain(layer, "MPI_Send"), "layer");
}

static void *look_up(void *argument)
{
    void *library = argument;
    void *const expected[] = {plain(library, "MPI_Send"), plain(library, "fake")};
    for (int i = 0; i < LOOK_UPS; i++)
        if (!is_handed_out(dlsym(library, "MPI_Send"), expected[0]) || dlsym(library, "fake") != expected[1])
            return argument;
    return NULL;
}

static void may_be_called_by_threads(void)
{
    pthread_t threads[THREADS];
    void *library = load(paths.fake, RTLD_LOCAL);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, look_up, library) != 0)
            exit(2);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        expect(failed == NULL, "the same in each", "threads");
    }
}

#if defined(__x86_64__)
#define PROGRAM_COUNTER(registers) ((registers).rip)
#else
#define PROGRAM_COUNTER(registers) ((registers).pc)
#endif

/* Instructions of the runtime in one call of dlsym: of a child, step by step. -1: it cannot be traced here. */
static int count_steps(void *library, const char *name)
{
    Dl_info of_runtime;
    dladdr(runtime, &of_runtime);
    const pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(1);
        raise(SIGSTOP);
        dlsym(library, name);
        raise(SIGSTOP);
        _exit(0);
    }
    int status, steps = 0;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status))
        return -1;
    ptrace(PTRACE_SINGLESTEP, child, NULL, 0L);
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
        struct user_regs_struct registers;
        struct iovec area = {&registers, sizeof registers};
        Dl_info at;
        ptrace(PTRACE_GETREGSET, child, (void *)1L /* NT_PRSTATUS */, &area);
        steps +=
            dladdr((const void *)(uintptr_t)PROGRAM_COUNTER(registers), &at) && at.dli_fbase == of_runtime.dli_fbase;
        ptrace(PTRACE_SINGLESTEP, child, NULL, 0L);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

static void costs_little(void)
{
    void *library = load("libc.so.6", 0);
    dlsym(library, "cos");
    if (runtime == NULL)
        return;
    const int steps = count_steps(library, "cos");
    if (steps < 0)
        printf("how many instructions it takes is not known: nothing can be traced here\n");
    expect(steps != 0 && steps <= MOST_STEPS_OF_OTHERS, "a few instructions", "cos");
    expect(count_steps(library, "mprotect") <= MOST_STEPS_OF_LIKE_NAMES, "few instructions", "mprotect");
}

/* Each in a process of its own. */
static bool runs(void (*check)(void))
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        check();
        fflush(stdout);
        _exit(right ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_called(const char *counter)
{
    const int *calls = dlsym(RTLD_DEFAULT, counter);
    return calls == NULL || *calls > 0;
}

int main(int argc, char **argv)
{
    void (*const checks[])(void) = {
        finds_other_names,       reads_no_further_than_names,   knows_who_asks,
        knows_versions,          leaves_errors_as_they_are,     hands_out_wrappers,
        gives_one_address,       leaves_other_interfaces_alone, follows_the_library_that_stays,
        sees_what_a_layer_calls, may_be_called_by_threads,      costs_little,
    };
    if (argc != 7)
        return 2;
    paths.fake = argv[1], paths.plugin = argv[2], paths.versioned = argv[3];
    paths.other = argv[4], paths.layer = argv[5], paths.copy = argv[6];
    runtime = dlsym(RTLD_DEFAULT, MPILENS_PROCESS_SYMBOL);
    void *library = load("libc.so.6", 0);
    void *address = dlsym(library, "dlsym");
    memcpy(&plain, &address, sizeof address);
    address = dlsym(library, "dlvsym");
    memcpy(&plain_version, &address, sizeof address);
    if (plain == NULL || plain_version == NULL) /* in a library of their own */
        return 77;
    bool all = is_called("dlsym_tool_calls") && is_called("allocator_calls");
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const bool passed = runs(checks[i]);
        if (!passed)
            printf("check %zu has failed\n", i + 1);
        all = all && passed;
    }
    return all ? 0 : 1;
}
