/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether one fetch of the target's memory has an order: words at lower addresses are loaded before those at higher
 * ones. So it is where the processor, which is the target's, keeps loads in order; elsewhere only what one fetch gives
 * was loaded before what the next one gives. Tests build the DLL for the other kind, too.
 */
#ifndef MPILENS_DLL_TARGET_LOAD_ORDER_H
#define MPILENS_DLL_TARGET_LOAD_ORDER_H

#if !defined(LOADS_ARE_ORDERED)
#if defined(__x86_64__) || defined(__i386__) || defined(__s390x__)
#define LOADS_ARE_ORDERED 1
#else
#define LOADS_ARE_ORDERED 0
#endif
#endif

#endif
