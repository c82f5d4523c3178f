/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drives a host, the callbacks of a debugger, through the message-queue interface (MQD 1.0, section 5):
 *
 *   check_host EXPECTED TARGET...
 *
 * Each callback is tried by itself, then the library is asked for all that it finds in each target, which must be what
 * the file EXPECTED says. Exit status: 0 all is well, 1 the host is wrong, 2 a file is.
 */
#include "kit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 14 };

static int problems;
static const char *target_name;

static void check(int is_right, const char *callback, const char *wrong)
{
    if (is_right)
        return;
    problems++;
    printf("%s: %s %s\n", target_name, callback, wrong);
}

static void check_memory(void)
{
    char *one = kit_host.basic->mqs_malloc_fp(1), *other = kit_host.basic->mqs_malloc_fp(1000);
    check(one != NULL && other != NULL && one != other, "mqs_malloc_fp", "does not give two blocks");
    check((uintptr_t)other % _Alignof(max_align_t) == 0, "mqs_malloc_fp", "gives a block that is not aligned");
    if (other != NULL)
        memset(other, 1, 1000);
    kit_host.basic->mqs_free_fp(one);
    kit_host.basic->mqs_free_fp(other);
}

static void check_symbols(mqs_image *image, const struct kit_target *target)
{
    char known[] = "mpilens_process", unknown[] = "mpilens_no_such_symbol";
    mqs_taddr_t address = 1;
    check(kit_host.image->mqs_find_symbol_fp(image, unknown, &address) != mqs_ok, "mqs_find_symbol_fp",
          "finds a symbol that does not exist");
    check(kit_host.image->mqs_find_symbol_fp(image, known, &address) == mqs_ok && address == target->symbol,
          "mqs_find_symbol_fp", "does not find mpilens_process where it is");
}

static void check_fetches(mqs_process *process, const struct kit_target *target)
{
    unsigned char bytes[64] = {0};
    const mqs_taddr_t end = target->base + target->bytes;
    int (*fetch)(mqs_process *, mqs_taddr_t, int, void *) = kit_host.process->mqs_fetch_data_fp;
    for (int size = 1; size <= (int)sizeof bytes; size++)
        check(fetch(process, target->symbol + 1, size, bytes) == mqs_ok &&
                  memcmp(bytes, target->memory + (target->symbol + 1 - target->base), (size_t)size) == 0,
              "mqs_fetch_data_fp", "gives other bytes than the process has");
    check(fetch(process, end - sizeof bytes, sizeof bytes, bytes) == mqs_ok, "mqs_fetch_data_fp",
          "does not give the last bytes");
    check(fetch(process, end - 1, 2, bytes) != mqs_ok, "mqs_fetch_data_fp",
          "says that it has read all bytes where one cannot be read");
    check(fetch(process, 16, 1, bytes) != mqs_ok, "mqs_fetch_data_fp", "reads what cannot be read");
}

static void add(char *text, const char *format, const char *name, long one, long two, long three)
{
    const size_t used = strlen(text);
    snprintf(text + used, MOST_TEXT - used, format, name, one, two, three);
}

static void list_operations(mqs_process *process, char *text)
{
    static const char *const names[] = {"send", "receive", "unexpected"};
    for (int queue = mqs_pending_sends; queue <= mqs_unexpected_messages; queue++) {
        mqs_pending_operation operation;
        if (mqs_setup_operation_iterator(process, queue) != mqs_ok)
            continue;
        while (mqs_next_operation(process, &operation) == mqs_ok)
            add(text, "  %s: rank %ld, tag %ld, %ld bytes\n", names[queue], operation.desired_local_rank,
                operation.tag_wild ? -1 : operation.desired_tag, operation.desired_length);
    }
}

static void list_communicators(mqs_process *process, char *text)
{
    mqs_communicator communicator;
    for (int code = mqs_setup_communicator_iterator(process); code == mqs_ok; code = mqs_next_communicator(process)) {
        if (mqs_get_communicator(process, &communicator) != mqs_ok)
            continue;
        add(text, "%s: %ld of %ld\n", communicator.name, communicator.local_rank, communicator.size, 0);
        list_operations(process, text);
    }
}

static void check_process(mqs_image *image, mqs_process *process, const char *expected)
{
    static char text[MOST_TEXT];
    char *message = NULL;
    text[0] = '\0';
    check(mqs_setup_image(image, kit_host.image) == mqs_ok, "mqs_setup_image", "fails");
    check(mqs_image_has_queues(image, &message) == mqs_ok, "mqs_get_image_info_fp", "does not give what was put");
    check(mqs_setup_process(process, kit_host.process) == mqs_ok, "mqs_setup_process", "fails");
    mqs_process_info *process_info = kit_host.basic->mqs_get_process_info_fp(process);
    mqs_image_info *image_info = kit_host.basic->mqs_get_image_info_fp(image);
    check(process_info != NULL && (void *)process_info != (void *)image_info, "mqs_get_process_info_fp",
          "does not give what was put");
    message = NULL;
    const int code = mqs_process_has_queues(process, &message);
    check(code == mqs_ok, "mqs_process_has_queues", message != NULL ? message : "fails");
    if (code == mqs_ok && mqs_update_communicator_list(process) == mqs_ok)
        list_communicators(process, text);
    check(strcmp(text, expected) == 0, "what is found", "differs from what is expected:");
    if (strcmp(text, expected) != 0)
        fputs(text, stdout);
    mqs_destroy_process_info(process_info);
    mqs_destroy_image_info(image_info);
    kit_host.basic->mqs_put_process_info_fp(process, NULL);
    kit_host.basic->mqs_put_image_info_fp(image, NULL);
}

static int check_target(const char *path, const char *expected)
{
    struct kit_target target;
    const char *problem = target_file_open(path, &target);
    target_name = path;
    if (problem != NULL) {
        printf("%s %s\n", path, problem);
        return 2;
    }
    mqs_image *image = NULL;
    mqs_process *process = kit_host.open(&target, &image);
    check(process != NULL && image != NULL, "open", "gives no process");
    if (process != NULL && image != NULL) {
        check(kit_host.basic->mqs_get_image_info_fp(image) == NULL, "mqs_get_image_info_fp",
              "gives something before anything was put");
        check(kit_host.basic->mqs_get_process_info_fp(process) == NULL, "mqs_get_process_info_fp",
              "gives something before anything was put");
        check(kit_host.process->mqs_get_image_fp(process) == image, "mqs_get_image_fp", "gives another image");
        check_symbols(image, &target);
        check_fetches(process, &target);
        check_process(image, process, expected);
        kit_host.close(process, image);
    }
    target_file_close(&target);
    return 0;
}

static int read_expected(const char *path, char *text)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    text[fread(text, 1, MOST_TEXT - 1, file)] = '\0';
    fclose(file);
    return 1;
}

int main(int argc, char **argv)
{
    static char expected[MOST_TEXT];
    if (argc < 3) {
        fprintf(stderr, "usage: %s EXPECTED TARGET...\n", argv[0]);
        return 2;
    }
    if (!read_expected(argv[1], expected)) {
        fprintf(stderr, "%s: cannot be opened\n", argv[1]);
        return 2;
    }
    mqs_setup_basic_callbacks(kit_host.basic);
    target_name = "memory";
    check_memory();
    for (int i = 2; i < argc; i++)
        if (check_target(argv[i], expected) != 0)
            return 2;
    printf("%d target%s, %d problem%s\n", argc - 2, argc == 3 ? "" : "s", problems, problems == 1 ? "" : "s");
    return problems == 0 ? 0 : 1;
}
