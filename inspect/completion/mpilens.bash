# SPDX-License-Identifier: BSD-3-Clause
# Completion of mpilens for bash. `mpilens complete` knows what fits.
_mpilens() {
    local words=() places=() joins='' command=${COMP_WORDS[0]/#\~\//$HOME/} current word meaning i n
    for ((i = 1; i <= COMP_CWORD; i++)); do # bash makes three words of --rank=0
        word=${COMP_WORDS[i]}
        if ((${#words[@]} > 0)) && [[ $word == = || $joins ]]; then
            words[-1]+=$word
            joins=
            [[ $word == = ]] && joins=yes
        else
            words+=("$word")
            places+=("$i")
        fi
    done
    current=${words[-1]}
    [[ $current == *=* ]] && n=$((${#current} - ${#COMP_WORDS[COMP_CWORD]})) || n=0
    [[ $current == *= ]] && n=${#current}
    while IFS=$'\t' read -r word meaning; do
        case $word in
        :files)
            compopt -o filenames
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${current:n}")
            ;;
        :command*)
            i=${places[${word#:command }]}
            if declare -F _command_offset >/dev/null; then
                _command_offset "$i"
            elif ((i == COMP_CWORD)); then
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$current")
            else
                compopt -o default
            fi
            ;;
        *) COMPREPLY+=("${word:n}") ;;
        esac
    done < <("$command" complete "${words[@]}" 2>/dev/null)
} && complete -F _mpilens mpilens
