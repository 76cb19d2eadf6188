#!/bin/sh
# bench.sh - how fast, and in how much memory, side by side with grep and its
# like, on generated dumps whose truth is known.
#
# Answers are compared with the truth first: a wrong one ends the benchmark with
# status 1. Times decide nothing: the last column says what was aimed at, and
# whether it was reached on this machine.
#
# The commands of a table run in turns, so that a moment in which the machine is
# busy does not fall upon one of them alone; ratios are the medians of the
# ratios within a turn, of the time from start to end and of that of the
# processor; times are medians, memory is the largest of all runs.
#
# Environment, besides the programs of common.sh:
#     BENCH_DIR    where the dumps go; default build/bench
#     BENCH_SIZES  of debug=2 dumps; default "120MB 1GB"
#     BENCH_LOG    size of the dump that is put into logs; default 60MB
#     BENCH_RUNS   turns; default 5
#     BENCH_GROWTH=0 leaves out how cost grows, which takes a minute
#     BENCH_FULL=1 adds 10 GB through a pipe and 3,000,000 different stacks
#     KEEP=1       leaves the dumps, dump-SIZE.txt and counts.txt, in BENCH_DIR
set -u
here=$(dirname "$0")
# shellcheck source=tests/bench/common.sh
. "$here/common.sh"

dir=${BENCH_DIR:-build/bench}
sizes=${BENCH_SIZES:-120MB 1GB}
log_size=${BENCH_LOG:-60MB}
turns=${BENCH_RUNS:-5}
stacks_size=400MB
stacks=200
truth=$dir/truth.json
report=$dir/report.json
results=$dir/results
peak=$dir/peak

# Ends with a message: what is wrong, and the status.
give_up() {
    echo "bench.sh: $1" >&2
    exit "$2"
}

# Prints the bytes of a size as gendump takes it, such as 120MB or 1G.
bytes_of() {
    echo "$1" | awk '{
        n = $1 + 0
        if (/K/) n *= /B/ ? 1e3 : 1024
        if (/M/) n *= /B/ ? 1e6 : 1048576
        if (/G/) n *= /B/ ? 1e9 : 1073741824
        printf "%.0f", n
    }'
}

# Ends when the file system of $dir cannot take the dumps.
check_disk() {
    need=0
    for size in $sizes; do
        need=$((need + $(bytes_of "$size") / 1000000))
    done
    # The dumps of some stacks, the compressed copy, the logs, the reports, and something to spare.
    need=$((need + ($(bytes_of "$log_size") * 4 + $(bytes_of "$stacks_size")) / 1000000))
    need=$((need + need / 5 + 100))
    free=$(($(df -Pk "$dir" | awk 'NR == 2 { print $4 }') * 1024 / 1000000))
    echo "disk: $need MB needed in $dir, $free MB free"
    [ "$free" -ge "$need" ] || give_up "there is too little room in $dir" 2
}

# The folder may be anybody's: only what was put there is taken away.
clean_up() {
    rm -rf "$results" "$report" "$peak" "$dir/differences" "$dir/out"
    [ "${KEEP:-0}" = 1 ] && return
    rm -f "$dir"/dump-*.txt "$dir"/dump-*.txt.gz "$dir"/log-*.txt "$dir/counts.txt" "$truth"
    rmdir "$dir" 2>/dev/null
}

# --- Checking ----------------------------------------------------------------

# Compares $report with $truth; $1 says what was read.
check_answer() {
    "$CHECKTRUTH" "$truth" "$report" >"$dir/differences" ||
        {
            cat "$dir/differences"
            give_up "a wrong answer for $1" 1
        }
    echo "check: $1: $(cat "$dir/differences")"
}

# --- Measuring ---------------------------------------------------------------

# A table is measured by adding its commands and then taking turns. A command
# is one line of four fields with tabs between them: NAME BYTES BAR COMMAND.
# BYTES is what it reads, or 0, and BAR is the factor of the first command's time
# that it is to stay below, "-" when there is none. %o in COMMAND stands for the
# call of measure.
commands=
tab=$(printf '\t')

