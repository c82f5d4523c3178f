/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI process whose runtime's state was made to lie: the argument says how. It says "ready" on standard output and
 * waits to be killed.
 */
#include <mpi.h>
#include <mpilens/layout.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GROUPS = 200, RANGES = 1 << 20, WAITING = 1 << 22, THREADS = 10000, SKIP = 77 };

static struct mpilens_process *process;

static struct mpilens_chunk *directory(enum mpilens_table_kind kind)
{
    return (struct mpilens_chunk *)(uintptr_t)process->tables[kind].directory;
}

static void *record(enum mpilens_table_kind kind, uint32_t number)
{
    return (char *)(uintptr_t)directory(kind)[0].records + (size_t)number * process->tables[kind].record_bytes;
}

static void *untouched(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Nobody ever gives these pages to who reads them, as of a file system that does not answer. */
static void silence(uintptr_t begin, uintptr_t end)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    begin = begin / page * page;
    end = (end + page - 1) / page * page;
    const int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.range = {.start = begin, .len = end - begin},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING};
    if (file < 0 || ioctl(file, UFFDIO_API, &api) != 0 ||
        mmap((void *)begin, end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED ||
        ioctl(file, UFFDIO_REGISTER, &range) != 0 ||
        madvise((void *)begin, end - begin, MADV_DONTNEED) != 0) /* memory that others have read meanwhile */
        _exit(77);
}

static void silent_state(void)
{
    silence((uintptr_t)process, (uintptr_t)(process + 1));
}

static void silent_operations(void)
{
    const uintptr_t records = (uintptr_t)directory(MPILENS_TABLE_OPERATIONS)[0].records;
    silence(records, records + 1);
}

/* 8 GB of operations that were never written. */
static void holes(void)
{
    const size_t bytes = (size_t)8 << 30;
    struct mpilens_chunk *chunk = directory(MPILENS_TABLE_OPERATIONS);
    chunk->records = (uintptr_t)untouched(bytes);
    chunk->capacity = chunk->high_water = chunk->in_use =
        (uint32_t)(bytes / process->tables[MPILENS_TABLE_OPERATIONS].record_bytes);
}

/* The same, and the runtime is said to have as much memory. */
static void holes_that_are_counted(void)
{
    holes();
    process->memory_bytes = (uint64_t)1 << 40;
}

/* Many groups with the same million ranges. */
static void shared_ranges(void)
{
    struct mpilens_range *ranges = untouched(RANGES * sizeof *ranges);
    for (int i = 0; i < RANGES; i++)
        ranges[i] = (struct mpilens_range){.first = -1, .count = 1};
    for (int i = 0; i < GROUPS; i++) {
        MPI_Comm made;
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    }
    for (uint32_t chunk = 0; chunk < process->tables[MPILENS_TABLE_COMMUNICATORS].chunk_count; chunk++)
        for (uint32_t i = 0; i < directory(MPILENS_TABLE_COMMUNICATORS)[chunk].high_water; i++) {
            struct mpilens_communicator *communicator =
                (void *)((char *)(uintptr_t)directory(MPILENS_TABLE_COMMUNICATORS)[chunk].records +
                         (size_t)i * process->tables[MPILENS_TABLE_COMMUNICATORS].record_bytes);
            struct mpilens_group *group = (void *)(uintptr_t)communicator->group;
            if (communicator->state == 0 || group == NULL)
                continue;
            communicator->size = group->size = RANGES;
            group->ranges = (uintptr_t)ranges;
            group->range_count = RANGES;
        }
}

static void world_of_billions(void)
{
    process->world_size = 2000000000;
}

static void world_of_nobody(void)
{
    process->world_size = -7;
    process->world_rank = -3;
}

static void communicator_of_billions(void)
{
    struct mpilens_communicator *world = record(MPILENS_TABLE_COMMUNICATORS, 0);
    struct mpilens_group *group = (void *)(uintptr_t)world->group;
    world->size = group->size = 2147483647;
    group->short_ranges[0] = (struct mpilens_range){.first = -1, .count = 2147483647};
}

