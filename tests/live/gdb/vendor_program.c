/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program with the queue that vendor_dll.c reads; nothing of MPI.
 */
typedef struct vendor_message {
    int peer;
    int tag;
    long bytes;
    struct vendor_message *next;
} vendor_message;

static vendor_message second = {3, 12, 1l << 40, 0};
static vendor_message first = {-1, 11, 16, &second};
vendor_message *vendor_queue = &first;

int main(void)
{
    return vendor_queue->tag == 0;
}
