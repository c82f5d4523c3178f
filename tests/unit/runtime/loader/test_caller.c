/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding the library that a call comes from.
 */
#include "caller_probe.h"
#include "inside.h"
#include "loader/loader.h"

#include <criterion/criterion.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int probe_function(int (*)(const void *, int, int, int, int, int), int, int);

static probe_function *probe_of(void *module)
{
    probe_function *probe;
    void *address = dlsym(module, "caller_probe");
    memcpy(&probe, &address, sizeof probe);
    return probe;
}

static void *load(const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(module, "%s", dlerror());
    return module;
}

Test(caller, is_told_by_the_object_that_its_code_lies_in)
{
    cr_assert_eq(caller_classify(CODE_OF(load)), CALLER_APPLICATION);
    cr_assert_eq(caller_classify(CODE_OF(fake_status)), CALLER_MPI_LIBRARY);
    cr_assert_eq(caller_classify(CODE_OF(strlen)), CALLER_APPLICATION);
    cr_assert_neq(caller_object(CODE_OF(fake_status)), caller_object(CODE_OF(load)));
    cr_assert_eq(caller_object(CODE_OF(fake_status)), caller_object(CODE_OF(fake_library_sends)));
}

Test(caller, may_be_code_in_no_object)
{
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(code, MAP_FAILED);
    cr_assert_eq(caller_classify(code), CALLER_APPLICATION);
    cr_assert_eq(caller_object(code), 0);
    cr_assert_eq(caller_classify(NULL), CALLER_APPLICATION);
}

Test(caller, may_be_loaded_at_any_time)
{
    cr_assert_eq(caller_classify(CODE_OF(fake_status)), CALLER_MPI_LIBRARY);
    void *component = load(MCA_PROBE);
    cr_assert_eq(caller_classify(CODE_OF(probe_of(component))), CALLER_MPI_LIBRARY);
    void *plugin = load(PLUGIN_PROBE);
    cr_assert_eq(caller_classify(CODE_OF(probe_of(plugin))), CALLER_APPLICATION);
    cr_assert_eq(caller_classify(CODE_OF(probe_of(component))), CALLER_MPI_LIBRARY);
}

Test(caller, may_be_where_another_was)
{
    unsigned same = 0;
    const void *last = NULL;
    for (int i = 0; i < 100; i++) {
        void *module = load(i % 2 ? MCA_PROBE : PLUGIN_PROBE);
        const void *code = CODE_OF(probe_of(module));
        cr_assert_eq(caller_classify(code), i % 2 ? CALLER_MPI_LIBRARY : CALLER_APPLICATION, "%d", i);
        cr_assert_eq(caller_classify(code), i % 2 ? CALLER_MPI_LIBRARY : CALLER_APPLICATION, "%d", i);
        same += code == last;
        last = code;
        dlclose(module);
    }
    cr_assert_gt(same, 0, "both come to lie at the same address");
}

Test(caller, may_have_been_declared)
{
    void *plugin = load(PLUGIN_PROBE);
    caller_declare(CODE_OF(probe_of(plugin)), CALLER_TOOL);
    cr_assert_eq(caller_classify(CODE_OF(probe_of(plugin))), CALLER_TOOL);
    cr_assert_eq(caller_classify(CODE_OF(load)), CALLER_APPLICATION);
    for (int i = 0; i < 20; i++)
        caller_declare(CODE_OF(load), CALLER_MPI_LIBRARY);
    cr_assert_eq(caller_classify(CODE_OF(load)), CALLER_MPI_LIBRARY, "as in a program that is linked statically");
    caller_declare(NULL, CALLER_TOOL);
}

static bool stop;

static void *classify_on_and_on(void *argument)
{
    (void)argument;
    uintptr_t wrong = 0;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        wrong += caller_classify(CODE_OF(fake_status)) != CALLER_MPI_LIBRARY;
        wrong += caller_classify(CODE_OF(load)) != CALLER_APPLICATION;
    }
    return (void *)wrong; // NOLINT(performance-no-int-to-ptr)
}

Test(caller, is_known_to_other_threads_while_modules_come_and_go)
{
    pthread_t thread;
    void *wrong;
    cr_assert_eq(pthread_create(&thread, NULL, classify_on_and_on, NULL), 0);
    for (int i = 0; i < 100; i++) {
        void *module = load(i % 2 ? MCA_PROBE : PLUGIN_PROBE);
        caller_classify(CODE_OF(probe_of(module)));
        dlclose(module);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, &wrong);
    cr_assert_null(wrong);
}

static probe_function *nested_probe;

static void send_from_module(const struct fake_call *call)
{
    (void)call;
    nested_probe(MPI_Send, MPI_INT, MPI_COMM_WORLD);
}

Test(caller, inside_a_call_counts_for_the_application_only_where_it_is_its_own)
{
    begin_mpi();
    uint64_t sent = 0;
    for (int i = 0; i < 10; i++) {
        void *module = load(i % 2 ? MCA_PROBE : PLUGIN_PROBE);
        nested_probe = probe_of(module);
        fake.hook = send_from_module;
        MPI_Barrier(MPI_COMM_WORLD);
        sent += i % 2 == 0;
        cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), sent);
        dlclose(module);
    }
    end_mpi();
}