# Adds a command: NAME BYTES BAR COMMAND.
add() {
    commands="$commands$1$tab$2$tab$3$tab$4
"
}

# Runs all commands in turns.
take_turns() {
    rm -rf "$results"
    mkdir -p "$results"
    turn=0
    while [ "$turn" -lt "$turns" ]; do
        turn=$((turn + 1))
        at=0
        echo "$commands" | while IFS=$tab read -r name _ _ command; do
            [ -n "$name" ] || continue
            at=$((at + 1))
            command=$(echo "$command" |
                sed "s|%o|\"$MEASURE\" -o \"$results/$at\"|")
            # A status of 1 is a finding, and grep's "not found".
            eval "$command" >"$dir/out" 2>&1 || [ $? -le 1 ] ||
                give_up "'$name' failed: $(head -n 3 "$dir/out")" 2
        done || exit $?
    done
}

# Prints the table of what take_turns measured, under the title $1; the first
# command is what the others are compared with.
print_table() {
    printf '\n%s\n' "$1"
    printf '  %-30s %8s %6s %6s %6s %8s  %s\n' '' seconds MB/s ratio '(cpu)' \
        'peak MB' bar
    at=0
    echo "$commands" | while IFS=$tab read -r name bytes bar _; do
        [ -n "$name" ] || continue
        at=$((at + 1))
        paste -d ' ' "$results/$at" "$results/1" |
            awk '{ print $1 / $5, $2 / $6 }' >"$results/ratios"
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$bytes" "$bar" \
            "$(median "$results/$at")" "$(median "$results/ratios")" \
            "$(median "$results/ratios" 2)" "$(largest "$results/$at" 3)"
    done | awk -F '\t' '{
        speed = $2 > 0 ? sprintf("%.0f", $2 / $4 / 1e6) : "-"
        verdict = ""
        if ($3 != "-")
            verdict = sprintf("  %sx: %s", $3, $5 <= $3 ? "met" : "NOT MET")
        printf "  %-30s %8.4f %6s %6.2f %6.2f %8.1f%s\n", $1, $4, speed, $5,
            $6, $7 * 1024 / 1e6, verdict
    }'
    commands=
}

# Prints whether a measured value stays below a bar: NAME VALUE BAR UNIT.
print_bar() {
    awk -v name="$1" -v value="$2" -v bar="$3" -v unit="$4" 'BEGIN {
        printf "  %-49s %8.2f %s  bar %g %s: %s\n", name, value, unit, bar,
            unit, value <= bar ? "met" : "NOT MET"
    }'
}

# --- What is measured --------------------------------------------------------

# Writes a dump of SIZE in so many stacks to $file, sets bytes, and compares the
# answer with what was written. Further words are options of gendump.
make_dump() {
    asked=$1
    among=$2
    shift 2
    "$GENDUMP" --bytes "$asked" --stacks "$among" --truth "$truth" "$@" \
        >"$file" || give_up "cannot write $file" 2
    bytes=$(($(wc -c <"$file")))
    rm -f "$peak"
    answer "$peak" "$file" >"$report" || give_up "no answer for $file" 1
    check_answer "$asked of debug=2 in $among stacks"
}

# debug=2 of one size, as a file and through a pipe.
bench_text() {
    size=$1
    file=$dir/dump-$size.txt
    make_dump "$size" "$stacks"
    answer "$peak" - <"$file" >"$report" || give_up "no answer for a stream" 1
    check_answer "$size of debug=2 from standard input"

    add "grep -c '^goroutine '" "$bytes" - "%o grep -c '^goroutine ' '$file'"
    add "cat" "$bytes" - "%o cat '$file' >/dev/null"
    add "wc -l" "$bytes" - "%o wc -l '$file'"
    add "cprof-leaks FILE, one thread" "$bytes" 0.65 \
        "%o '$CPROF_LEAKS' -o json --threads 1 '$file' >/dev/null"
    add "cprof-leaks FILE, two threads" "$bytes" 0.5 \
        "%o '$CPROF_LEAKS' -o json --threads 2 '$file' >/dev/null"
    add "cat FILE | cprof-leaks" "$bytes" - \
        "cat '$file' | %o '$CPROF_LEAKS' -o json >/dev/null"
    take_turns
    memory=$(awk '{ print $3 * 1024 / 1e6 }' "$results"/[4-9] | sort -g |
        tail -n 1)
    print_table "debug=2, $size, $stacks stacks; ratio to grep's time"
    print_bar "largest resident memory of cprof-leaks" "$memory" 20 MB
    echo "  two processes that spin are $("$MEASURE" --spin) times as fast as" \
        "one: what two threads could gain here"
}

