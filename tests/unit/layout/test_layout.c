/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The descriptors that a runtime exports, its debug information, gdb's opinion of it and the structs of layout.h: all
 * say the same, and without debug information the descriptors still do. MPILENS_RUNTIME names the library.
 */
#include "runtime_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *runtime_path(void)
{
    const char *path = getenv("MPILENS_RUNTIME");
    cr_assert(path, "MPILENS_RUNTIME is not set");
    return path;
}

struct expected_field {
    const char *name;
    uint32_t offset;
    uint32_t size;
};

struct expected_struct {
    const char *name;
    uint32_t size;
    int first_field;
    int end_field;
};

static const struct expected_field fields[MPILENS_FIELD_COUNT] = {
#define MPILENS_STRUCT(name)
#define MPILENS_FIELD(name, type, field)                                                                               \
    {#field, offsetof(struct mpilens_##name, field), sizeof(((struct mpilens_##name *)0)->field)},
#define MPILENS_ARRAY(name, type, field, elements)    MPILENS_FIELD(name, type, field)
#define MPILENS_NESTED(name, nested, field, elements) MPILENS_FIELD(name, nested, field)
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
};

static const struct expected_struct structs[MPILENS_STRUCT_COUNT] = {
#define MPILENS_STRUCT(name)                                                                                           \
    {"mpilens_" #name, sizeof(struct mpilens_##name), MPILENS_FIRST_FIELD_##name, MPILENS_END_FIELD_##name},
#define MPILENS_FIELD(name, type, field)
#define MPILENS_ARRAY(name, type, field, elements)
#define MPILENS_NESTED(name, nested, field, elements)
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
};

Test(layout, only_the_last_field_of_a_struct_may_be_reserved)
{
    for (int i = 0; i < MPILENS_STRUCT_COUNT; i++)
        for (int field = structs[i].first_field; field < structs[i].end_field - 1; field++)
            cr_assert(strncmp(fields[field].name, "reserved", strlen("reserved")) != 0, "%s of %s", fields[field].name,
                      structs[i].name);
}

static void check_root(const char *path)
{
    struct mpilens_process root;
    bool in_section = false;
    cr_assert(runtime_file_root(path, &root, &in_section), "%s has no dynamic symbol mpilens_process", path);
    cr_assert(in_section, "mpilens_process is not at the start of its section");
    cr_assert(memcmp(root.magic, MPILENS_MAGIC, sizeof root.magic) == 0);
    cr_assert_eq(root.byte_order, MPILENS_BYTE_ORDER);
    cr_assert_eq(root.layout_major, MPILENS_LAYOUT_MAJOR);
    cr_assert_eq(root.layout_minor, MPILENS_LAYOUT_MINOR);
    cr_assert_eq(root.word_size, sizeof(void *));
    cr_assert_eq(root.process_size, sizeof root);
    cr_assert_eq(root.struct_count, MPILENS_STRUCT_COUNT);
    cr_assert_eq(root.field_count, MPILENS_FIELD_COUNT);
    cr_assert_eq(root.structs_offset, offsetof(struct mpilens_process, struct_descriptors));
    cr_assert_eq(root.fields_offset, offsetof(struct mpilens_process, field_descriptors));
    for (int i = 0; i < MPILENS_STRUCT_COUNT; i++) {
        cr_assert_eq(root.struct_descriptors[i].size, structs[i].size, "size of %s", structs[i].name);
        cr_assert_eq(root.struct_descriptors[i].first_field, (uint32_t)structs[i].first_field, "fields of %s",
                     structs[i].name);
        cr_assert_eq(root.struct_descriptors[i].field_count, (uint32_t)(structs[i].end_field - structs[i].first_field));
    }
    for (int i = 0; i < MPILENS_FIELD_COUNT; i++) {
        cr_assert_eq(root.field_descriptors[i].offset, fields[i].offset, "offset of %s", fields[i].name);
        cr_assert_eq(root.field_descriptors[i].size, fields[i].size, "size of %s", fields[i].name);
    }
    cr_assert_eq(root.world_rank, -1, "before MPI is used the rank is not known");
    cr_assert_eq(root.state, MPILENS_PROCESS_UNUSED);
}

Test(layout, the_library_exports_its_layout)
{
    check_root(runtime_path());
}

Test(layout, a_stripped_library_exports_its_layout)
{
    char stripped[] = "/tmp/mpilens-stripped-XXXXXX";
    char command[4096];
    int file = mkstemp(stripped);
    cr_assert_geq(file, 0);
    close(file);
    snprintf(command, sizeof command, "strip --strip-all -o '%s' '%s'", stripped, runtime_path());
    cr_assert_eq(system(command), 0, "%s", command); /* NOLINT(cert-env33-c): a test's own command */
    struct runtime_file_type type;
    bool still_described = runtime_file_type(stripped, "mpilens_operation", &type);
    check_root(stripped);
    unlink(stripped);
    cr_assert_not(still_described, "strip has left the debug information: this shows nothing");
}

Test(layout, debug_information_agrees_with_the_descriptors)
{
    for (int i = 0; i < MPILENS_STRUCT_COUNT; i++) {
        struct runtime_file_type type;
        cr_assert(runtime_file_type(runtime_path(), structs[i].name, &type), "no debug information for struct %s",
                  structs[i].name);
        cr_assert_eq(type.size, structs[i].size, "size of %s", structs[i].name);
        cr_assert_eq(type.member_count, structs[i].end_field - structs[i].first_field, "members of %s",
                     structs[i].name);
        for (int k = 0; k < type.member_count; k++) {
            const struct expected_field *field = &fields[structs[i].first_field + k];
            cr_assert_str_eq(type.members[k].name, field->name);
            cr_assert_eq(type.members[k].offset, field->offset, "offset of %s.%s", structs[i].name, field->name);
            cr_assert_eq(type.members[k].size, field->size, "size of %s.%s", structs[i].name, field->name);
        }
    }
}

/* Compares one line of `ptype /o`: comment with offset and size, then the declaration; of a union, the next line
 * declares its first member. */
static bool same_in_gdb(const char *text, const struct expected_field *field)
{
    for (const char *line = text; line != NULL && *line;
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
        unsigned long offset;
        unsigned long size;
        char declaration[256];
        if (sscanf(line, "/* %lu | %lu */ union {\n/* %*u */ %255[^\n;]", &offset, &size, declaration) != 3 &&
            sscanf(line, "/* %lu | %lu */ %255[^\n;]", &offset, &size, declaration) != 3)
            continue;
        char *dimension = strchr(declaration, '[');
        if (dimension != NULL)
            *dimension = '\0';
        const char *name = strrchr(declaration, ' ');
        if (name != NULL && strcmp(name + 1, field->name) == 0)
            return offset == field->offset && size == field->size;
    }
    return false;
}

/* Structs of structs are shown with all their inner lines; the outer members of the root, of communicators and of
 * groups stand in the test above. */
static bool has_structs(int kind)
{
    return kind == MPILENS_STRUCT_process || kind == MPILENS_STRUCT_communicator || kind == MPILENS_STRUCT_group;
}

/* The answers of one gdb about all structs, each behind a line "struct NAME:"; the caller frees it. */
static char *read_ptypes(void)
{
    char *command = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&command, &bytes);
    cr_assert(stream);
    fputs("gdb -nx -batch", stream);
    for (int i = 0; i < MPILENS_STRUCT_COUNT; i++)
        if (!has_structs(i))
            fprintf(stream, " -ex 'echo \\nstruct %s:\\n' -ex 'ptype /o struct %s'", structs[i].name, structs[i].name);
    fprintf(stream, " '%s' 2>/dev/null", runtime_path());
    fclose(stream);

    FILE *output = popen(command, "r"); /* NOLINT(cert-env33-c): a test's own command */
    cr_assert(output);
    enum { MOST_BYTES = 1 << 20 };
    char *text = calloc(1, MOST_BYTES);
    cr_assert(text);
    cr_assert_lt(fread(text, 1, MOST_BYTES - 1, output), MOST_BYTES - 1);
    cr_assert_eq(pclose(output), 0, "%s", command);
    free(command);
    return text;
}

Test(layout, gdb_shows_the_same_offsets)
{
    char *text = read_ptypes();
    for (int i = 0; i < MPILENS_STRUCT_COUNT; i++) {
        if (has_structs(i))
            continue;
        char head[128];
        snprintf(head, sizeof head, "\nstruct %s:\n", structs[i].name);
        const char *begin = strstr(text, head);
        cr_assert(begin, "gdb says nothing of struct %s:\n%s", structs[i].name, text);
        begin += strlen(head);
        const char *next = strstr(begin, "\nstruct ");
        char *part = strndup(begin, next ? (size_t)(next - begin) : strlen(begin));
        cr_assert(part);
        for (int k = structs[i].first_field; k < structs[i].end_field; k++)
            cr_assert(same_in_gdb(part, &fields[k]), "gdb has %s.%s elsewhere:\n%s", structs[i].name, fields[k].name,
                      part);
        free(part);
    }
    free(text);
}
