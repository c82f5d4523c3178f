/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI that this build is for: its functions, its peculiarities, the clock, the identity of the job.
 */
#ifndef MPILENS_RUNTIME_MPI_MPI_TRAITS_H
#define MPILENS_RUNTIME_MPI_MPI_TRAITS_H

#include "mpilens/layout.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* The clocks of the runtime. On x86-64 and arm64 the counter that is the same on all processors of a machine: exact, so
 * that what happens later has a later time; elsewhere the kernel's monotonic clock. */

static inline uint64_t clock_nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
enum { CLOCK_KIND = MPILENS_CLOCK_CYCLES };

static inline uint64_t clock_ticks(void)
{
    return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
enum { CLOCK_KIND = MPILENS_CLOCK_CYCLES };

static inline uint64_t clock_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory"); /* not earlier than it stands here */
    return ticks;
}
#else
enum { CLOCK_KIND = MPILENS_CLOCK_MONOTONIC };

static inline uint64_t clock_ticks(void)
{
    return clock_nanoseconds(CLOCK_MONOTONIC);
}
#endif

/* -- kernel_tick.c --
 * The time stamp counter as it stood at the kernel's last timer tick. The kernel keeps it, for clock_gettime, in memory
 * that every process reads ([vvar]): reading it is a load, where reading the counter takes as long as all else that a
 * wrapper does. It is at most one tick old, 1 to 10 ms by the kernel's configuration: as CLOCK_MONOTONIC_COARSE.
 *
 * Linux does not promise where it stands (include/vdso/datapage.h). So it is looked for, and taken only where the
 * kernel's own clocks agree that it is the one; else the counter is read.
 */

/* Where it stands. NULL: not known or not wanted. */
extern const uint64_t *mpilens__kernel_tick __attribute__((visibility("hidden")));

/* Looks for it. Once, before the first thread is known. */
void kernel_tick_find(void);

/* Now and then: whether the kernel still keeps it. */
void kernel_tick_check(void);

/* Never again: stamps of several threads must tell which came first. */
void kernel_tick_leave(void);

/* The clock of the hot path, where an age to 10 ms is enough. */

/* Stores the time of what one thread does, for its age: to a tick of the kernel where that is cheaper. `ret_ticks` is
 * no later than what clock_ticks gives then, and no earlier than what has been stored here before. */
static inline __attribute__((always_inline)) void clock_stamp(uint64_t *ret_ticks)
{
#if defined(__x86_64__)
    const uint64_t *tick = __atomic_load_n(&mpilens__kernel_tick, __ATOMIC_RELAXED);
    if (__builtin_expect(tick != NULL, 1)) {
        *ret_ticks = __atomic_load_n(tick, __ATOMIC_RELAXED);
        return;
    }
    /* As clock_ticks, without taking a register from the arguments of the quick way. */
    uint64_t ticks;
    __asm__ volatile("movq %%rdx, %%xmm0\n\trdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax\n\tmovq %%xmm0, %%rdx"
                     : "=a"(ticks)
                     :
                     : "xmm0", "cc");
    *ret_ticks = ticks;
#elif defined(__aarch64__)
    const uint64_t *tick = __atomic_load_n(&mpilens__kernel_tick, __ATOMIC_RELAXED);
    *ret_ticks = __builtin_expect(tick != NULL, 1) ? __atomic_load_n(tick, __ATOMIC_RELAXED) : clock_ticks();
#else
    *ret_ticks = clock_nanoseconds(CLOCK_MONOTONIC_COARSE);
#endif
}

/* -- job_identity.c -- The identity of this process's job among all others, found without communication.
 */

/* Writes it into `identity`, cut to `bytes` bytes, empty where nothing is known (layout.def says what it looks like).
 * Reads the environment and /proc: not for the hot path. */
void job_identity_find(char *identity, size_t bytes);

/* When this process was started, in ticks since the host was booted, as /proc says; 0: not known. */
uint64_t job_identity_process_start(void);

/* When the process of the launcher was started that has started this one, in the same ticks, and its number among
 * those on one host, which is 0 but for proxies of Hydra. 0: there is none. */
uint64_t job_identity_launcher_start(uint32_t *ret_part);

/* -- mpi_traits.c -- Differences between MPI implementations that mpi.h does not reveal. The only place that knows
 * their names; one that is not known here works by the general rules.
 */

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include MPILENS_PREDEFINED_GLOBALS

#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI)
typedef int MPI_Fint; /* the MPI 5 ABI leaves it to the Fortran binding */
#endif

#ifdef OMPI_PREDEFINED_GLOBAL
/* Predefined handles are addresses of the library's data, or of the program's copy of it: looked up, as the functions
 * are, so that processes without MPI need none of it. */
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)mpilens__address_of_##global)
#endif

