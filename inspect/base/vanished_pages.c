/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts pages of zeros where pages of a mapped file have vanished.
 */
#include "base/base.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_bytes;

/* BUS_ADRERR: the address is mapped, but there is nothing behind it. */
static bool put_zeros(const siginfo_t *information)
{
    const uintptr_t page = (uintptr_t)information->si_addr & ~(page_bytes - 1);
    return information->si_code == BUS_ADRERR && mmap((void *)page, page_bytes, PROT_READ | PROT_WRITE,
                                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static void repair(int signal_number, siginfo_t *information, void *context)
{
    const int error = errno;
    (void)context;
    if (!put_zeros(information)) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    errno = error;
}

void vanished_pages_read_as_zeros(void)
{
    struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
