/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the kernel's last tick, and proves it: the time since then, by the counter and the kernel's own factors, must
 * equal the lead of CLOCK_MONOTONIC over CLOCK_MONOTONIC_COARSE, which was set at that tick.
 */
#include "mpi/mpi_traits.h"

#include <stddef.h>

const uint64_t *mpilens__kernel_tick;

#if defined(__x86_64__) || defined(__aarch64__)

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum {
    READ_BYTES = 4096,
    LINE_BYTES = 128, /* of /proc/self/maps, as far as it matters: a mapping with a longer line has a path */
    SEARCHED_WORDS = 64,
    ATTEMPTS = 8,
    COUNTER_MODE = 1,     /* VDSO_CLOCKMODE_TSC, VDSO_CLOCKMODE_ARCHTIMER */
    TOLERANCE_NS = 20000, /* between reading one clock and the next */
    LONGEST_TICK_NS = 20000000,
    MOST_SHIFT = 32,
};

/* More than any tick is apart, less than what another unit would give: some 30 s. */
static uint64_t most_ticks_behind(void)
{
#if defined(__aarch64__)
    uint64_t ticks_per_second;
    __asm__("mrs %0, cntfrq_el0" : "=r"(ticks_per_second));
    return 30 * ticks_per_second;
#else
    return UINT64_C(1) << 36;
#endif
}

/* A vdso_data, or vdso_clock, up to the factors. `last` may be followed by max_cycles. */
struct candidate {
    const uint32_t *mode;
    const uint64_t *last;
    const uint32_t *factors; /* mult, shift */
};

/* The first page of [vvar], NULL: there is none. */
static const uint64_t *find_page(void)
{
    char text[READ_BYTES + LINE_BYTES];
    size_t kept = 0;
    ssize_t count;
    char *found = NULL;
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && found == NULL && (count = read(file, text + kept, READ_BYTES)) > 0) {
        const size_t bytes = kept + (size_t)count;
        found = memmem(text, bytes, "[vvar]", strlen("[vvar]"));
        if (found == NULL) {
            kept = bytes < LINE_BYTES ? bytes : LINE_BYTES;
            memmove(text, text + bytes - kept, kept);
        }
    }
    if (file >= 0)
        close(file);
    if (found == NULL)
        return NULL;
    while (found > text && found[-1] != '\n')
        found--;
    return (const uint64_t *)(uintptr_t)strtoull(found, NULL, 16); /* NOLINT(performance-no-int-to-ptr) */
}

/* Whether the word masks the counter's bits: all, or as many as arm64 counters have at least. */
static bool is_mask(uint64_t word)
{
    return word >= (UINT64_C(1) << 56) - 1 && (word & (word + 1)) == 0;
}

static bool is_like_one(const uint64_t *word, struct candidate *ret_candidate)
{
    const uint64_t *mask = is_mask(word[1]) ? word + 1 : word + 2;
    const struct candidate candidate = {(const uint32_t *)word - 1, word, (const uint32_t *)(mask + 1)};
    if (*candidate.mode != COUNTER_MODE || !is_mask(*mask) || candidate.factors[0] == 0 ||
        candidate.factors[1] > MOST_SHIFT)
        return false;
    *ret_candidate = candidate;
    return true;
}

/* Nanoseconds since the tick; UINT64_MAX: too many for it to be one. */
static uint64_t since(const struct candidate *candidate, uint64_t ticks)
{
    const uint64_t passed = ticks - __atomic_load_n(candidate->last, __ATOMIC_RELAXED);
    return passed <= UINT32_MAX ? passed * candidate->factors[0] >> candidate->factors[1] : UINT64_MAX;
}

static bool is_proved(const struct candidate *candidate)
{
    for (int i = 0; i < ATTEMPTS; i++) { /* a tick, or another process, may come in between */
        const uint64_t coarse = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
        const uint64_t begin = since(candidate, clock_ticks());
        const uint64_t ahead = clock_nanoseconds(CLOCK_MONOTONIC) - coarse;
        const uint64_t end = since(candidate, clock_ticks());
        if (begin <= end && end < LONGEST_TICK_NS && ahead + TOLERANCE_NS >= begin && ahead <= end + TOLERANCE_NS)
            return true;
    }
    return false;
}

void kernel_tick_find(void)
{
    struct candidate candidate;
    /* Without it, as under Valgrind, the page is not meant to be read. */
    const uint64_t *page = getauxval(AT_SYSINFO_EHDR) != 0 ? find_page() : NULL;
    for (size_t i = 1; page != NULL && i < SEARCHED_WORDS; i++)
        if (is_like_one(&page[i], &candidate) && is_proved(&candidate)) {
            __atomic_store_n(&mpilens__kernel_tick, candidate.last, __ATOMIC_RELAXED);
            return;
        }
}

void kernel_tick_check(void)
{
    const uint64_t *tick = __atomic_load_n(&mpilens__kernel_tick, __ATOMIC_RELAXED);
    if (tick != NULL && (*((const uint32_t *)tick - 1) != COUNTER_MODE ||
                         clock_ticks() - __atomic_load_n(tick, __ATOMIC_RELAXED) > most_ticks_behind()))
        kernel_tick_leave();
}
#else
void kernel_tick_find(void) {}

void kernel_tick_check(void) {}
#endif

void kernel_tick_leave(void)
{
    __atomic_store_n(&mpilens__kernel_tick, NULL, __ATOMIC_RELAXED);
}
