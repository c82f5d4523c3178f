/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes lines that several pages have.
 */
#include "replies/replies.h"

#include "facts/facts.h"

#include <inttypes.h>

void page_communicator_name(struct page_lines *page, const struct reading *reading, const char *label,
                            uint64_t unique_id)
{
    const struct mpilens_communicator *communicator =
        unique_id != 0 ? snapshot_communicator_by_id(&reading->snapshot, unique_id) : NULL;
    char name[sizeof communicator->name];
    struct text text = text_begin(name, sizeof name);
    if (communicator == NULL)
        return;
    text_add_communicator(&text, reading, communicator);
    page_add(page, 0, label, page_name(communicator->handle, name).text);
}

void page_truth(struct page_lines *page, const char *label, bool truth)
{
    page_add(page, 0, label, truth ? "yes" : "no");
}

void page_hexadecimal(struct page_lines *page, const char *label, uint64_t number)
{
    page_write(page, 0, label, "0x%" PRIx64, number);
}
