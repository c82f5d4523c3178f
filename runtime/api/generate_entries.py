#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the entries of one MPI: what comes before wrappers and before the functions of a Fortran binding.

generate_entries.py --summary functions.txt --fortran NAMES --output entries.S --output-objects fortran_objects.c

--summary is generate.py's: which functions are wrapped. --fortran: names that the Fortran binding exports; those of them get an entry whose C
function is wrapped, or whose choice buffer makes the binding call functions on datatypes. Names without the trailing underscore do not:
libraries in C have functions of such names (mpi_send), and calls meant for them would come here.

Entries are assembly, but for the functions that make objects without any C function in some bindings: those are in C (fortran_object.h).
"""
import argparse
import re

# What an entry does, by processor. It leaves all registers as they are in which arguments come, and the stack.
HEADER = """/* Generated from the tables of MPI functions: entries before the wrappers and before the Fortran binding. */
#if defined(__x86_64__)

/* PMPI_x: with another tool behind this library, the wrapper is told that it is called as PMPI_x. */
.macro pmpi_entry name
    .globl P\\name
    .type P\\name, @function
    .hidden mpilens__wrapper_\\name
    .p2align 4
P\\name:
    .cfi_startproc
    endbr64
    cmpb $0, mpilens__tools_behind(%rip)
    jne 1f
    jmp mpilens__wrapper_\\name
1:  movq mpilens__by_pmpi@gottpoff(%rip), %r11
    movb $1, %fs:(%r11)
    movq mpilens__thread@gottpoff(%rip), %r11
    leaq mpilens__other_way(%rip), %r10
    movq %r10, %fs:(%r11)
    jmp mpilens__wrapper_\\name
    .cfi_endproc
    .size P\\name, . - P\\name
.endm

/* A Fortran name: what was noted becomes the one before it, the return address and the stack pointer the newest; then the binding's function,
 * which is looked up by the first call. */
.macro fortran_entry name, number
    .globl \\name
    .type \\name, @function
    .p2align 4
\\name:
    .cfi_startproc
    endbr64
    movq mpilens__fortran_statements@gottpoff(%rip), %r11
    movq %fs:(%r11), %rax
    movq %rax, %fs:16(%r11)
    movq %fs:8(%r11), %rax
    movq %rax, %fs:24(%r11)
    movq (%rsp), %rax
    movq %rax, %fs:(%r11)
    movq %rsp, %fs:8(%r11)
    movq mpilens__thread@gottpoff(%rip), %r11
    leaq mpilens__other_way(%rip), %rax
    movq %rax, %fs:(%r11)
    movq functions + 8 * \\number(%rip), %r11
    testq %r11, %r11
    je 1f
    jmp *%r11
1:  movl $\\number, %eax
    jmp look_up
    .cfi_endproc
    .size \\name, . - \\name
.endm

    .hidden mpilens__tools_behind
    .hidden mpilens__by_pmpi
    .hidden mpilens__thread
    .hidden mpilens__other_way
    .hidden mpilens__fortran_statements
    .hidden mpilens__fortran_find

    .text
    .type look_up, @function
look_up: /* number in %eax */
    .cfi_startproc
    endbr64
    movq (%rsp), %r11
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %rax
    subq $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl %eax, %edi
    movq %r11, %rsi
    call mpilens__fortran_find
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %rax
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rbp
    .cfi_def_cfa %rsp, 8
    leaq functions(%rip), %r10
    movl %eax, %eax
    movq %r11, (%r10, %rax, 8)
    jmp *%r11
    .cfi_endproc
    .size look_up, . - look_up

#elif defined(__aarch64__)

.macro pmpi_entry name
    .globl P\\name
    .type P\\name, %function
    .hidden mpilens__wrapper_\\name
    .p2align 4
P\\name:
    .cfi_startproc
    hint 34 /* bti c */
    adrp x16, mpilens__tools_behind
    ldrb w16, [x16, :lo12:mpilens__tools_behind]
    cbnz w16, 1f
    b mpilens__wrapper_\\name
1:  mrs x17, tpidr_el0
    adrp x16, :gottprel:mpilens__by_pmpi
    ldr x16, [x16, :gottprel_lo12:mpilens__by_pmpi]
    add x16, x16, x17
    mov w15, #1
    strb w15, [x16]
    adrp x16, :gottprel:mpilens__thread
    ldr x16, [x16, :gottprel_lo12:mpilens__thread]
    adrp x15, mpilens__other_way
    add x15, x15, :lo12:mpilens__other_way
    str x15, [x17, x16]
    b mpilens__wrapper_\\name
    .cfi_endproc
    .size P\\name, . - P\\name
.endm

.macro fortran_entry name, number
    .globl \\name
    .type \\name, %function
    .p2align 4
