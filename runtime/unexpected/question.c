/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of threads that ask MPI for messages, and the gate.
 */
#include "unexpected/unexpected.h"

#include "memory/memory.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK_BYTES = 4096 };

__thread struct asker *mpilens__asker;
uint32_t mpilens__gate;

static pthread_mutex_t askers_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct asker *askers; /* all that there ever were; new ones in front */
static pthread_key_t asker_key;
static pthread_once_t asker_key_once = PTHREAD_ONCE_INIT;

/* For threads without memory for their own. */
static __thread struct asker without_memory;
static uint32_t some_without_memory;

static void end_asker(void *ended)
{
    struct asker *asker = ended;
    mpilens__asker = NULL;
    __atomic_store_n(&asker->depth, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&asker->used, 0, __ATOMIC_RELEASE);
}

static void make_key(void)
{
    if (pthread_key_create(&asker_key, end_asker) != 0)
        __atomic_store_n(&some_without_memory, 1, __ATOMIC_SEQ_CST);
}

static void add_block(void)
{
    struct asker *block = memory_map(BLOCK_BYTES);
    for (size_t i = 0; block != NULL && i < BLOCK_BYTES / sizeof *block; i++) {
        block[i].next = askers;
        __atomic_store_n(&askers, &block[i], __ATOMIC_RELEASE);
    }
}

void question_all_for_ever(void)
{
    __atomic_store_n(&some_without_memory, 1, __ATOMIC_SEQ_CST);
}

static struct asker *take_unused(void)
{
    for (struct asker *asker = askers; asker != NULL; asker = asker->next)
        if (!__atomic_load_n(&asker->used, __ATOMIC_ACQUIRE)) {
            __atomic_store_n(&asker->used, 1, __ATOMIC_RELEASE);
            return asker;
        }
    return NULL;
}

/* The calling thread's, or one that asks for everything for ever: then nothing is taken out any more. */
static struct asker *begin_asker(void)
{
    pthread_once(&asker_key_once, make_key);
    pthread_mutex_lock(&askers_mutex);
    struct asker *asker = take_unused();
    if (asker == NULL) {
        add_block();
        asker = take_unused();
    }
    pthread_mutex_unlock(&askers_mutex);
    if (asker == NULL) {
        __atomic_store_n(&some_without_memory, 1, __ATOMIC_SEQ_CST);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        asker = &without_memory;
    } else
        pthread_setspecific(asker_key, asker);
    mpilens__asker = asker;
    return asker;
}

bool question_begin(uint64_t communicator, int source, int tag)
{
    struct asker *asker = mpilens__asker != NULL ? mpilens__asker : begin_asker();
    const uint32_t depth = asker->depth;
    if (depth < MOST_QUESTIONS)
        question_write(&asker->questions[depth], communicator, source, tag);
    __atomic_store_n(&asker->depth, depth + 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&mpilens__gate, __ATOMIC_ACQUIRE) == 0;
}

void question_end(void)
{
    struct asker *asker = mpilens__asker;
    __atomic_store_n(&asker->depth, asker->depth - 1, __ATOMIC_RELEASE);
}

bool gate_prepare(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void gate_close(void)
{
    __atomic_store_n(&mpilens__gate, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void gate_leave(bool held)
{
    __atomic_store_n(&mpilens__gate, held, __ATOMIC_RELEASE);
}

static bool could_match(const struct question *question, uint64_t communicator, int source, int tag)
{
    const uint64_t asked_communicator = __atomic_load_n(&question->communicator, __ATOMIC_RELAXED);
    const int32_t asked_source = __atomic_load_n(&question->source, __ATOMIC_RELAXED);
    const int32_t asked_tag = __atomic_load_n(&question->tag, __ATOMIC_RELAXED);
    return asked_communicator == EVERY_COMMUNICATOR ||
           (asked_communicator == communicator && (asked_source == source || asked_source == MPI_ANY_SOURCE) &&
            (asked_tag == tag || asked_tag == MPI_ANY_TAG));
}

bool question_is_asked(uint64_t communicator, int source, int tag)
{
    if (__atomic_load_n(&some_without_memory, __ATOMIC_SEQ_CST))
        return true;
    for (const struct asker *asker = __atomic_load_n(&askers, __ATOMIC_ACQUIRE); asker != NULL; asker = asker->next) {
        const uint32_t depth = __atomic_load_n(&asker->depth, __ATOMIC_ACQUIRE);
        if (depth > MOST_QUESTIONS)
            return true;
        for (uint32_t i = 0; i < depth; i++)
            if (could_match(&asker->questions[i], communicator, source, tag))
                return true;
    }
    return false;
}
