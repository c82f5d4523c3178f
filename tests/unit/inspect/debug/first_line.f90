! SPDX-License-Identifier: BSD-3-Clause
! A call that claims the line where its program begins.
program halo
  implicit none
  interface
    subroutine stop_here() bind(C, name="stop")
    end subroutine
  end interface
# 3
  call stop_here()
end program