/* Whether this build is for the binary interface that MPI 5 states, which several libraries have. */
#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) && !defined(MPICH_VERSION)
#define MPI_IS_STANDARD_INTERFACE true
#else
#define MPI_IS_STANDARD_INTERFACE false
#endif

/* A handle of any kind as the number under which it is recorded: no sign where it is an int. */
#define HANDLE_VALUE(handle)                                                                                           \
    (sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))

/* Whether the integers that Fortran has are the C handles, of all kinds but files: then mpi.h converts by macros, but
 * for MPICH 4.2, which has functions. */
#if defined(MPI_Comm_c2f) || defined(MPICH_VERSION)
#define FORTRAN_IS_C true
#else
#define FORTRAN_IS_C false
#endif

/* The integer by which Fortran names a predefined key of attributes. MPICH has other integers there: they give the
 * value itself, the C keys its address. */
static inline int predefined_key_in_fortran(int keyval)
{
#ifdef MPICH_VERSION
    return keyval + 1;
#else
    return keyval;
#endif
}

/* A handle of any kind as bits that differ in the low end between handles that live at the same time. */
static inline uint32_t handle_bits(uint64_t handle)
{
#ifdef MPICH_VERSION
    return (uint32_t)handle; /* kind, type and a running index */
#else
    return (uint32_t)((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32); /* addresses of objects */
#endif
}

/* As handle_bits, for requests: MPICH counts preallocated and other requests each from 0. */
static inline uint32_t request_bits(uint64_t request)
{
#ifdef MPICH_VERSION
    return (uint32_t)request << 1 | (uint32_t)request >> 31; /* the topmost bit tells them apart */
#else
    return handle_bits(request);
#endif
}

/* The library's requests for a send to and a receive from MPI_PROC_NULL and for a collective alone: preallocated, one
 * for each kind of operation that completes at once, or one for all; then the request of Open MPI 6 for sends that
 * complete at once, which is found by its name. MPI_REQUEST_NULL: none. */
#ifdef OPEN_MPI
enum { LEARNED_REQUESTS = 1, NAMED_REQUESTS = OMPI_MAJOR_VERSION >= 6 };
#elif defined(MPICH_VERSION)
enum { LEARNED_REQUESTS = 3, NAMED_REQUESTS = 0 };
#else
enum { LEARNED_REQUESTS = 3, NAMED_REQUESTS = 1 };
#endif
enum { PREALLOCATED_REQUESTS = LEARNED_REQUESTS + NAMED_REQUESTS };
extern uint64_t mpilens__preallocated_requests[PREALLOCATED_REQUESTS] __attribute__((visibility("hidden")));

/* Whether a request is one that the library hands out for many operations at a time, all of them complete. */
static inline bool request_is_complete_by_nature(uint64_t request)
{
#ifdef MPICH_VERSION
    return (int32_t)request >= 0; /* kind of handle "builtin" (01 on top), not "direct" or "indirect" (10, 11) */
#else
    bool preallocated = false;
    for (int i = 0; i < PREALLOCATED_REQUESTS; i++)
        preallocated = preallocated || request == mpilens__preallocated_requests[i];
    return preallocated;
#endif
}

/* Whether MPI_Group_translate_ranks compares each rank with the members of the other group, one after the other. */
#ifdef OPEN_MPI
#define TRANSLATES_BY_SEARCH true
#else
#define TRANSLATES_BY_SEARCH false
#endif

/* Whether MPI_Comm_create_group and MPI_Intercomm_create send with the application's tag on its communicator. */
#ifdef OPEN_MPI
#define COMMUNICATORS_COME_BY_TAG true
#else
#define COMMUNICATORS_COME_BY_TAG false
#endif

/* The same by asking the library, for those whose statuses are not known here. */
uint64_t mpilens__status_bytes(const MPI_Status *status);

/* Whether mpi.h names predefined datatypes that the library may not have: an error to ask for. */
#if defined(MPICH_VERSION) || defined(OPEN_MPI)
#define DATATYPES_MAY_BE_MISSING false /* they are MPI_DATATYPE_NULL */
#else
#define DATATYPES_MAY_BE_MISSING true
#endif

/* Bytes of the message that a receive has put in its status. */
static inline uint64_t status_bytes(const MPI_Status *status)
{
#if defined(MPICH_VERSION)
    return (uint64_t)(uint32_t)status->count_lo | ((uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1) << 32);
#elif defined(OPEN_MPI)
    return (uint64_t)status->_ucount;
#else
    return mpilens__status_bytes(status);
#endif
}

/* Whether the status of a receive whose message was too long for it says how long that was. That of MPICH may say
 * anything. */
#ifdef OPEN_MPI
#define TRUNCATED_STATUS_HAS_BYTES true
#else
#define TRUNCATED_STATUS_HAS_BYTES false
#endif

/* Whether the file name of a loaded object begins with one of these. */
static inline bool begins_with_any(const char *name, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++)
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

/* Whether `name`, the file name of a loaded object, belongs to a part of an MPI library that it loads when it needs it,
 * and unloads. */
static inline bool is_mpi_component(const char *name)
{
    static const char *const prefixes[] = {"mca_", NULL};
    return begins_with_any(name, prefixes);
}

/* The part of the library that matches messages, as a symbol of data that begins with the address of one of its
 * functions, and whether the part where this function is looks for messages of any source in turn (layout.def,
 * process.senders_in_turn): ob1 does, which may be built into the library. */
#if defined(OPEN_MPI) || (defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION))
#define MATCHING_PART "mca_pml"
#else
#define MATCHING_PART "" /* not known */
#endif
static inline bool takes_senders_in_turn(const char *name)
{
    static const char *const prefixes[] = {"mca_pml_ob1", "libmpi.so", "libopen_mpi.so", NULL};
    return begins_with_any(name, prefixes);
}

/* Whether it belongs to an MPI library itself: calls from there are not the application's. Language bindings are not
 * meant: they call on behalf of the application. */
static inline bool is_mpi_library(const char *name)
{
    static const char *const prefixes[] = {"libmpi.so",    "libmpich.so", "libmpi_abi.so",  "libpmpi",
                                           "libopen-rte",  "libopen-pal", "libopen_mpi.so", "libopal.so",
                                           "libucc.so",    "libucp.so",   "libuct.so",      "libucs.so",
                                           "libfabric.so", "libpmix.so",  "libromio",       NULL};
    return begins_with_any(name, prefixes) || is_mpi_component(name);
}

/* Whether a library with MPI's functions, and with the symbols that `defines` finds in `object`, has the binary
 * interface of this build: functions of another interface must not come behind these wrappers. Rejects libraries with
 * names unlike MPI libraries': a library that passes calls on may have any interface. */
static inline bool has_this_interface(const char *name, bool (*defines)(const void *object, const char *symbol),
                                      const void *object)
{
    static const char *const prefixes[] = {"libmpi", "libpmpi", NULL};
    static const char *const standard[] = {"libmpi_abi.", NULL};
    const bool is_standard = begins_with_any(name, standard);
    /* Open MPI 6 has its constants in a library of their own. */
    const bool is_open_mpi =
        !is_standard && (defines(object, "ompi_mpi_comm_world") || defines(object, "ompi_mpiext_init"));
#if defined(OPEN_MPI)
    return begins_with_any(name, prefixes) && is_open_mpi;
#elif defined(MPICH_VERSION) || defined(MPI_ABI_VERSION)
    return begins_with_any(name, prefixes) && !is_open_mpi && !defines(object, "MPI_COMM_WORLD") && /* MPItrampoline */
           is_standard == MPI_IS_STANDARD_INTERFACE;
#else
    (void)is_open_mpi;
    return begins_with_any(name, prefixes);
#endif
}

/* Whether it is a Fortran binding, whose calls count as calls of a Fortran statement. Other bindings (libmpi_cxx,
 * libmpichcxx, libmpi_java) are like any library of the application. */
static inline bool is_fortran_binding(const char *name)
{
    static const char *const prefixes[] = {"libmpichf",  "libfmpich",  "libmpifort", "libmpi_mpifh", "libmpi_usempi",
                                           "libmpi_f77", "libmpi_f90", "libmpifh",   "libmpi_fc",    NULL};
    return begins_with_any(name, prefixes);
}

/* -- quiet_errors.c --
 * Questions to the MPI library that may be errors: its error handlers must not hear of them. Only while no other thread
 * can be in MPI, that is at the end of MPI_Init.
 */

/* The error handlers that are put aside. MPI raises errors that belong to no object on MPI_COMM_SELF (since MPI-4.0,
 * section 9.3) or on MPI_COMM_WORLD (before). */
struct quiet_errors {
    MPI_Errhandler of_self;
    MPI_Errhandler of_world;
};

/* From here errors are only returned. Only where MPI_Init has been called. */
struct quiet_errors quiet_errors_begin(void);

/* To here. */
void quiet_errors_end(struct quiet_errors *saved);

/* -- status_layout.c --
 * Where things stand in an MPI_Status of this mpi.h, for readers who have nothing but an address.
 */

struct mpilens_status_layout status_layout(void);

#endif
