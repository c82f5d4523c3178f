/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlsym and dlvsym of the process. A program that takes MPI's functions by them gets the wrappers (handed_out.c).
 * Everything else goes on to the next dlsym by a jump: RTLD_NEXT, RTLD_DEFAULT and the checks of other tools depend on
 * who has called, which the return address tells. Only names of MPI, by a handle, may take the other way.
 *
 * The other way would be to write into the MPI library's symbol table or relocations. But nothing tells when a library
 * has been loaded (dlopen depends on its caller, too), these tables are read-only, and other tools read them.
 */
#if defined(__x86_64__)

/* caller: the register behind the arguments. */
.macro symbol_function name, next, hand_out, caller
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    movq \next(%rip), %r11
    testq %r11, %r11
    je 3f
1:  leaq 1(%rdi), %rax /* RTLD_DEFAULT is 0, RTLD_NEXT -1 */
    cmpq $1, %rax
    jbe 2f
    movzbl (%rsi), %eax /* MPI_, PMPI_, mpi_, pmpi_: letter by letter, for a name may be shorter */
    movq %rsi, %r10
    orl $0x20, %eax
    cmpl $'p', %eax
    jne 4f
    incq %r10
    movzbl (%r10), %eax
    orl $0x20, %eax
4:  cmpl $'m', %eax
    jne 2f
    movzbl 1(%r10), %eax
    orl $0x20, %eax
    cmpl $'p', %eax
    jne 2f
    movzbl 2(%r10), %eax
    orl $0x20, %eax
    cmpl $'i', %eax
    jne 2f
    cmpb $'_', 3(%r10)
    jne 2f
    movq (%rsp), \caller
    jmp \hand_out
2:  jmp *%r11
3:  pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    call mpilens__find_next_dlsym
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    movq \next(%rip), %r11
    jmp 1b
    .cfi_endproc
    .size \name, . - \name
.endm

    .hidden mpilens__next_dlsym
    .hidden mpilens__next_dlvsym
    .hidden mpilens__find_next_dlsym
    .hidden mpilens__hand_out
    .hidden mpilens__hand_out_version
    .text
    symbol_function dlsym, mpilens__next_dlsym, mpilens__hand_out, %rdx
    symbol_function dlvsym, mpilens__next_dlvsym, mpilens__hand_out_version, %rcx

#elif defined(__aarch64__)

.macro symbol_function name, next, hand_out, caller
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint 34 /* bti c */
    adrp x16, \next
    ldr x16, [x16, :lo12:\next]
    cbz x16, 3f
1:  add x9, x0, #1 /* RTLD_DEFAULT is 0, RTLD_NEXT -1 */
    cmp x9, #1
    b.ls 2f
    ldrb w9, [x1] /* MPI_, PMPI_, mpi_, pmpi_: letter by letter, for a name may be shorter */
    mov x10, x1
    orr w9, w9, #0x20
    cmp w9, #'p'
    b.ne 4f
    ldrb w9, [x10, #1]!
    orr w9, w9, #0x20
4:  cmp w9, #'m'
    b.ne 2f
    ldrb w9, [x10, #1]
    orr w9, w9, #0x20
    cmp w9, #'p'
    b.ne 2f
    ldrb w9, [x10, #2]
    orr w9, w9, #0x20
    cmp w9, #'i'
    b.ne 2f
    ldrb w9, [x10, #3]
    cmp w9, #'_'
    b.ne 2f
    mov \caller, x30
    b \hand_out
2:  br x16
3:  stp x29, x30, [sp, #-48]!
    .cfi_adjust_cfa_offset 48
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x29, sp
    stp x0, x1, [sp, #16]
    str x2, [sp, #32]
    bl mpilens__find_next_dlsym
    ldp x0, x1, [sp, #16]
    ldr x2, [sp, #32]
    ldp x29, x30, [sp], #48
    .cfi_adjust_cfa_offset -48
    .cfi_restore x29
    .cfi_restore x30
    adrp x16, \next
    ldr x16, [x16, :lo12:\next]
    b 1b
    .cfi_endproc
    .size \name, . - \name
.endm

    .hidden mpilens__next_dlsym
    .hidden mpilens__next_dlvsym
    .hidden mpilens__find_next_dlsym
    .hidden mpilens__hand_out
    .hidden mpilens__hand_out_version
    .text
    symbol_function dlsym, mpilens__next_dlsym, mpilens__hand_out, x2
    symbol_function dlvsym, mpilens__next_dlvsym, mpilens__hand_out_version, x3

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