# The smallest size with a leak, which is what so large a dump has: the real ones
# at hand with 2,000 goroutines or more have 2 to 66 stacks, and nearly all in one
# or two. The program of fixtures/probe, which does a bit of everything, has 100.
bench_leak() {
    size=${sizes%% *}
    file=$dir/dump-leak.txt
    for among in 20 100 "$stacks"; do
        make_dump "$size" "$among" --leak 98
        print_both "debug=2, $size, $among stacks, 98 % in one; ratio to grep's time"
    done
}

# The smallest size with labels, as Go prints them in headers since 1.26.
bench_labels() {
    size=${sizes%% *}
    file=$dir/dump-labels.txt
    make_dump "$size" 50 --labels
    print_both "debug=2, $size, 50 stacks, half with labels; ratio to grep's time"
}

# The goroutines of a real server under load, over and over: their arguments come
# in the forms, and as often in each, as they do in a process. `any` is for
# another order each time.
bench_real() {
    size=${sizes%% *}
    file=$dir/dump-real.txt
    gzip -dc "$FIXTURES/corpus/http_load/1.27/http_load.debug2.txt.gz" \
        >"$dir/real.txt" || give_up "no real dump" 2
    for order in "" any; do
        "$REPEATDUMP" "$dir/real.txt" "$(bytes_of "$size")" $order \
            >"$file" 2>"$dir/out" || give_up "cannot write $file" 2
        bytes=$(($(wc -c <"$file")))
        answer "$peak" "$file" >"$report" || give_up "no answer for $file" 1
        grep -q "\"goroutines\": $(cat "$dir/out")," "$report" ||
            give_up "not all goroutines of $file were counted" 1
        print_both "debug=2, $size, a real dump repeated${order:+ in any order}; ratio to grep's time"
    done
}

# Measures and prints one thread and two for $file, and takes it away; $1 is the
# title.
print_both() {
    title=$1
    add "grep -c '^goroutine '" "$bytes" - "%o grep -c '^goroutine ' '$file'"
    add "cprof-leaks FILE, one thread" "$bytes" 0.65 \
        "%o '$CPROF_LEAKS' -o json --threads 1 '$file' >/dev/null"
    add "cprof-leaks FILE, two threads" "$bytes" 0.5 \
        "%o '$CPROF_LEAKS' -o json --threads 2 '$file' >/dev/null"
    take_turns
    print_table "$title"
    rm -f "$file"
}

# How many stacks there are decides how much of what they are compared with is
# near: most dumps of a service have a few that nearly all goroutines are in.
bench_stacks() {
    file=$dir/dump-stacks.txt
    for n in 1 20 1000; do
        make_dump "$stacks_size" "$n"
        add "grep -c '^goroutine '" "$bytes" - "%o grep -c '^goroutine ' '$file'"
        add "cprof-leaks FILE, one thread" "$bytes" 0.65 \
            "%o '$CPROF_LEAKS' -o json --threads 1 '$file' >/dev/null"
        take_turns
        print_table "debug=2, $stacks_size, stacks: $n; ratio to grep's time"
    done
    rm -f "$file"
}

