/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands in another line for each number of arguments, or for none in line 1 of what is called NAME.
 */
void stop(void);

int main(int count, char **arguments)
{
    (void)arguments;
    switch (count) {
    case 2:
        stop(); /* in place 2 */
        break;
    case 3:
        stop(); /* in place 3 */
        break;
    case 4:
        stop(); /* in place 4 */
        break;
    case 5:
        stop(); /* in place 5 */
        break;
#ifdef NAME
    case 1:
#line 1 NAME
        stop();
#endif
    }
    return 0;
}