static void chunks_without_number(void)
{
    process->tables[MPILENS_TABLE_GROUPS].chunk_count = UINT32_MAX;
}

static void directory_nowhere(void)
{
    process->tables[MPILENS_TABLE_THREADS].directory = UINT64_MAX - 8;
}

static void records_of_a_megabyte(void)
{
    process->tables[MPILENS_TABLE_DATATYPES].record_bytes = 1 << 20;
}

static void functions_without_number(void)
{
    process->function_count = 65536;
    process->functions = (uintptr_t)untouched((size_t)1 << 30);
}

/* Types that are made of themselves, operations that are each other's partners. */
static void circles(void)
{
    MPI_Datatype type;
    int buffer;
    MPI_Request requests[2];
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&buffer, 1, MPI_INT, MPI_ANY_SOURCE, 4711, MPI_COMM_WORLD, &requests[i]);
    for (uint32_t i = 0; i < directory(MPILENS_TABLE_DATATYPES)[0].high_water; i++) {
        struct mpilens_datatype *datatype = record(MPILENS_TABLE_DATATYPES, i);
        if (datatype->state == 0 || datatype->datatype_count == 0)
            continue;
        uint64_t *made_of =
            (uint64_t *)(uintptr_t)datatype->arguments + datatype->integer_count + datatype->address_count;
        *made_of = (uintptr_t)datatype;
    }
    struct mpilens_operation *first = record(MPILENS_TABLE_OPERATIONS, 0);
    struct mpilens_operation *second = record(MPILENS_TABLE_OPERATIONS, 1);
    first->second = first->next = (uintptr_t)second;
    second->second = second->next = (uintptr_t)first;
}

/* A completion call of more requests than there is memory for, in many threads. */
static void waiting_for_everything(void)
{
    struct mpilens_thread *thread = record(MPILENS_TABLE_THREADS, 0);
    thread->requests = (uintptr_t)untouched((size_t)WAITING * sizeof(MPI_Request));
    thread->request_count = WAITING;
    for (uint32_t i = 1; i < process->function_count; i++) {
        const struct mpilens_function *function = (const struct mpilens_function *)(uintptr_t)process->functions + i;
        if (strcmp(function->name, "MPI_Waitall") == 0)
            thread->function = i;
    }
}

static void names(void)
{
    static const char name[] = "two\nlines\x1b]0;title\x07\x1b[31mred\xff\xfe\xc3</script>%s%n";
    MPI_Comm communicator;
    MPI_Datatype type;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_set_name(communicator, name);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_set_name(type, name);
    memset(process->job_identity, '\x1b', sizeof process->job_identity);
    memcpy(process->library_version, "MPICH\n\x1b[31m9", 12);
}

static void names_without_end(void)
{
    struct mpilens_communicator *world = record(MPILENS_TABLE_COMMUNICATORS, 0);
    memset(world->name, 'A', sizeof world->name);
    memset(process->library_version, 'A', sizeof process->library_version);
    memset(process->runtime_version, 'A', sizeof process->runtime_version);
    memset(process->job_identity, 'A', sizeof process->job_identity);
}

static void *keep_changing(void *unused)
{
    struct mpilens_chunk *chunk = directory(MPILENS_TABLE_COMMUNICATORS);
    const struct mpilens_chunk right = *chunk;
    for (;;) {
        chunk->high_water = UINT32_MAX;
        chunk->records = 1;
        process->tables[MPILENS_TABLE_COMMUNICATORS].chunk_count = 3;
        *chunk = right;
        process->tables[MPILENS_TABLE_COMMUNICATORS].chunk_count = 1;
        process->world_size++;
        usleep(50);
    }
    return unused;
}

static void changing(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, keep_changing, NULL) != 0)
        exit(1);
}

static void stopped(void)
{
    puts("ready");
    fflush(stdout);
    raise(SIGSTOP);
}

static void not_to_be_read(void)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void *wait_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* Without any lie. */
static void many_threads(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 16);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, &attributes, wait_for_ever, NULL) != 0)
            exit(SKIP);
}

