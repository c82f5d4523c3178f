/* SPDX-License-Identifier: BSD-3-Clause */
extern void stop(void);

int main(void)
{
#pragma omp parallel num_threads(1)
    {
        stop(); /* in parallel */
    }
    return 0;
}
