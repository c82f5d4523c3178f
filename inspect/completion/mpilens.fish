# SPDX-License-Identifier: BSD-3-Clause
# Completion of mpilens for fish. `mpilens complete` knows what fits.
function __mpilens_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
            case ':command*'
                set -l first (math (string replace ':command ' '' -- $line) + 2)
                __fish_complete_subcommand --commandline $words[$first..-1] "$current"
            case '*'
                echo $line
        end
    end
end
complete -c mpilens -f -a '(__mpilens_complete)'
