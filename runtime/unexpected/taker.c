/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wakes up a few times per second, and takes everything that nobody asks for out of every communicator.
 */
#include "unexpected/unexpected.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS UINT64_C(1000000000)
enum {
    MOST_SECONDS = 1000000,
    MOST_AT_ONCE = 1000, /* messages, while receives and probes wait for the lock */
};
static const double default_patience = 1; /* seconds */
static const uint64_t longest_nap = NANOSECONDS / 4, shortest_nap = NANOSECONDS / 1000;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakes;
static pthread_t thread;
static bool runs, is_to_end;
static pid_t owner;       /* in whose children there is no such thread */
static uint64_t patience; /* nanoseconds */

struct round {
    int taken;
    bool complete; /* nothing is left */
    bool is_full;  /* some is left for another round */
};

/* All that nobody asks for is taken out of one communicator. False: some are left, which somebody asks for, or for
 * which there is no memory, or no room in this round. */
static bool take_from(const struct mpilens_communicator *record, MPI_Comm communicator, struct round *round)
{
    for (;;) {
        int found = 0;
        MPI_Status status;
        if (mpilens__library.MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &found, &status) != MPI_SUCCESS)
            return false;
        if (!found)
            return true;
        if (question_is_asked(HANDLE_VALUE(communicator), status.MPI_SOURCE, status.MPI_TAG))
            return false;
        round->is_full = round->taken == MOST_AT_ONCE;
        if (round->is_full)
            return false;
        struct taken *taken = taken_reserve();
        if (taken == NULL)
            return false;
        taken->communicator = HANDLE_VALUE(communicator);
        taken->message = MPI_MESSAGE_NULL;
        const int error = mpilens__library.MPI_Improbe(status.MPI_SOURCE, status.MPI_TAG, communicator, &found,
                                                       &taken->message, &taken->status);
        if (error != MPI_SUCCESS || !found) {
            taken_give_back(taken);
            return false;
        }
        taken_publish(taken, record);
        round->taken++;
    }
}

static bool visit_communicator(void *visited, void *visiting_round)
{
    const struct mpilens_communicator *record = visited;
    struct round *round = visiting_round;
    if (__atomic_load_n(&record->state, __ATOMIC_ACQUIRE) != MPILENS_OBJECT_LIVE)
        return true;
    const uint32_t flags = __atomic_load_n(&record->flags, __ATOMIC_ACQUIRE);
    if (record->session != 0 || (flags & (MPILENS_COMMUNICATOR_PENDING | MPILENS_COMMUNICATOR_ENDING)) != 0) {
        round->complete = false; /* it is not asked */
        return true;
    }
    if (!take_from(record, (MPI_Comm)(uintptr_t)record->handle, round))
        round->complete = false;
    return !round->is_full;
}

/* True: there is more to take. */
static bool take_many(void)
{
    struct round round = {.complete = true};
    taken_lock();
    gate_close();
    table_visit(MPILENS_TABLE_COMMUNICATORS, visit_communicator, &round);
    if (round.complete)
        __atomic_store_n(&mpilens_process.unexpected_as_of, clock_ticks(), __ATOMIC_RELEASE);
    gate_leave(taken_any());
    taken_unlock();
    return round.is_full;
}

/* False: the thread is to end. */
static bool nap(uint64_t nanoseconds)
{
    const uint64_t end = clock_nanoseconds(CLOCK_MONOTONIC) + nanoseconds;
    const struct timespec until = {(time_t)(end / NANOSECONDS), (long)(end % NANOSECONDS)};
    pthread_mutex_lock(&mutex);
    while (!is_to_end && pthread_cond_timedwait(&wakes, &mutex, &until) == 0)
        ;
    const bool goes_on = !is_to_end;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}

/* The threads write their counts without regard for this one: they may be a moment old. */
__attribute__((no_sanitize("thread"))) static bool add_thread(void *visited, void *progress)
{
    const struct mpilens_thread *record = visited;
    *(uint64_t *)progress += record->operations + record->completions + record->untracked;
    return true;
}

/* Changes whenever the process starts an operation or one is over. */
static uint64_t process_progress(void)
{
    uint64_t progress = 0;
    table_visit(MPILENS_TABLE_THREADS, add_thread, &progress);
    return progress;
}

static void *take_when_stalled(void *unused)
{
    (void)unused;
    uint64_t progress = process_progress();
    uint64_t since = clock_nanoseconds(CLOCK_MONOTONIC);
    uint64_t length = patience / 4;
    length = length > longest_nap ? longest_nap : length < shortest_nap ? shortest_nap : length;
    bool is_more = false;
    while (nap(is_more ? shortest_nap : length)) {
        const uint64_t now = clock_nanoseconds(CLOCK_MONOTONIC);
        const uint64_t progress_now = process_progress();
        if (progress_now != progress && patience > 0)
            since = now;
        progress = progress_now;
        is_more = now - since >= patience && take_many();
    }
    return NULL;
}

static uint64_t read_patience(void)
{
    const char *text = getenv("MPILENS_UNEXPECTED_AFTER");
    char *end = NULL;
    const double seconds = text != NULL ? strtod(text, &end) : default_patience;
    const bool valid = text == NULL || (end != text && *end == '\0' && seconds >= 0 && seconds <= MOST_SECONDS);
    return (uint64_t)((valid ? seconds : default_patience) * (double)NANOSECONDS);
}

/* The application's signals are its own threads' affair. */
static bool start_thread(void)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    sigfillset(&all);
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&wakes, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool started = pthread_create(&thread, NULL, take_when_stalled, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void ask_to_end(void)
{
    pthread_mutex_lock(&mutex);
    is_to_end = true;
    pthread_cond_signal(&wakes);
    pthread_mutex_unlock(&mutex);
}

/* A process that ends without MPI_Finalize takes the library apart while nobody may use it. Waits only a moment: the
 * ending thread may hold a lock of the library that this thread waits for. */
static void end_at_exit(void)
{
    if (!runs || getpid() != owner)
        return;
    ask_to_end();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_timedjoin_np(thread, NULL, &until);
    runs = false;
}

void taker_begin(int thread_level)
{
    if (thread_level != MPI_THREAD_MULTIPLE) {
        mpilens_process.unexpected_mode = MPILENS_UNEXPECTED_NO_LEVEL;
        return;
    }
    patience = read_patience();
    runs = gate_prepare() && start_thread();
    owner = getpid();
    if (runs)
        atexit(end_at_exit);
    mpilens_process.unexpected_since = runs ? clock_ticks() : 0;
    mpilens_process.unexpected_mode = runs ? MPILENS_UNEXPECTED_EXACT : MPILENS_UNEXPECTED_NO_SYSTEM;
}

void taker_end(void)
{
    if (!runs)
        return;
    ask_to_end();
    pthread_join(thread, NULL);
    runs = false;
    take_many(); /* the rest, but with a bound */
}
