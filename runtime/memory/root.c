/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root object, complete at link time: a reader can use it before MPI_Init, in a core file, and without DWARF. This
 * file is compiled with debug information of all types in every build, so that the structs are known to every debugger.
 */
#include "memory/memory.h"

#include "mpi/functions.h"

/* Whole pages, so that the root can be moved into the black box. */
#if defined(__aarch64__) || defined(__powerpc64__)
#define PAGE_BYTES 65536
#else
#define PAGE_BYTES 4096
#endif
#define TEXT(number)    #number
#define TEXT_OF(number) TEXT(number)
/* clang-format off */
__asm__(".pushsection " MPILENS_PROCESS_SECTION ", 1, \"aw\", @progbits\n"
        ".balign " TEXT_OF(PAGE_BYTES) "\n"
        ".globl mpilens__root_end\n"
        ".hidden mpilens__root_end\n"
        "mpilens__root_end:\n"
        ".popsection");
/* clang-format on */

__attribute__((section(MPILENS_PROCESS_SECTION), aligned(PAGE_BYTES), used,
               visibility("default"))) struct mpilens_process mpilens_process = {
    .magic = MPILENS_MAGIC,
    .byte_order = MPILENS_BYTE_ORDER,
    .layout_major = MPILENS_LAYOUT_MAJOR,
    .layout_minor = MPILENS_LAYOUT_MINOR,
    .word_size = sizeof(void *),
    .process_size = sizeof(struct mpilens_process),
    .structs_offset = offsetof(struct mpilens_process, struct_descriptors),
    .struct_count = MPILENS_STRUCT_COUNT,
    .fields_offset = offsetof(struct mpilens_process, field_descriptors),
    .field_count = MPILENS_FIELD_COUNT,
    .struct_descriptors =
        {
#define MPILENS_STRUCT(name)                                                                                           \
    {.size = sizeof(struct mpilens_##name),                                                                            \
     .first_field = MPILENS_FIRST_FIELD_##name,                                                                        \
     .field_count = MPILENS_END_FIELD_##name - MPILENS_FIRST_FIELD_##name},
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
        },
    .field_descriptors =
        {
#define MPILENS_STRUCT(name)
#define MPILENS_FIELD(name, type, field)                                                                               \
    {.offset = offsetof(struct mpilens_##name, field), .size = sizeof(((struct mpilens_##name *)0)->field)},
#define MPILENS_ARRAY(name, type, field, elements)    MPILENS_FIELD(name, type, field)
#define MPILENS_NESTED(name, nested, field, elements) MPILENS_FIELD(name, nested, field)
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
        },
#if UINTPTR_MAX == UINT64_MAX
    .functions = (uint64_t)mpilens__functions, /* elsewhere not a constant: at the first MPI call */
#endif
    .function_count = FUNCTION_COUNT,
    .world_rank = -1,
    .world_size = -1,
    .runtime_version = MPILENS_VERSION,
};
