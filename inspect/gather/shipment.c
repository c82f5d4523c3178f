/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packs, sends and unpacks the command.
 */
#include "gather/gather.h"
#include "gather/gather_internal.h"

#include "base/base.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* The layout of a build tree, in which the command finds the library. */
#define DIRECTORY_NAME "mpilens-ship."
static const char mark_variable[] = "MPILENS_SHIPPED";
static const size_t most_file_bytes = (size_t)1 << 28;

struct shipped_file {
    const char *path; /* here */
    const char *name; /* in the directory there */
    size_t bytes;
};

struct shipped_files {
    struct shipped_file *items;
    size_t count;
};

static void add_file(struct shipped_files *files, const char *path, const char *directory, const char *name)
{
    files->items = arena_append(files->items, &files->count, sizeof *files->items);
    files->items[files->count - 1] =
        (struct shipped_file){.path = arena_copy(path), .name = arena_text("%s/%s", directory, name)};
}

static int add_library(struct dl_phdr_info *library, size_t size, void *context)
{
    struct shipped_files *files = context;
    const char *name = file_name(library->dlpi_name);
    (void)size;
    if (library->dlpi_name[0] != '/' || is_of_c_library(name) || strncmp(name, "libmpilens", 10) == 0)
        return 0;
    add_file(files, library->dlpi_name, "libraries", name);
    return 0;
}

static int list_files(struct shipped_files *files, struct reason *ret_reason)
{
    char *library = installation_find("libmpilens_dll.so", "dll", ret_reason);
    if (library == NULL)
        return -1;
    add_file(files, "/proc/self/exe", "inspect", "mpilens");
    add_file(files, library, "dll", "libmpilens_dll.so");
    free(library);
    dl_iterate_phdr(add_library, files);
    return 0;
}

/* gzip in memory. */
struct packer {
    z_stream stream;
    char *bytes;
    size_t count, room;
};

static void pack(struct packer *packer, const char *bytes, size_t count, int flush)
{
    packer->stream.next_in = (Bytef *)bytes; /* zlib does not write there */
    packer->stream.avail_in = (uInt)count;
    do {
        if (packer->count == packer->room) {
            const size_t room = packer->room > 0 ? packer->room * 2 : (size_t)1 << 20;
            char *larger = allocate(room);
            if (packer->count > 0)
                memcpy(larger, packer->bytes, packer->count);
            free(packer->bytes);
            packer->bytes = larger;
            packer->room = room;
        }
        packer->stream.next_out = (Bytef *)packer->bytes + packer->count;
        packer->stream.avail_out = (uInt)(packer->room - packer->count);
        deflate(&packer->stream, flush);
        packer->count = packer->room - packer->stream.avail_out;
    } while (packer->stream.avail_out == 0);
}

static int pack_file(struct packer *packer, struct shipped_file *file, struct reason *ret_reason)
{
    char bytes[1 << 16];
    size_t count;
    FILE *stream = fopen(file->path, "re");
    if (stream == NULL)
        return reason_set(ret_reason, "%s cannot be sent: %s", file->path, strerror(errno));
    while ((count = fread(bytes, 1, sizeof bytes, stream)) > 0 && file->bytes < most_file_bytes) {
        pack(packer, bytes, count, Z_NO_FLUSH);
        file->bytes += count;
    }
    const bool is_whole = ferror(stream) == 0 && feof(stream) != 0;
    fclose(stream);
    return is_whole ? 0 : reason_set(ret_reason, "%s cannot be sent: it cannot be read to its end", file->path);
}

