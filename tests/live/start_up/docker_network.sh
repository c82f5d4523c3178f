#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command in a network namespace with an interface docker0 behind which packets get lost; ends with 77 where that
# cannot be made.
if [ "$1" != inside ]; then
    exec unshare -n "$0" inside "$@"
fi
shift
ip link set lo up &&
    ip link add docker0 type veth peer name docker1 &&
    ip addr add 172.17.0.1/16 dev docker0 &&
    ip link set docker0 up &&
    ip link set docker1 up &&
    ip neigh add 172.17.0.2 lladdr 02:00:00:00:00:02 dev docker0 || exit 77
exec "$@"
