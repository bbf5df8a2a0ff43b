"""The scripts that complete command lines in bash, zsh and fish: each asks `attest completion` for the words."""

BASH = """_attest_completion() {
    local line="${COMP_LINE:0:$COMP_POINT}" word prefix
    word="${line##* }"
    prefix="${word%"${word##*[=:]}"}"
    mapfile -t COMPREPLY < <(attest completion bash --line "$line" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
    [[ "${COMPREPLY[*]}" != *[=./] ]] || compopt -o nospace 2>/dev/null
}
complete -F _attest_completion attest"""

ZSH = """_attest_completion() {
    local -a found open
    found=("${(@f)$(attest completion zsh --line "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
    open=(${(M)found:#*[=./]})
    compadd -Q -S '' -- $open
    compadd -Q -- ${found:#*[=./]}
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _attest_completion attest"""

FISH = """function __attest_completion
    attest completion fish --line (commandline --cut-at-cursor | string collect) 2>/dev/null
end
complete --command attest --no-files --arguments '(__attest_completion)'"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
"""A shell -> its script."""
