/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The order in which readers, who share no lock with the process, see what it stores.
 */
#ifndef MPILENS_RUNTIME_MEMORY_PUBLISH_H
#define MPILENS_RUNTIME_MEMORY_PUBLISH_H

/* Stores before this are seen before stores after it. Only a reader's loads must be ordered against them, by itself, so
 * no fence for loads is needed: on x86-64 no instruction. */
#if defined(__aarch64__)
#define PUBLISH_BARRIER() __asm__ volatile("dmb ishst" : : : "memory")
#else
#define PUBLISH_BARRIER() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

#endif