/* Where its own files are, others stand for it. */
static void other_files(void)
{
    char own[4096] = "";
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("/dev/zero", own, NULL, MS_BIND, NULL) != 0)
        exit(SKIP);
}

/* CPython 3.14 says in the first words (_Py_DebugOffsets) where the members of its structs are. */
uint64_t python_words[128] __asm__("_PyRuntime") __attribute__((used));

/* Where an interpreter runs Python. */
static void evaluate(void) __asm__("_PyEval_EvalFrameDefault") __attribute__((noinline));
static void evaluate(void)
{
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}

/* One object that is everything: interpreter, thread, frame, code, type, text of 2^60 characters, exception; and comes
 * after itself. Seen where the program has the name of an interpreter. */
static void python(void)
{
    enum { FINALIZING = 101, INTERPRETERS = 100, TEXT_BYTES = 400 };
    /* in the object: next and type, length, name of a type, state of a text, flags of a type */
    enum { NEXT = 8, LENGTH = 16, NAME = 24, STATE = 32, FLAGS = 168 };
    static const struct {
        unsigned char word, offset;
    } members[] = {{8, 200},   {9, 208},    {13, 216},  {24, NEXT},  {26, 224},   {27, 232},   {28, 240},   {32, 248},
                   {34, 128},  {36, 136},   {40, 144},  {41, 152},   {43, 160},   {44, 184},   {48, 192},   {51, NEXT},
                   {53, NAME}, {55, FLAGS}, {57, NAME}, {67, STATE}, {76, STATE}, {78, STATE}, {79, LENGTH}};
    static union {
        uint64_t words[1024];
        char bytes[8192];
    } object;
    memset(object.bytes, 'A', sizeof object);
    for (size_t i = 0; i < TEXT_BYTES / sizeof *object.words; i++)
        object.words[i] = (uintptr_t)&object;
    memcpy(python_words, "xdebugpy", sizeof *python_words);
    python_words[1] = 0x030e00f0;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        python_words[members[i].word] = members[i].offset;
    python_words[4] = FINALIZING * sizeof *python_words;
    python_words[5] = INTERPRETERS * sizeof *python_words;
    python_words[33] = 256;
    python_words[80] = TEXT_BYTES;
    python_words[INTERPRETERS] = (uintptr_t)&object;
    object.words[240 / 8] = (uint64_t)getpid();
    object.words[LENGTH / 8] = (uint64_t)1 << 60;
    object.words[NAME / 8] = (uintptr_t) "code";
    object.words[STATE / 8] = 0x64; /* one byte for each character, in one piece, ASCII */
    object.words[FLAGS / 8] = UINT64_MAX;
    object.words[136 / 8] = 0; /* owned by a thread */
    evaluate();
}

static void honest(void) {}

static const struct {
    const char *name;
    void (*lie)(void);
} lies[] = {{"honest", honest},
            {"holes", holes},
            {"holes_that_are_counted", holes_that_are_counted},
            {"shared_ranges", shared_ranges},
            {"world_of_billions", world_of_billions},
            {"world_of_nobody", world_of_nobody},
            {"communicator_of_billions", communicator_of_billions},
            {"chunks_without_number", chunks_without_number},
            {"directory_nowhere", directory_nowhere},
            {"records_of_a_megabyte", records_of_a_megabyte},
            {"functions_without_number", functions_without_number},
            {"circles", circles},
            {"waiting_for_everything", waiting_for_everything},
            {"names", names},
            {"names_without_end", names_without_end},
            {"changing", changing},
            {"stopped", stopped},
            {"not_to_be_read", not_to_be_read},
            {"many_threads", many_threads},
            {"other_files", other_files},
            {"python", python},
            {"silent_state", silent_state},
            {"silent_operations", silent_operations}};

int main(int argc, char **argv)
{
    int buffer;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(&buffer, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_SELF, &request);
    process = dlsym(RTLD_DEFAULT, MPILENS_PROCESS_SYMBOL);
    if (process == NULL || argc < 2)
        return 1;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
        if (strcmp(argv[1], lies[i].name) == 0) {
            lies[i].lie();
            puts("ready");
            fflush(stdout);
            for (;;)
                pause();
        }
    return 1;
}