\\name:
    .cfi_startproc
    hint 34 /* bti c */
    mrs x17, tpidr_el0
    adrp x16, :gottprel:mpilens__fortran_statements
    ldr x16, [x16, :gottprel_lo12:mpilens__fortran_statements]
    add x16, x16, x17
    ldp x14, x15, [x16]
    stp x14, x15, [x16, #16]
    mov x15, sp
    stp x30, x15, [x16]
    adrp x16, :gottprel:mpilens__thread
    ldr x16, [x16, :gottprel_lo12:mpilens__thread]
    adrp x15, mpilens__other_way
    add x15, x15, :lo12:mpilens__other_way
    str x15, [x17, x16]
    mov x15, #\\number
    adrp x14, functions
    add x14, x14, :lo12:functions
    ldr x16, [x14, x15, lsl #3]
    cbz x16, 1f
    br x16
1:  b look_up
    .cfi_endproc
    .size \\name, . - \\name
.endm

    .hidden mpilens__tools_behind
    .hidden mpilens__by_pmpi
    .hidden mpilens__thread
    .hidden mpilens__other_way
    .hidden mpilens__fortran_statements
    .hidden mpilens__fortran_find

    .text
    .type look_up, %function
look_up: /* number in x15 */
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp x8, x15, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w15
    mov x1, x30
    bl mpilens__fortran_find
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldp x8, x15, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    adrp x14, functions
    add x14, x14, :lo12:functions
    str x16, [x14, x15, lsl #3]
    br x16
    .cfi_endproc
    .size look_up, . - look_up

#else

/* None for this processor: MPILENS_HAS_ENTRIES is 0. */
.macro pmpi_entry name
.endm
.macro fortran_entry name, number
.endm

#endif

    .text
"""

FOOTER = """
    .local functions
    .comm functions, 8 * {count}, 8

    .section .rodata
    .globl mpilens__fortran_names
    .hidden mpilens__fortran_names
mpilens__fortran_names:
{names}    .byte 0

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
"""

# Functions that have more than an entry: the parameters of each kind and their number; and the C functions, the objects that they are for,
# and whether attributes are default integers.
OBJECTS = {
    "create_keyval": ("void *argument_1, void *argument_2, MPI_Fint *argument_3, const void *argument_4, MPI_Fint *argument_5", 5),
    "create_errhandler": ("void *argument_1, MPI_Fint *argument_2, MPI_Fint *argument_3", 3),
    "set_attribute": ("const MPI_Fint *argument_1, const MPI_Fint *argument_2, const void *argument_3, MPI_Fint *argument_4", 4),
}
OBJECT_FUNCTIONS = {
    "MPI_Comm_create_keyval": ("create_keyval", "COMMUNICATOR", False), "MPI_Type_create_keyval": ("create_keyval", "DATATYPE", False),
    "MPI_Win_create_keyval": ("create_keyval", "WINDOW", False), "MPI_Keyval_create": ("create_keyval", "COMMUNICATOR", True),
    "MPI_Comm_create_errhandler": ("create_errhandler", "COMMUNICATOR", False),
    "MPI_Win_create_errhandler": ("create_errhandler", "WINDOW", False), "MPI_File_create_errhandler": ("create_errhandler", "FILE", False),
    "MPI_Session_create_errhandler": ("create_errhandler", "SESSION", False),
    "MPI_Errhandler_create": ("create_errhandler", "COMMUNICATOR", False),
    "MPI_Comm_set_attr": ("set_attribute", "COMMUNICATOR", False), "MPI_Type_set_attr": ("set_attribute", "DATATYPE", False),
    "MPI_Win_set_attr": ("set_attribute", "WINDOW", False), "MPI_Attr_put": ("set_attribute", "COMMUNICATOR", True),
}

# Of the function's name in Fortran: what a binding puts around the C function's name in lower case.
PREFIX = re.compile(r"^p")
SUFFIX = re.compile(r"(_cptr)?(_f08(ts)?(_large)?)?_{1,2}$")


def read_wrapped(path):
    """MPI_ names of the functions that are wrapped."""
    return [line.split("\t")[0] for line in open(path, encoding="utf-8") if line.rstrip("\n").endswith("\twrapped")]


def c_name(name, wrapped):
    """The wrapped C function that a Fortran name stands for, or None."""
    return wrapped.get(SUFFIX.sub("", PREFIX.sub("", name)))


def write_entries(wrapped, names, out):
    out.write(HEADER)
    out.write("".join(f"pmpi_entry {name}\n" for name in wrapped.values()))
    out.write("".join(f"fortran_entry {name}, {number}\n" for number, name in enumerate(names)))
    out.write(FOOTER.format(count=max(len(names), 1), names="".join(f'    .asciz "{name}"\n' for name in names)))


def write_objects(names, wrapped, out):
    out.write("/* Generated from what the Fortran binding exports: functions that come before those that make objects. */\n"
              '#include "fortran_object.h"\n#include "functions.h"\n#include "wrapper.h"\n\n'
              "/* Not an empty file. */\ntypedef int fortran_objects;\n")
    for name in names:
        function = c_name(name, wrapped)
        what, kind, plain = OBJECT_FUNCTIONS[function]
        parameters, count = OBJECTS[what]
        arguments = ", ".join(f"argument_{i + 1}" for i in range(count))
        out.write(f"""
EXPORT void {name}({parameters});

EXPORT void {name}({parameters})
{{
    static struct fortran_function function = {{.name = "{name}", .function = FUNCTION_{function},
                                               .kind = MPILENS_ATTACHABLE_{kind}, .plain_integer = {str(plain).lower()}}};
    fortran_{what}(&function, __builtin_return_address(0), {arguments});
}}
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option in ("summary", "fortran", "output", "output-objects"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    wrapped = {name.lower(): name for name in read_wrapped(options.summary)}
    names = open(options.fortran, encoding="utf-8").read().split()
    objects = [name for name in names if c_name(name, wrapped) in OBJECT_FUNCTIONS]
    entries = [name for name in names if name not in objects and ("_f08ts_" in name or c_name(name, wrapped))]
    with open(options.output, "w", encoding="utf-8") as out:
        write_entries(wrapped, entries, out)
    with open(options.output_objects, "w", encoding="utf-8") as out:
        write_objects(objects, wrapped, out)


if __name__ == "__main__":
    main()
