/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that are written under a name: made without one, written through one descriptor, and named when they are
 * whole; and files of others that mpilens adds to.
 */
#ifndef MPILENS_INSPECT_FILE_FILE_H
#define MPILENS_INSPECT_FILE_FILE_H

#include "base/base.h"

#include <sys/types.h>

/* -- appended_file.c --
 * Files of others that mpilens adds to, such as the summary of a step of CI.
 */

/* Opens the file for writing at its end, and makes it if it is not there. A link in the place of the file is not
 * followed, whoever made it; one to a directory on the way as by output_directory_open(). 0 and a descriptor, or -1 and
 * a reason. */
int appended_file_open(const char *path, int *ret_descriptor, struct reason *ret_reason);

/* -- output_directory.c --
 * The directory in which a file is to be written, opened once: names in it mean the same to the end.
 */

/* Opens the directory of `path`. A symbolic link on the way is followed if it belongs to root or to the caller: anybody
 * else may have planted it. *ret_name: the last part of `path`, in it. 0 and a descriptor that is open for its place
 * only, or -1 and a reason. */
int output_directory_open(const char *path, int *ret_directory, const char **ret_name, struct reason *ret_reason);

/* -- output_file.c -- Files that mpilens writes under a name. Each is made without a name, or under one that is only
 * compared, written through its descriptor, and gets its name when it is whole. An old file of that name stays until
 * then. Users who may write in the directory can take the name away again, but cannot lead a write or a read elsewhere.
 */

struct output_file {
    const char *path; /* as the user has named it */
    const char *name; /* the last part of that */
    int directory;
    int descriptor;  /* open for reading and writing */
    char *temporary; /* its name in the directory so far; NULL: it has none */
};

/* The mode of a file that has no secrets. */
#define OUTPUT_MODE_OF_UMASK ((mode_t)-1)
/* That of others, which say what a program did. */
#define OUTPUT_MODE_PRIVATE ((mode_t)0600)

/* Makes an empty file that will be `path`, which must last as long as it. 0 and a file to be finished or discarded, or
 * -1 and a reason: for example, the path exists and is no file. */
int output_file_create(const char *path, mode_t mode, struct output_file *ret_file, struct reason *ret_reason);
/* Gives it its name when its bytes are on the disk. Closes it. 0, or -1 and a reason: an old file is still there then,
 * unless somebody else has removed it. */
int output_file_finish(struct output_file *file, struct reason *ret_reason);
/* Closes it. Nothing is left of it. Does nothing for one that was finished. */
void output_file_discard(struct output_file *file);

/* -1 and a reason that says that the file cannot be written, and why by errno. */
int output_file_fail(const struct output_file *file, int error, struct reason *ret_reason);

/* A file in the directory for temporary files that never has a name for others to find. Its descriptor, or -1 and
 * errno. */
int unnamed_file_create(void);

/* A stream from the beginning of the file, which stays open. NULL and errno. */
FILE *file_open_stream(int descriptor, const char *mode);

/* -- zip_file.c --
 * Several files in one, as every system opens it.
 */

struct zip_file {
    struct output_file file;
    FILE *stream;
    struct zip_entry *entries;
    size_t entry_count;
    uint64_t bytes; /* written so far */
    int error;      /* errno of what failed first; 0: nothing */
};

/* As output_file_create. */
int zip_file_create(const char *path, mode_t mode, struct zip_file *ret_zip, struct reason *ret_reason);
/* Adds a file of this name, which is ASCII and may have slashes, and of that time. Failures are told at the end. */
void zip_file_add(struct zip_file *zip, const char *name, const void *bytes, size_t count, time_t changed);
/* As output_file_finish; *ret_bytes is how large it is. */
int zip_file_finish(struct zip_file *zip, uint64_t *ret_bytes, struct reason *ret_reason);
/* Nothing is left of it. Does nothing for one that was finished. */
void zip_file_discard(struct zip_file *zip);

#endif
