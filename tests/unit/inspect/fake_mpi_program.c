/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that needs the library of the function CALLS.
 */
int CALLS(void);

int main(void)
{
    return CALLS();
}