# The smallest of the dumps, compressed.
bench_gzip() {
    size=${sizes%% *}
    file=$dir/dump-$size.txt
    bytes=$(($(wc -c <"$file")))
    gzip -1 -c "$file" >"$file.gz" || give_up "cannot write $file.gz" 2
    rm -f "$peak"
    "$GENDUMP" --bytes "$size" --stacks "$stacks" --truth "$truth" >/dev/null
    if ! answer "$peak" "$file.gz" >"$report" 2>"$dir/out"; then
        printf '\ngzip: not read: %s\n' "$(head -n 1 "$dir/out")"
        return
    fi
    check_answer "$size of debug=2, compressed"
    add "zcat" "$bytes" - "%o zcat '$file.gz' >/dev/null"
    add "cprof-leaks FILE.gz" "$bytes" 1.15 \
        "%o '$CPROF_LEAKS' -o json '$file.gz' >/dev/null"
    take_turns
    print_table "gzip, $size before compression; ratio to zcat's time"
}

# debug=2 inside a log. The dump as it is shows what reading costs without the
# wrapping.
bench_log() {
    form=$1
    plain=$dir/log-plain.txt
    file=$dir/log-$form.txt
    awk -v form="$form" -f "$here/wrap.awk" "$plain" >"$file" ||
        give_up "cannot write $file" 2
    bytes=$(($(wc -c <"$file")))
    rm -f "$peak"
    answer "$peak" "$file" >"$report" || give_up "no answer for $file" 1
    check_answer "$log_size of debug=2 in a log ($form)"
    add "grep -c '^goroutine '" "$bytes" - "%o grep -c '^goroutine ' '$file'"
    add "cprof-leaks LOG" "$bytes" 2 \
        "%o '$CPROF_LEAKS' -o json '$file' >/dev/null"
    add "cprof-leaks, the dump alone" "$(($(wc -c <"$plain")))" - \
        "%o '$CPROF_LEAKS' -o json '$plain' >/dev/null"
    take_turns
    print_table "in a log: $form, $log_size inside; ratio to grep's time"
    rm -f "$file"
}

bench_logs() {
    "$GENDUMP" --bytes "$log_size" --stacks "$stacks" --truth "$truth" \
        >"$dir/log-plain.txt" || give_up "cannot write $dir/log-plain.txt" 2
    for log in docker cri timestamps compose journald pods; do
        bench_log "$log"
    done
}

# From exec to exit, over many starts. %i is how often in one turn.
bench_start() {
    file=$dir/counts.txt
    "$GENDUMP" --format debug1 --goroutines 100000 --stacks 50 \
        --truth "$truth" >"$file" || give_up "cannot write $file" 2
    rm -f "$peak"
    answer "$peak" "$file" >"$report" || give_up "no answer for $file" 1
    check_answer "100,000 goroutines of debug=1"
    add "true" 0 - "%o -n 50 true"
    add "cprof-leaks --version" 0 - "%o -n 50 '$CPROF_LEAKS' --version"
    add "cprof-leaks --help" 0 - "%o -n 50 '$CPROF_LEAKS' --help"
    add "cprof-leaks debug1.txt" "$(($(wc -c <"$file")))" - \
        "%o -n 50 '$CPROF_LEAKS' '$file'"
    "$CPROF_LEAKS" export -q --to pprof -O "$dir/counts.pb.gz" "$file" ||
        give_up "cannot write $dir/counts.pb.gz" 2
    answer "$peak" "$dir/counts.pb.gz" >"$report" ||
        give_up "no answer for $dir/counts.pb.gz" 1
    check_answer "100,000 goroutines of debug=0"
    add "cprof-leaks debug0.pb.gz" "$(($(wc -c <"$dir/counts.pb.gz")))" - \
        "%o -n 50 '$CPROF_LEAKS' '$dir/counts.pb.gz'"
    take_turns
    version=$(median "$results/2")
    help=$(median "$results/3")
    counts=$(median "$results/4")
    profile=$(median "$results/5")
    print_table "from exec to exit; ratio to true's time"
    print_bar "--version" "$(echo "$version" | awk '{ print $1 * 1e3 }')" 2 ms
    print_bar "--help" "$(echo "$help" | awk '{ print $1 * 1e3 }')" 2 ms
    print_bar "100,000 goroutines in 50 stacks, debug=1" \
        "$(echo "$counts" | awk '{ print $1 * 1e3 }')" 10 ms
    print_bar "100,000 goroutines in 50 stacks, debug=0" \
        "$(echo "$profile" | awk '{ print $1 * 1e3 }')" 10 ms
}

