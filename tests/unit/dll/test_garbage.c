/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets that hold random nonsense, by the thousand.
 */
#include "fake_contents.h"
#include "length.h"
#include "tested_job.h"
#include "walk.h"

#include <criterion/criterion.h>

TestSuite(garbage, .init = create_small_populated_job, .fini = close_job);

static uint64_t random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool is_possible(int code)
{
    return code == mqs_ok || code == mqs_end_of_list ||
           (code >= mqs_first_user_code && code <= MPILENS_ERROR_BEYOND_BUDGET);
}

/* Bytes, bits, and words that may pass for counts and addresses. */
static void spoil(struct fake_target *target, size_t begin, uint64_t *state)
{
    uint64_t number = random_number(state);
    size_t at = begin + number % (target->used - begin);
    switch ((number >> 56) % 4) {
    case 0:
        target->memory[at] = (uint8_t)(number >> 40);
        break;
    case 1:
        target->memory[at] ^= (uint8_t)(1u << (number >> 40) % 8);
        break;
    case 2: {
        const uint32_t words[] = {0, 1, 2, 3, 16, 1000, 0x7fffffff, UINT32_MAX};
        fake_target_put_integer(target, target->base + at / 4 * 4, 4, words[(number >> 40) % 8]);
        break;
    }
    default:
        fake_target_put_integer(target, target->base + at / 8 * 8, 8,
                                target->base + random_number(state) % target->used / 8 * 8);
        break;
    }
}

/* Whatever the bytes from `begin` on are: no crash, no more reads than a sane state of that size needs, codes with
 * sentences. */
static struct walk_result check_garbage(uint64_t seed, size_t begin, unsigned spoils)
{
    struct fake_target *target = opened.job.target;
    uint8_t *saved = malloc(target->used);
    cr_assert_not_null(saved);
    memcpy(saved, target->memory, target->used);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (unsigned i = 0; i < spoils; i++)
        spoil(target, begin, &state);
    opened.debugger.reads = 0;
    opened.debugger.bytes_read = 0;
    opened.debugger.allocation_limit = (size_t)64 << 20;
    int code = fake_debugger_open(&opened.debugger);
    cr_assert(is_possible(code), "seed %lu", (unsigned long)seed);
    struct walk_result result = walk_everything(opened.process, 0);
    cr_assert(is_possible(result.update) && is_possible(result.setup), "seed %lu", (unsigned long)seed);
    cr_assert_eq(result.wrong, 0, "seed %lu", (unsigned long)seed);
    cr_assert_lt(opened.debugger.reads, 1000, "seed %lu", (unsigned long)seed);
    cr_assert_lt(opened.debugger.bytes_read, (uint64_t)1 << 26, "seed %lu", (unsigned long)seed);
    cr_assert_eq(fake_debugger_close(&opened.debugger), 0, "seed %lu", (unsigned long)seed);
    memcpy(target->memory, saved, target->used);
    free(saved);
    return result;
}

Test(garbage, images_with_a_few_wrong_places_do_no_harm)
{
    const uint64_t images = length_of(6000);
    uint64_t readable = 0;
    for (uint64_t seed = 1; seed <= images; seed++)
        readable += check_garbage(seed, 0, 1 + (unsigned)(seed % 10)).update == mqs_ok;
    cr_assert(readable > images / 10 && readable < images / 10 * 9, "%lu", (unsigned long)readable);
}

Test(garbage, images_with_objects_of_every_kind_do_no_harm)
{
    fake_objects_add(&objects, &opened.job);
    struct fake_contents contents;
    fake_contents_add(&contents, &opened.job, &objects);
    fake_target_publish(opened.job.target);
    const uint64_t images = length_of(4000);
    uint64_t readable = 0;
    uint64_t found = 0;
    for (uint64_t seed = 1; seed <= images; seed++) {
        const struct walk_result result = check_garbage(
            seed + 200000, opened.job.target->struct_size[MPILENS_STRUCT_process], (unsigned)(seed % 100));
        readable += result.update == mqs_ok;
        found += result.objects;
    }
    cr_assert(readable > images / 10 && readable < images / 40 * 39, "%lu", (unsigned long)readable);
    cr_assert_gt(found, images);
}

Test(garbage, images_with_wrong_places_after_the_root_do_no_harm)
{
    const size_t root_end = opened.job.target->struct_size[MPILENS_STRUCT_process];
    const uint64_t images = length_of(6000);
    uint64_t readable = 0;
    for (uint64_t seed = 1; seed <= images; seed++)
        readable += check_garbage(seed + 100000, root_end, 1 + (unsigned)(seed % 400)).update == mqs_ok;
    cr_assert(readable > images / 10 && readable < images / 10 * 9, "%lu", (unsigned long)readable);
}