static int pack_files(struct shipped_files *files, struct shipment *shipment, struct reason *ret_reason)
{
    enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    struct packer packer = {.count = 0};
    if (deflateInit2(&packer.stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return reason_set(ret_reason, "mpilens cannot be packed");
    int result = 0;
    for (size_t i = 0; i < files->count && result == 0; i++)
        result = pack_file(&packer, &files->items[i], ret_reason);
    if (result == 0)
        pack(&packer, NULL, 0, Z_FINISH);
    deflateEnd(&packer.stream);
    shipment->bytes = packer.bytes;
    shipment->count = packer.count;
    return result;
}

/* One line, without what shells other than sh and engines take for theirs (!, %). Its words: the program, the number of
 * bytes, what the program is to do. head takes no byte more than it is told to. Only root and the user may be able to
 * change what is in the directory: it is run from there. */
static const char *write_script(const struct shipped_files *files)
{
    FILE *stream = arena_open();
    fputs(
        "program=$1; bytes=$2; shift 2; "
        "if \"$program\" --version >/dev/null 2>&1; then head -c \"$bytes\" >/dev/null; exec \"$program\" \"$@\"; fi; "
        "umask 077; d=; user=$(id -u); "
        "for place in \"${TMPDIR:-/tmp}\" /tmp /var/tmp /dev/shm; do "
        "case $(ls -ldn \"$place/.\" 2>/dev/null | while read -r mode links owner rest; do echo \"$mode $owner\"; "
        "done) "
        "in d????[-]??[-]?*\" 0\" | d????????[tT]*\" 0\" | d????[-]??[-]?*\" $user\" | d????????[tT]*\" $user\") ;; "
        "*) continue;; esac; "
        "d=$(mktemp -d \"$place/" DIRECTORY_NAME "XXXXXX\" 2>/dev/null) || continue; "
        "echo exit >\"$d/try\"; chmod 700 \"$d/try\"; if \"$d/try\" 2>/dev/null; then break; fi; "
        "rm -rf \"$d\"; d=; done; "
        "if [ -z \"$d\" ]; then echo mpilens cannot be sent: no directory there takes programs >&2; exit 126; fi; "
        "trap 'rm -rf \"$d\"' EXIT; trap 'exit 126' HUP INT TERM; "
        "mkdir \"$d/inspect\" \"$d/dll\" \"$d/libraries\"; "
        "head -c \"$bytes\" >\"$d/all.gz\" && gzip -d \"$d/all.gz\" || "
        "{ echo mpilens cannot be sent: it has not arrived whole >&2; exit 126; }; { ",
        stream);
    for (size_t i = 0; i < files->count; i++)
        fprintf(stream, "head -c %zu >\"$d/%s\"; ", files->items[i].bytes, files->items[i].name);
    fputs("} <\"$d/all\"; rm \"$d/all\"; chmod 700 \"$d/inspect/mpilens\"; "
          "export LD_LIBRARY_PATH=\"$d/libraries\" MPILENS_SHIPPED=1; "
          "\"$d/inspect/mpilens\" --version >/dev/null 2>\"$d/why\" || "
          "{ echo mpilens was sent but cannot run there: $(head -n 1 \"$d/why\") >&2; exit 126; }; "
          "trap - EXIT HUP INT TERM; exec \"$d/inspect/mpilens\" \"$@\"",
          stream);
    return arena_close(stream);
}

int shipment_make(struct shipment *ret_shipment, struct reason *ret_reason)
{
    struct shipped_files files = {.count = 0};
    struct shipment shipment = {.count = 0};
    const int result = list_files(&files, ret_reason) == 0 && pack_files(&files, &shipment, ret_reason) == 0 ? 0 : -1;
    if (result == 0) {
        shipment.script = write_script(&files);
        *ret_shipment = shipment;
    } else {
        free(shipment.bytes);
    }
    return result;
}

void shipment_wrap(const struct shipment *shipment, struct engine_words *command)
{
    struct engine_words words = {.count = 0};
    engine_words_add(&words, "/bin/sh");
    engine_words_add(&words, "-c");
    engine_words_add(&words, "%s", shipment->script);
    engine_words_add(&words, "mpilens");
    engine_words_add(&words, "%s", command->items[0]);
    engine_words_add(&words, "%zu", shipment->count);
    engine_words_add_command(&words, (const char *const *)command->items + 1);
    *command = words;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

bool shipment_remove_own(void)
{
    enum { MOST_OPEN = 8 };
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (getenv(mark_variable) == NULL || length <= 0)
        return false;
    path[length] = '\0';
    for (int i = 0; i < 2; i++) { /* inspect/mpilens */
        char *slash = strrchr(path, '/');
        if (slash == NULL || slash == path)
            return false;
        *slash = '\0';
    }
    if (strncmp(file_name(path), DIRECTORY_NAME, sizeof DIRECTORY_NAME - 1) != 0)
        return false;
    nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    return true;
}