# --- How cost grows ----------------------------------------------------------

# Adds a line to a series of growth: SERIES SIZE COMMAND. The processor's time of
# the quickest of three runs counts.
grow() {
    rm -f "$results"
    for _ in 1 2 3; do
        eval "\"$MEASURE\" -o \"$results\" $3" >"$dir/out" 2>&1 || [ $? -le 1 ] ||
            give_up "'$1 $2' failed: $(head -n 3 "$dir/out")" 2
    done
    awk -v series="$1" -v size="$2" '
        !best || $2 < best { best = $2 }
        $3 > peak { peak = $3 }
        END { print series "\t" size "\t" best "\t" peak }' "$results" >>"$dir/growth"
}

# Prints the series: how much a step costs beside the one before.
print_growth() {
    printf '\nhow cost grows; a step beside the one before\n'
    awk -F '\t' '{
        printf "  %-28s %9d %9.4f s %8.1f MB", $1, $2, $3, $4 * 1024 / 1e6
        if ($1 == last)
            printf "   %.1f times the size, %.1f times the time", $2 / size,
                $3 / time
        print ""
        last = $1
        size = $2
        time = $3
    }' "$dir/growth"
    rm -rf "$dir/growth" "$dir/growth.txt" "$dir/inputs" "$dir/rules.yaml" \
        "$results"
}

# Puts so many dumps into a folder of $dir, of each of which a note is made.
make_cut_dumps() {
    rm -rf "$dir/inputs"
    mkdir "$dir/inputs"
    awk -v n="$1" -v dir="$dir/inputs" 'BEGIN {
        for (i = 1; i <= n; i++) {
            file = dir "/" i ".txt"
            printf "goroutine %d [select]:\n", i >file
            printf "main.work()\n\t/x/work.go:7 +0x1d\nmain.r", i >file
            close(file)
        }
    }'
}

# Prints a dump in which so many places leak a few goroutines each, which makes
# as many findings.
make_leaks() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < 12 * n; i++) {
            printf "goroutine %d [chan send, 10 minutes]:\n", i + 1
            printf "main.leak%d(0xc000010000)\n", i / 12
            printf "\t/app/main.go:%d +0x25\n", i / 12 + 1
            print "created by main.main in goroutine 1"
            print "\t/app/main.go:9 +0x1d\n"
        }
    }'
}

# Prints a rule file in which so many rules are wrong.
make_wrong_rules() {
    awk -v n="$1" 'BEGIN {
        print "version: 1\nlists:"
        for (i = 0; i < n; i++)
            printf "  a%d: [\"${b}\"]\n", i
        print "rules:"
        for (i = 0; i < n; i++)
            printf "- {id: a%d}\n", i
    }'
}

