/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting and decoding on their own.
 */
#include "fake_debugger.h"
#include "layout/layout.h"
#include "target/target.h"

#include <criterion/criterion.h>

static struct fake_debugger debugger;

static void create(void)
{
    fake_debugger_init(&debugger, NULL);
    mqs_setup_basic_callbacks(&debugger.basic);
}

TestSuite(sort, .init = create);

enum { LIMIT = 300 };

static void check_sorted(const struct sort_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct sort_entry *a = &entries[i - 1];
        const struct sort_entry *b = &entries[i];
        bool equal = a->major == b->major && a->middle == b->middle && a->minor == b->minor;
        bool ordered = a->major < b->major || (a->major == b->major && a->middle < b->middle) ||
                       (a->major == b->major && a->middle == b->middle && a->minor < b->minor);
        cr_assert(ordered || (equal && a->item < b->item), "at %zu of %zu", i, count);
    }
}

Test(sort, orders_any_number_of_entries_and_keeps_equal_ones_in_place)
{
    static const char items[LIMIT];
    struct sort_entry entries[LIMIT];
    uint64_t random = 12345;
    for (size_t count = 0; count <= LIMIT; count++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            entries[i] = (struct sort_entry){(random >> 60) % 3, (random >> 50) % 4,
                                             (random >> 40) % 5 * UINT64_C(1) << 50, &items[i]};
            sum += (uintptr_t)entries[i].item;
        }
        cr_assert_eq(sort_entries(entries, count), mqs_ok);
        check_sorted(entries, count);
        for (size_t i = 0; i < count; i++)
            sum -= (uintptr_t)entries[i].item;
        cr_assert_eq(sum, 0, "none is lost");
    }
    cr_assert_eq(fake_allocations_held(), 0);
}

Test(sort, takes_no_memory_for_what_is_in_order)
{
    struct sort_entry entries[LIMIT];
    for (size_t i = 0; i < LIMIT; i++)
        entries[i] = (struct sort_entry){1, i / 2, 0, &entries[i]};
    const uint64_t before = fake_allocations();
    cr_assert_eq(sort_entries(entries, LIMIT), mqs_ok);
    cr_assert_eq(fake_allocations(), before);
}

Test(sort, decodes_integers_of_every_size_and_both_byte_orders)
{
    const uint8_t bytes[8] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
    cr_assert_eq(decode_integer(bytes, 1, false), 0x01);
    cr_assert_eq(decode_integer(bytes, 2, false), 0x0201);
    cr_assert_eq(decode_integer(bytes, 2, true), 0x0102);
    cr_assert_eq(decode_integer(bytes, 4, false), 0x04030201);
    cr_assert_eq(decode_integer(bytes, 4, true), 0x01020304);
    cr_assert_eq(decode_integer(bytes, 8, false), UINT64_C(0x8807060504030201));
    cr_assert_eq(decode_integer(bytes, 8, true), UINT64_C(0x0102030405060788));
}

Test(sort, gets_no_array_whose_size_cannot_be_counted)
{
    const uint64_t before = fake_allocations();
    cr_assert_null(allocate_array(SIZE_MAX / 2, 3));
    cr_assert_null(allocate_array(SIZE_MAX, 1));
    cr_assert_eq(fake_allocations(), before, "the debugger was not asked");
    void *nothing = allocate_array(0, 8);
    cr_assert_not_null(nothing, "nothing is something, too");
    release(nothing);
    release(NULL);
}
