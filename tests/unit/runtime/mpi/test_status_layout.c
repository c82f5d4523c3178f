/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A status is read with nothing but the root.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(status_layout, .init = begin_mpi);

static uint32_t word_at(const MPI_Status *status, uint32_t offset)
{
    uint32_t word;
    cr_assert_leq(offset + sizeof word, mpilens_process.status_layout->bytes);
    memcpy(&word, (const char *)status + offset, sizeof word);
    return word;
}

Test(status_layout, leads_to_everything_in_a_status)
{
    const struct mpilens_status_layout *layout = mpilens_process.status_layout;
    const uint64_t bytes = UINT64_C(0x123456789);
    const MPI_Status status = fake_status(3, 17, bytes, true);
    cr_assert_eq(layout->bytes, sizeof status);
    cr_assert_eq(word_at(&status, layout->source), 3);
    cr_assert_eq(word_at(&status, layout->tag), 17);
    cr_assert_eq(word_at(&status, layout->error), 1234);
    cr_assert_eq(layout->encoding, MPILENS_STATUS_PACKED);
    uint32_t high = word_at(&status, layout->count + 4);
    cr_assert_eq(word_at(&status, layout->count) | ((uint64_t)(high >> 1) << 32), bytes);
    cr_assert_eq(high & 1, 1, "cancelled");
    cr_assert_eq(word_at(&status, layout->cancelled), high);
}

Test(status_layout, comes_with_what_stands_for_no_status)
{
    cr_assert_eq(mpilens_process.status_ignore, address_of(MPI_STATUS_IGNORE));
    cr_assert_eq(mpilens_process.statuses_ignore, address_of(MPI_STATUSES_IGNORE));
}
