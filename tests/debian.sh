# debian.sh - what the tests share that make a new Debian; read with `.`.
# shellcheck shell=sh

# Prints what apt reads here of the distribution itself, as lines of
# sources.list.
sources() {
    id=$(. /etc/os-release && echo "$ID")
    apt-get indextargets \
        --format '$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Identifier: Packages' |
        awk -v id="$id" '
            tolower($1) == id && !seen[$0]++ {
                sub(/^[^ ]* /, "")
                print
            }'
}