# One series a thing that may grow while all others stay.
bench_growth() {
    file=$dir/growth.txt
    rm -rf "$results" "$dir/growth"
    for n in 10000 50000 250000; do
        "$GENDUMP" --goroutines "$n" --stacks "$stacks" >"$file"
        grow "goroutines" "$n" "'$CPROF_LEAKS' -o json --threads 1 '$file'"
    done
    for n in 500 5000 50000; do
        "$GENDUMP" --goroutines "$n" --stacks "$n" >"$file"
        grow "distinct stacks" "$n" "'$CPROF_LEAKS' -o json '$file'"
    done
    for n in 500 5000 50000; do
        "$GENDUMP" --goroutines "$n" --stacks "$n" >"$file"
        grow "stacks of a comparison" "$n" \
            "'$CPROF_LEAKS' diff -o json '$file' '$file'"
    done
    for n in 10 100 1000; do
        "$GENDUMP" --goroutines 2000 --stacks 100 --frames "$n-$n" >"$file"
        grow "frames a stack" "$n" "'$CPROF_LEAKS' -o json '$file'"
    done
    "$GENDUMP" --goroutines 2000 --stacks "$stacks" >"$file"
    for n in 50 500 5000; do
        awk -v n="$n" 'BEGIN {
            print "version: 1\nrules:"
            for (i = 0; i < n; i++) {
                printf "- id: bench-%d\n  title: Bench\n", i
                print "  class: suspect\n  status: experimental\n  match:"
                printf "    any: ^example\\\\.com/bench/v%d\\\\.\n", i
                print "  when:\n  - {severity: info, count: \">=1\"}"
            }
        }' >"$dir/rules.yaml"
        grow "rules of the user" "$n" \
            "'$CPROF_LEAKS' -o json --rules '$dir/rules.yaml' '$file'"
    done
    for n in 300 3000 30000; do
        make_wrong_rules "$n" >"$dir/rules.yaml"
        grow "rules that are wrong" "$n" \
            "'$CPROF_LEAKS' rules check '$dir/rules.yaml'"
    done
    for form in "-o sarif" "-o junit" "--all"; do
        for n in 100 1000 10000; do
            make_leaks "$n" >"$file"
            grow "findings, $form" "$n" "'$CPROF_LEAKS' $form '$file'"
        done
    done
    "$GENDUMP" --goroutines 200 --stacks 50 >"$file"
    for n in 10 100 1000; do
        inputs=$(awk -v n="$n" -v file="'$file'" 'BEGIN {
            while (n-- > 0) printf "%s ", file }')
        grow "snapshots" "$n" "'$CPROF_LEAKS' -o json $inputs"
    done
    for n in 300 3000 30000; do
        make_cut_dumps "$n"
        grow "inputs cut at their end" "$n" \
            "'$CPROF_LEAKS' -o json '$dir'/inputs/*"
    done
    for n in 300 3000 30000; do
        make_cut_dumps "$n"
        grow "instances of a comparison" "$n" \
            "'$CPROF_LEAKS' diff -o json --instance '\\d+[.]txt' '$dir'/inputs '$dir'/inputs"
    done
    print_growth
}

# 10 GB of debug=2, and stacks without end.
bench_full() {
    printf '\nwithout a file\n'
    rm -f "$peak"
    "$GENDUMP" --bytes 10GB --stacks "$stacks" --truth "$truth" |
        answer "$peak" - >"$report" || give_up "no answer for 10 GB" 1
    check_answer "10 GB of debug=2 through a pipe"
    print_bar "resident memory" \
        "$(awk '{ print $3 * 1024 / 1e6 }' "$peak")" 20 MB

    rm -f "$peak"
    "$GENDUMP" --goroutines 3000000 --stacks 3000000 --frames 4-12 |
        "$MEASURE" -o "$peak" "$CPROF_LEAKS" -o json >"$report"
    [ "$(awk '{ print $4 }' "$peak")" -le 1 ] ||
        give_up "no answer for 3,000,000 stacks" 1
    for key in goroutines groups; do
        grep -Eq "\"$key\": *3000000\\b" "$report" ||
            give_up "3,000,000 stacks: wrong number of $key" 1
    done
    print_bar "resident memory for 3,000,000 different stacks" \
        "$(awk '{ print $3 * 1024 / 1048576 }' "$peak")" 1024 MiB
}

mkdir -p "$dir" || exit 2
trap clean_up EXIT
trap 'exit 130' INT TERM
check_disk
echo "machine: $(nproc 2>/dev/null || echo '?') cores"
for size in $sizes; do
    bench_text "$size"
done
bench_leak
bench_labels
bench_real
bench_stacks
bench_gzip
bench_logs
bench_start
[ "${BENCH_GROWTH:-1}" = 0 ] || bench_growth
[ "${BENCH_FULL:-0}" != 1 ] || bench_full
