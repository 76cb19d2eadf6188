#!/bin/zsh -f
# zsh_complete.zsh FOLDER LINE - prints the words that zsh offers behind LINE,
# with the completion functions of FOLDER, in which it leaves a file. Completion
# needs a line editor, so an interactive shell runs on a pseudo terminal.
zmodload zsh/zpty
out=$(mktemp $1/offered.XXXXXX)

zpty -b shell "TERM=dumb zsh -f -i"
say() { zpty -w shell "$1"; }
say "PROMPT= OUT=$out FOLDER=${(q)1}"
say 'fpath=($FOLDER $fpath); autoload -U compinit; compinit -D -u'
# Every offer passes by here; what fits is kept, then offered as usual.
say 'compadd() { local -a fit; builtin compadd -O fit "$@"; print -rl -- $fit >>$OUT; builtin compadd "$@" }'
say 'finish() { zle complete-word; print -r -- "<end>" >>$OUT; zle kill-whole-line }'
say 'zle -N finish; bindkey "^G" finish'
say 'print "<ready>" >>$OUT'
for ((i = 0; i < 200; i++)); do
    grep -q '<ready>' $out && break
    zpty -r -t shell ignored
    sleep 0.05
done
zpty -n -w shell "$2"$'\a'
for ((i = 0; i < 200; i++)); do
    grep -q '<end>' $out && break
    zpty -r -t shell ignored
    sleep 0.05
done
zpty -d shell
grep -v '^<' $out
