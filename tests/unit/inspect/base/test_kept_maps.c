/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of mappings that are not listed again, of a child that changes what it has mapped when it is told to.
 */
#include "base/base.h"
#include "watched_maps.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FEW_PAGES = 4, MANY_PAGES = 3000, PAGE_BYTES = 1 << 12, TURNS = 100 };

#define OTHER_PROGRAM "/bin/cat"

static pid_t child;
static int to_child, from_child;
static struct watched_maps maps;
static char test_kept_maps_file_name[64];

/* --- the child --- */

static char *map_file(void *address, size_t pages)
{
    const int file = open(test_kept_maps_file_name, O_RDWR | O_CLOEXEC);
    char *mapped = mmap(address, pages * PAGE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | (address != NULL ? MAP_FIXED : 0), file, 0);
    mapped[0] = 1;
    close(file);
    return mapped;
}

static void follow(char order, char **pages)
{
    switch (order) {
    case 'a':
        *pages = mmap(NULL, FEW_PAGES * PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        break;
    case 'f':
        *pages = map_file(*pages, FEW_PAGES);
        break;
    case 'm':
        *pages = map_file(NULL, MANY_PAGES);
        for (size_t i = 0; i < MANY_PAGES; i += 2)
            mprotect(*pages + i * PAGE_BYTES, PAGE_BYTES, PROT_READ);
        break;
    case 'e':
        execl(OTHER_PROGRAM, OTHER_PROGRAM, (char *)NULL);
        _exit(1);
    default:
        break;
    }
}

static void run_child(void)
{
    char order, *pages = NULL;
    while (read(STDIN_FILENO, &order, 1) == 1) {
        follow(order, &pages);
        if (write(STDOUT_FILENO, &order, 1) != 1)
            break;
    }
    _exit(0);
}

/* --- who looks at it --- */

/* The other program also returns its orders. */
static void tell(char order)
{
    char answer;
    cr_assert_eq(write(to_child, &order, 1), 1);
    if (order != 'e')
        cr_assert_eq(read(from_child, &answer, 1), 1);
}

static void start(void)
{
    int to[2], from[2];
    snprintf(test_kept_maps_file_name, sizeof test_kept_maps_file_name, "/tmp/mpilens-kept-maps-XXXXXX");
    const int file = mkstemp(test_kept_maps_file_name);
    cr_assert_eq(ftruncate(file, (off_t)MANY_PAGES * PAGE_BYTES), 0);
    close(file);
    cr_assert_eq(pipe(to), 0);
    cr_assert_eq(pipe(from), 0);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        run_child();
    }
    to_child = to[1];
    from_child = from[0];
    tell('-');
    maps = watched_maps_open(child);
}

static void end(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    watched_maps_close(&maps);
    unlink(test_kept_maps_file_name);
    kept_maps_forget();
}

TestSuite(kept_maps, .init = start, .fini = end);

struct seen {
    size_t count;
    size_t of_file;
    bool is_other_program;
    uint64_t sum;
};

static void see(void *context, const struct mapping *mapping)
{
    struct seen *seen = context;
    seen->count++;
    seen->of_file += strcmp(mapping->name, test_kept_maps_file_name) == 0;
    seen->is_other_program = seen->is_other_program || strstr(mapping->name, "/cat") != NULL;
    seen->sum = seen->sum * 31 + mapping->start + mapping->end + mapping->inode + mapping->device_major +
                mapping->device_minor + strlen(mapping->name);
    for (const char *next = mapping->permissions; *next != '\0'; next++)
        seen->sum = seen->sum * 31 + (uint64_t)*next;
}

/* Whether the kernel was asked. */
static bool look(struct seen *ret_seen)
{
    *ret_seen = (struct seen){.count = 0};
    cr_assert_eq(kept_maps_visit(child, see, ret_seen), 0);
    return watched_maps_are_read(&maps);
}

/* Until what it does between an answer and the next order is done. */
static bool is_kept(struct seen *ret_seen)
{
    for (int i = 0; i < TURNS; i++)
        if (!look(ret_seen))
            return true;
    return false;
}

