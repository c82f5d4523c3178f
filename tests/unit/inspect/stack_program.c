/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program whose stacks are read: every thread stands in a function of its own, at the line that says so, and the
 * main thread in one that the compiler has inlined. Answers every byte on its standard input with one on its standard
 * output, but for an 'e', at which only the main thread ends.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 400, FAR = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, *shared_semaphore; /* the other one is in memory that processes share */
static uint32_t word;
static pthread_t joined;
static volatile uint64_t computed;

static struct timespec far_from_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += FAR;
    return time;
}

static void *wait_for_thread(void *unused)
{
    pthread_join(joined, NULL); /* in wait_for_thread */
    return unused;
}

static void *wait_for_mutex(void *unused)
{
    pthread_mutex_lock(&mutex); /* in wait_for_mutex */
    return unused;
}

static void *wait_for_rwlock(void *unused)
{
    pthread_rwlock_wrlock(&rwlock); /* in wait_for_rwlock */
    return unused;
}

static void *wait_for_condition(void *unused)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_cond_wait(&condition, &own); /* in wait_for_condition */
    return unused;
}

static void *wait_for_condition_or_time(void *unused)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    const struct timespec end = far_from_now();
    pthread_mutex_lock(&own);
    pthread_cond_timedwait(&condition, &own, &end); /* in wait_for_condition_or_time */
    return unused;
}

static void *wait_for_semaphore(void *unused)
{
    sem_wait(&semaphore); /* in wait_for_semaphore */
    return unused;
}

static void *wait_for_semaphore_or_time(void *unused)
{
    const struct timespec end = far_from_now();
    sem_timedwait(&semaphore, &end); /* in wait_for_semaphore_or_time */
    return unused;
}

static void *wait_for_other_process(void *unused)
{
    sem_wait(shared_semaphore); /* in wait_for_other_process */
    return unused;
}

static void *wait_for_barrier(void *unused)
{
    pthread_barrier_wait(&barrier); /* in wait_for_barrier */
    return unused;
}

static void *wait_for_futex(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); /* in wait_for_futex */
    return unused;
}

static void *sleep_for_long(void *unused)
{
    const struct timespec time = {.tv_sec = FAR};
    nanosleep(&time, NULL); /* in sleep_for_long */
    return unused;
}

static void *compute(void *unused)
{
    for (;; computed++) /* in compute */
        ;
    return unused;
}

static int descend(int depth)
{
    if (depth == 0)
        pause(); /* in descend */
    return depth == 0 ? 0 : descend(depth - 1) + 1;
}

static void *stand_deep(void *unused)
{
    return descend(DEPTH) < 0 ? NULL : unused;
}

__attribute__((always_inline)) static inline ssize_t receive(char *ret_byte)
{
    return read(STDIN_FILENO, ret_byte, 1); /* in receive */
}

int main(void)
{
    static void *(*const functions[])(void *) = {
        wait_for_thread,
        wait_for_mutex,
        wait_for_rwlock,
        wait_for_condition,
        wait_for_condition_or_time,
        wait_for_semaphore,
        wait_for_semaphore_or_time,
        wait_for_other_process,
        wait_for_barrier,
        wait_for_futex,
        sleep_for_long,
        stand_deep,
    };
    pthread_t thread;
    char byte = 'r';
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* threads that outlive the main one end with a test that fails */
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    shared_semaphore = mmap(NULL, sizeof *shared_semaphore, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared_semaphore == MAP_FAILED || sem_init(shared_semaphore, 1, 0) != 0)
        return 1;
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    if (pthread_create(&joined, NULL, compute, NULL) != 0)
        return 1;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (pthread_create(&thread, NULL, functions[i], NULL) != 0)
            return 1;
    do
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            return 1;
    while (receive(&byte) == 1 && byte != 'e'); /* in main */
    if (byte == 'e')
        pthread_exit(NULL);
    return 0;
}
