#!/bin/sh
# The set-up installs what is missing, once, and otherwise says what to do. The
# programs that it calls are played by scripts, and so is who calls them.
. "$(dirname "$0")/lib.sh"

mkdir -p "$dir/repo/scripts" "$dir/bin"
cp "$top/scripts/setup.sh" "$dir/repo/scripts"
# What "is installed", a name a line, and what apt "knows".
printf 'gcc\n' | plant installed
printf 'gcc\nnew-name\nlibfoo-dev\n' | plant known

plant bin/dpkg-query <<'END'
#!/bin/sh
if [ "$1" = -L ]; then
    echo /lib/systemd/system
    echo "/lib/systemd/system/$2.service"
    exit
fi
for name; do
    if grep -qx -e "$name" "$STATE/installed"; then
        echo "=installed $name:amd64"
    elif [ "$name" = removed ]; then
        echo "=config-files $name"
    fi
done
exit 1
END
plant bin/apt-cache <<'END'
#!/bin/sh
grep -qx -e "$2" "$STATE/known"
END
plant bin/apt-get <<'END'
#!/bin/sh
echo "apt-get $*" >>"$STATE/calls"
case " $* " in
*" install "*)
    for name; do :; done
    case $name in
    libbroken) echo "E: no such thing"; exit 100 ;;
    esac
    while [ $# -gt 0 ] && [ "$1" != install ]; do shift; done
    shift
    printf '%s\n' "$@" >>"$STATE/installed"
    ;;
esac
END
printf '#!/bin/sh\necho "systemctl $*" >>"$STATE/calls"\n' | plant bin/systemctl
printf '#!/bin/sh\necho "$WHO"\n' | plant bin/id
printf '#!/bin/sh\nshift\nexec "$@"\n' | plant bin/flock
chmod +x "$dir"/bin/*
export PATH="$dir/bin:$PATH" STATE="$dir" WHO=0
unset SETUP

# Writes the list "build" and runs the set-up with it.
setup() {
    plant repo/packages/build.txt
    : >"$dir/calls"
    run repo/scripts/setup.sh build
}

printf '# why\ngcc # the compiler\n\nclang|gcc\n' | setup
expect "nothing is missing" 0 "!setup:"
run cat calls
expect "apt is not asked then" 0 "!apt-get"

printf 'gcc\nold-name|new-name\nlibfoo-dev\nremoved|libfoo-dev\n' | setup
expect "what it adds is said" 0 "setup: adding new-name libfoo-dev"
run cat calls
expect "lists are fetched, then packages added" 0 "apt-get -q update" \
    "--no-install-recommends" "install new-name libfoo-dev"
expect "no service of theirs starts at the next boot" 0 \
    "systemctl --quiet disable new-name.service"
printf 'old-name|new-name\nlibfoo-dev\n' | setup
expect "the second time there is nothing to do" 0 "!setup:"

printf 'libbroken\n' | setup
expect "apt's failure is shown" 1 "E: no such thing" \
    "sudo apt-get install -y --no-install-recommends libbroken"

WHO=1000
printf 'gcc\nlibbar-dev|libbaz-dev\nlibqux-dev\n' | setup
expect "without root, one line to copy" 1 "!setup" \
    "sudo apt-get install -y --no-install-recommends libbar-dev libqux-dev"
cp "$dir/.out" "$dir/printed"
run sed -n '$=' printed
expect "and no other line" 0 "1"
run cat calls
expect "and nothing done" 0 "!apt-get"

export SETUP=no
printf 'libbar-dev\n' | setup
expect "SETUP=no" 0 "!apt-get"

finish