Test(kept_maps, are_given_again)
{
    struct seen first, again, read = {.count = 0};
    cr_expect(look(&first));
    cr_expect_gt(first.count, 4);
    cr_assert(is_kept(&again));
    cr_assert_eq(process_maps_visit("/proc", child, see, &read), 0);
    cr_expect_eq(again.count, read.count);
    cr_expect_eq(again.sum, read.sum);
    kept_maps_forget();
    look(&again); /* by the visit before */
    kept_maps_forget();
    cr_expect(look(&again));
    cr_expect_eq(again.sum, read.sum);
}

Test(kept_maps, what_is_new_is_seen)
{
    struct seen seen = {.count = 0};
    cr_assert(is_kept(&seen));
    tell('a');
    cr_expect(look(&seen));
    cr_assert(is_kept(&seen));
    cr_expect_eq(seen.of_file, 0);
    tell('f'); /* as much as there was */
    cr_expect(look(&seen));
    cr_expect_eq(seen.of_file, 1);
    cr_assert(is_kept(&seen));
    cr_expect_eq(seen.of_file, 1);
}

Test(kept_maps, another_program_is_seen)
{
    struct seen seen = {.count = 0};
    cr_assert(is_kept(&seen));
    cr_expect_not(seen.is_other_program);
    tell('e');
    tell('-'); /* which the other one answers */
    cr_expect(look(&seen));
    cr_expect(seen.is_other_program);
}

Test(kept_maps, very_many_are_not_kept)
{
    struct seen first, again;
    tell('m');
    cr_expect(look(&first));
    for (int i = 0; i < 10; i++)
        cr_expect(look(&again));
    cr_expect_geq(again.of_file, MANY_PAGES - 1);
    cr_expect_eq(first.sum, again.sum);
}

/* A process with the same places; 0: on a busy host others had its number each time. */
static pid_t start_neighbour(void)
{
    for (int i = 0; i < 16 * KEPT_MAPS_PLACES; i++) {
        const pid_t before = vfork(); /* the next process has the next number, and costs much more */
        if (before == 0)
            _exit(0);
        waitpid(before, NULL, 0);
        if ((before + 1 - child) % KEPT_MAPS_PLACES != 0)
            continue;
        const pid_t other = fork();
        if (other == 0)
            for (;;)
                pause();
        if ((other - child) % KEPT_MAPS_PLACES == 0)
            return other;
        kill(other, SIGKILL);
        waitpid(other, NULL, 0);
    }
    return 0;
}

Test(kept_maps, of_a_process_with_the_same_places_push_nobody_out)
{
    struct seen seen = {.count = 0}, of_other = seen;
    const pid_t other = start_neighbour();
    bool is_recalled = false;
    for (int i = 0; other > 0 && i < TURNS && !is_recalled; i++) {
        look(&seen);
        kept_maps_visit(other, see, &of_other);
        is_recalled = !look(&seen);
    }
    if (other == 0)
        cr_skip("no process has got that number");
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    cr_expect(is_recalled);
}

Test(kept_maps, of_a_process_that_is_gone_are_not_given)
{
    struct seen seen = {.count = 0};
    cr_assert(is_kept(&seen));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    seen.count = 0;
    cr_expect_neq(kept_maps_visit(child, see, &seen), 0);
    cr_expect_eq(seen.count, 0);
}

/* Many processes have come and gone, and nobody has their numbers now: none is kept. */
Test(kept_maps, of_processes_that_are_gone_are_dropped)
{
    enum { PROCESSES = 50 };
    struct seen seen = {.count = 0};
    for (int i = 0; i < PROCESSES; i++) {
        const pid_t passing = fork();
        if (passing == 0)
            for (;;)
                pause();
        kept_maps_visit(passing, see, &seen);
        kill(passing, SIGKILL);
        waitpid(passing, NULL, 0);
    }
    cr_expect_gt(kept_maps_count(), 1); /* on a busy machine, the first ones may be too old by now */
    nanosleep(&(struct timespec){.tv_sec = (time_t)KEPT_MAPS_S, .tv_nsec = 1}, NULL);
    look(&seen); /* at another one, and once more after the time has passed */
    cr_expect_leq(kept_maps_count(), 1);
}
